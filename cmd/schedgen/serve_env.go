package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Variables of the environment begin so.
const envPrefix = "SCHEDGEN_"

// otherVariables are those that are no flags.
var otherVariables = []string{"SCHEDGEN_BACKEND", "SCHEDGEN_REQUIRE_BACKENDS"}

// environment sets the flags of a command that are not given and whose variable is:
// --max-batch is SCHEDGEN_MAX_BATCH. An empty variable counts as not set. One that
// looks like a misspelt one is an error, because what it was to set is not.
func environment(cmd *cobra.Command) error {
	names := slices.Clone(otherVariables)
	var failed error
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if f.Name == "help" {
			return
		}
		name := variableOf(f.Name)
		names = append(names, name)
		value := os.Getenv(name)
		if value == "" || f.Changed || failed != nil {
			return
		}
		failed = setFromVariable(f, name, value)
	})
	if failed != nil {
		return failed
	}
	for _, entry := range os.Environ() {
		name, value, _ := strings.Cut(entry, "=")
		if value == "" || !strings.HasPrefix(name, envPrefix) || slices.Contains(names, name) {
			continue
		}
		if meant := nearest(name, names); meant != "" {
			return fmt.Errorf("environment: %s is no variable of schedgen %s, want %s (or unset it)", name, cmd.Name(), meant)
		}
	}
	return nil
}

func variableOf(flag string) string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// wantedOf says what is wanted for the types of package pflag.
var wantedOf = map[string]string{
	"bool": "want true or false", "float64": "want a number", "duration": "want a duration, such as 10s",
}

// setFromVariable does not repeat the value in errors: it may be a secret.
func setFromVariable(f *pflag.Flag, name, value string) error {
	values := []string{value}
	switch f.Value.(type) {
	case *texts, *pubkeys, *prefixes:
		values = strings.Split(value, ",")
	}
	for _, v := range values {
		if err := f.Value.Set(strings.TrimSpace(v)); err != nil {
			if want := wantedOf[f.Value.Type()]; want != "" { // the error of package strconv repeats the value
				err = errors.New(want)
			}
			return fmt.Errorf("environment: %s: %w", name, err)
		}
	}
	f.Changed = true
	return nil
}

// nearest returns the name that another one is likely a misspelling of, or "".
func nearest(name string, names []string) string {
	const most = 2
	best, meant := most+1, ""
	for _, known := range names {
		if d := editDistance(name[len(envPrefix):], known[len(envPrefix):]); d < best {
			best, meant = d, known
		}
	}
	return meant
}

// editDistance counts the letters to insert, delete or replace.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, diagonal+1, row[j]+1)
		}
	}
	return row[len(b)]
}
