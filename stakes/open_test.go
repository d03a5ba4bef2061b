package stakes

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/schedgen/schedgen/stakes/csv"
)

const list = "pubkey,stake\n4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi,5\n"

func TestOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "stakes.csv")
	if err := os.WriteFile(path, []byte(list), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name     string
		entries  int
		hasVotes bool
		source   string
	}{
		{path, 1, false, path},
		{Stdin, 1, false, "standard input"},
		{Example, 1_400, true, "the example stake list"},
	} {
		got, err := Open(c.name, strings.NewReader(list))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if len(got.Entries) != c.entries || got.HasVotes != c.hasVotes || got.Source != c.source {
			t.Errorf("%s: %d entries, votes %v, source %q", c.name, len(got.Entries), got.HasVotes, got.Source)
		}
	}
}

// A file may have the name of a source, if its path says that it is a file.
func TestOpenFileNamedExample(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("example", []byte(list), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := Open("./example", nil)
	if err != nil || len(got.Entries) != 1 {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty.csv")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, path string
		want       error
		says       string
	}{
		{"missing", filepath.Join(dir, "none.csv"), ErrSource, "no such file"},
		{"no name", "", ErrSource, "no such file"},
		{"directory", dir, ErrSource, "directory"},
		{"through a file", filepath.Join(empty, "x.csv"), ErrSource, "x.csv"},
		{"empty", empty, csv.ErrNoEntries, empty},
		{"no standard input", Stdin, ErrSource, "standard input"},
	} {
		_, err := Open(c.path, nil)
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: got %v, want %v with %q", c.name, err, c.want, c.says)
		}
	}
	if _, err := Open(Stdin, strings.NewReader("")); !errors.Is(err, csv.ErrNoEntries) || !strings.Contains(err.Error(), "standard input") {
		t.Errorf("empty standard input: got %v", err)
	}
}
