package main

import (
	"runtime"
	"strings"
	"testing"

	"github.com/schedgen/schedgen/internal/cpu"
)

func TestVersion(t *testing.T) {
	t.Setenv(cpu.EnvBackend, string(cpu.Generic))
	code, stdout, stderr := runCommand(t, "", "version")
	if code != exitDone || stderr != "" {
		t.Fatalf("exit code %d, standard error %q", code, stderr)
	}
	lines := strings.Split(stdout, "\n")
	if len(lines) != 4 || !strings.HasPrefix(lines[0], "schedgen ") {
		t.Fatalf("got %q", stdout)
	}
	if want := runtime.Version() + " " + runtime.GOOS + "/" + runtime.GOARCH; lines[1] != want {
		t.Errorf("got %q, want %q", lines[1], want)
	}
	if !strings.HasPrefix(lines[2], "backend generic (available: ") {
		t.Errorf("got %q", lines[2])
	}
	for _, b := range cpu.Available() {
		if !strings.Contains(lines[2], string(b)) {
			t.Errorf("%q does not list %s", lines[2], b)
		}
	}
}

func TestBadBackend(t *testing.T) {
	t.Setenv(cpu.EnvBackend, "abacus")
	for _, command := range []string{
		"version",
		"derive --stakes example --epoch 1",
		"batch --stakes example --epochs 1..2",
		"vectors check",
	} {
		wantRefused(t, "", strings.Fields(command), "SCHEDGEN_BACKEND", `"abacus"`, "generic")
	}
}
