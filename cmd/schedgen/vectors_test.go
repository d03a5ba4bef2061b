package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/schedgen/schedgen/internal/cpu"
)

// runVectors runs the command and returns what it left.
func runVectors(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(append([]string{"vectors"}, args...), strings.NewReader(""), &out, &errs)
	return code, out.String(), errs.String()
}

func lastLine(s string) string {
	lines := strings.Split(strings.TrimSuffix(s, "\n"), "\n")
	return lines[len(lines)-1]
}

func TestVectorsCheck(t *testing.T) {
	if testing.Short() {
		t.Skip("heavy")
	}
	code, stdout, stderr := runVectors(t, "check")
	if code != exitDone || stderr != "" {
		t.Errorf("exit code %d, standard error %q", code, stderr)
	}
	if last := lastLine(stdout); !regexp.MustCompile(`^\d{3,} passed, 0 failed$`).MatchString(last) {
		t.Errorf("last line %q", last)
	}
	for _, b := range cpu.Available() {
		if line := "skip " + string(b) + "/clusters/mainnet-beta-epoch-454: "; strings.Count(stdout, line) != 1 {
			t.Errorf("output %q has no line %q", stdout, line)
		}
	}
}

func TestVectorsCheckOneBackend(t *testing.T) {
	if testing.Short() {
		t.Skip("heavy")
	}
	code, stdout, _ := runVectors(t, "check", "--backend", "generic", "-v")
	if code != exitDone {
		t.Errorf("exit code %d", code)
	}
	for line := range strings.Lines(stdout) {
		if !strings.HasPrefix(line, "ok   generic/") && !strings.HasPrefix(line, "skip generic/") && !strings.Contains(line, " passed, ") {
			t.Errorf("unexpected line %q", line)
		}
	}
	if !strings.Contains(stdout, "ok   generic/schedules/01-n1\n") {
		t.Errorf("-v does not list the vectors:\n%s", stdout)
	}
}

// A stake list that is not the one of the epoch fails its vector.
func TestVectorsCheckFailure(t *testing.T) {
	if testing.Short() {
		t.Skip("heavy")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "epoch-454-stakes.csv"), []byte("pubkey,stake\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := runVectors(t, "check", "--backend=generic", "--dir", dir)
	if code != exitNo {
		t.Errorf("exit code %d, want %d", code, exitNo)
	}
	if !regexp.MustCompile(`^FAIL generic/clusters/mainnet-beta-epoch-454: expected .+, got .+\n\d+ passed, 1 failed\n$`).MatchString(stdout) {
		t.Errorf("standard output %q", stdout)
	}
	if !regexp.MustCompile(`^schedgen: 1 of \d+ vectors failed\n$`).MatchString(stderr) {
		t.Errorf("standard error %q", stderr)
	}
}

func TestVectorsUsage(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	for _, test := range []struct {
		args []string
		want string // in the error
	}{
		{[]string{"check", "--backend", "abacus"}, "generic"}, // it lists what there is
		{[]string{"check", "--dir", missing}, missing},
		{[]string{"check", "generic"}, "flags only"},
		{[]string{"check", "--bogus"}, "bogus"},
		{[]string{"chek"}, "chek"},
	} {
		code, stdout, stderr := runVectors(t, test.args...)
		if code != exitError || stdout != "" || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, test.want) {
			t.Errorf("vectors %q: exit code %d, standard output %q, standard error %q; want %d, nothing and a line with %q",
				test.args, code, stdout, stderr, exitError, test.want)
		}
	}
	if code, stdout, _ := runVectors(t); code != exitDone || !strings.Contains(stdout, "check") {
		t.Errorf("vectors alone: exit code %d, output %q; want its help", code, stdout)
	}
}
