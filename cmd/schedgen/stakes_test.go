package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// dataFile returns the path of a real file, or skips the test.
func dataFile(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join("..", "..", "..", "shared", "data", name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no %s: %v", name, err)
	}
	return path
}

func TestStakesShow(t *testing.T) {
	want := `source  standard input (csv)

stakes of epoch       not known
vintage               unknown: the file does not say which epoch its stakes lead
entries               3 vote accounts
identities            2
total                 60 lamports (0.00000006 SOL)
largest               ` + keyNode + ` with 40 lamports, 66.67 %
Nakamoto coefficient  1 (the fewest identities with more than a third)
ties                  none
`
	if got := wantDone(t, votesList, "stakes", "show", "-"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestStakesShowJSON(t *testing.T) {
	var shown []struct {
		Provenance struct{ Kind, Vintage string }
		KeyedBy    string
		Entries    int
		Total      uint64 `json:",string"`
		Largest    struct{ Identity string }
		Nakamoto   int
	}
	text := wantDone(t, votesList, "stakes", "show", "-", "--format", "json")
	if err := json.Unmarshal([]byte(text), &shown); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	if len(shown) != 1 || shown[0].Provenance.Kind != "csv" || shown[0].KeyedBy != "vote" || shown[0].Entries != 3 ||
		shown[0].Total != 60 || shown[0].Largest.Identity != keyNode || shown[0].Nakamoto != 1 {
		t.Errorf("got %s", text)
	}
}

// The genesis hash is printed and right, and each epoch has its list.
func TestStakesShowGenesis(t *testing.T) {
	for name, hash := range map[string]string{
		"genesis-mainnet-beta.bin": "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d",
		"genesis-testnet.bin":      "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY",
	} {
		got := wantDone(t, "", "stakes", "show", dataFile(t, name))
		for _, part := range []string{"genesis hash  " + hash, "stakes of epoch       0\n", "stakes of epoch       1\n", "exact"} {
			if !strings.Contains(got, part) {
				t.Errorf("%s: no %q in\n%s", name, part, got)
			}
		}
		one := wantDone(t, "", "stakes", "show", dataFile(t, name), "--epoch", "1")
		if strings.Count(one, "stakes of epoch") != 1 || !strings.Contains(one, "stakes of epoch       1\n") {
			t.Errorf("%s: --epoch 1 printed\n%s", name, one)
		}
	}
}

// Through both forms and back a list stays the same, to the byte.
func TestStakesConvertThereAndBack(t *testing.T) {
	dir := t.TempDir()
	sources := map[string][]string{
		"votes":   {"-"},
		"example": {"example"},
	}
	for _, name := range []string{"genesis-mainnet-beta.bin", "snapshot-100-HsFVd9m9URPdb2HpZXkxsnYMMrKU3nBFr1SCo2SoQS6W.tar.zst"} {
		if path := filepath.Join("..", "..", "..", "shared", "data", name); exists(path) {
			sources[name] = []string{path, "--epoch", "1"}
		}
	}
	if path := filepath.Join("..", "..", "..", "shared", "data", "mainnet-45-getVoteAccounts.json"); exists(path) {
		sources["votes of a node"] = []string{path}
	}
	for name, source := range sources {
		first, list, second := filepath.Join(dir, "1.json"), filepath.Join(dir, "2.csv"), filepath.Join(dir, "3.json")
		for _, args := range [][]string{
			append([]string{"stakes", "convert", "--to", "json", "-o", first}, source...),
			{"stakes", "convert", first, "--to", "csv", "-o", list},
			{"stakes", "convert", list, "--to", "json", "-o", second},
		} {
			if code, _, stderr := runCommand(t, votesList, args...); code != exitDone {
				t.Fatalf("%s: %v: exit code %d, %s", name, args, code, stderr)
			}
		}
		a, errA := os.ReadFile(first)
		b, errB := os.ReadFile(second)
		if errA != nil || errB != nil || string(a) != string(b) {
			t.Errorf("%s: %v, %v, %d bytes became %d:\n%.600s\n%.600s", name, errA, errB, len(a), len(b), a, b)
		}
	}
	wantFiles(t, dir, "1.json", "2.csv", "3.json")
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// An epoch given to a list that does not say becomes its own, and from then on
// another one is refused.
func TestStakesConvertEpoch(t *testing.T) {
	path := filepath.Join(t.TempDir(), "900.csv")
	wantDone(t, votesList, "stakes", "convert", "-", "--epoch", "900", "--to", "csv", "-o", path)
	args := []string{"derive", "--stakes", path, "--format", "digest", "--epoch"}
	got := wantDone(t, "", append(args, "900")...)
	if want := wantDone(t, votesList, "derive", "--stakes", "-", "--format", "digest", "--epoch", "900"); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	wantRefused(t, "", append(args, "901"), path, "901", "only for epoch 900", "--force-epoch")
	code, stdout, stderr := runCommand(t, "", append(args, "901", "--force-epoch")...)
	if code != exitDone || !strings.Contains(stderr, "another epoch") {
		t.Errorf("exit code %d, standard error %q", code, stderr)
	}
	if want := wantDone(t, votesList, "derive", "--stakes", "-", "--format", "digest", "--epoch", "901"); stdout != want {
		t.Errorf("forced: got %s, want %s", stdout, want)
	}
	wantRefused(t, "", append(args, "901", "--force-epoch", "--exact"), "--exact")
}

func TestStakesRefuses(t *testing.T) {
	for _, c := range []struct {
		args string
		says []string
	}{
		{"show", []string{"no stake list"}},
		{"show - -", []string{"one stake list"}},
		{"show none.csv", []string{"none.csv", "no such file"}},
		{"show example --format yaml", []string{"--format", `"yaml"`}},
		{"convert -", []string{"no stake entries"}},
		{"convert example --to xml", []string{"--to", `"xml"`, "json or csv"}},
		{"convert example -o ./none/list.json", []string{"none"}},
		{"convert example --epoch -1", []string{"--epoch"}},
	} {
		wantRefused(t, "", append([]string{"stakes"}, strings.Fields(c.args)...), c.says...)
	}
	genesis := dataFile(t, "genesis-mainnet-beta.bin")
	wantRefused(t, "", []string{"stakes", "convert", genesis}, "several epochs", "0, 1")
	wantRefused(t, "", []string{"stakes", "convert", genesis, "--epoch", "2"}, "only for epoch 0, 1")
	wantRefused(t, "", []string{"stakes", "show", genesis, "--epoch", "2"}, "only for epoch 0, 1")
}
