package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// What is packaged sets only variables and flags that there are.
func TestServePackaging(t *testing.T) {
	var variables, flags []string
	cmd := &cobra.Command{Use: "serve"}
	newServeFlags().add(cmd)
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		variables, flags = append(variables, variableOf(f.Name)), append(flags, "--"+f.Name)
	})
	files, err := filepath.Glob("../../packaging/*")
	if err != nil || len(files) < 3 {
		t.Fatalf("got %q, %v", files, err)
	}
	found := 0
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, variable := range regexp.MustCompile(`SCHEDGEN_[A-Z_]+`).FindAllString(string(text), -1) {
			found++
			if !slices.Contains(variables, variable) {
				t.Errorf("%s: there is no %s", name, variable)
			}
		}
		for _, use := range regexp.MustCompile(`serve"?,? "?(--[a-z-]+)`).FindAllStringSubmatch(string(text), -1) {
			found++
			if flag := use[1]; flag != "--help" && !slices.Contains(flags, flag) {
				t.Errorf("%s: there is no %s", name, flag)
			}
		}
	}
	if found < 8 {
		t.Errorf("only %d were looked at", found)
	}
}
