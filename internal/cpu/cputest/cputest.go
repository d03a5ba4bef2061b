// Package cputest runs one test body on every backend.
package cputest

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/schedgen/schedgen/internal/cpu"
)

// EnvRequire names the environment variable that lists, with commas, the
// backends whose absence is a failure instead of a skip.
const EnvRequire = "SCHEDGEN_REQUIRE_BACKENDS"

// Each runs f as a subtest for every backend that there is. One that this
// machine lacks is skipped, or fails when SCHEDGEN_REQUIRE_BACKENDS names it.
func Each(t *testing.T, f func(t *testing.T, b cpu.Backend)) {
	t.Helper()
	available := cpu.Available()
	required := required(t)
	for _, b := range cpu.Known() {
		t.Run(string(b), func(t *testing.T) {
			switch {
			case slices.Contains(available, b):
				f(t, b)
			case slices.Contains(required, string(b)):
				t.Fatalf("%s requires backend %s, which this machine does not have", EnvRequire, b)
			default:
				t.Skipf("this machine does not have backend %s", b)
			}
		})
	}
}

// required parses SCHEDGEN_REQUIRE_BACKENDS. A misspelt name would require
// nothing, so it fails.
func required(t *testing.T) []string {
	t.Helper()
	var names []string
	for name := range strings.SplitSeq(os.Getenv(EnvRequire), ",") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		if !slices.Contains(cpu.Known(), cpu.Backend(name)) {
			t.Fatalf("%s names the unknown backend %q", EnvRequire, name)
		}
		names = append(names, name)
	}
	return names
}
