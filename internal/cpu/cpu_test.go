package cpu

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

func TestGenericIsAlwaysLast(t *testing.T) {
	a := Available()
	if a[len(a)-1] != Generic {
		t.Fatalf("Available() = %v, want generic last", a)
	}
	for _, b := range a {
		if !slices.Contains(Known(), b) {
			t.Errorf("%q is available but not known", b)
		}
	}
}

// Known is in order of speed, and Available says so of itself.
func TestAvailableKeepsTheOrderOfKnown(t *testing.T) {
	got := Available()
	want := slices.DeleteFunc(Known(), func(b Backend) bool { return !slices.Contains(got, b) })
	if !slices.Equal(got, want) {
		t.Errorf("Available() = %v, want %v", got, want)
	}
}

func TestResolveByName(t *testing.T) {
	for _, b := range Available() {
		if got, err := Resolve(string(b)); err != nil || got != b {
			t.Errorf("Resolve(%q) = %q, %v", b, got, err)
		}
	}
	for _, name := range []string{"sse9", "AVX512", "generic "} {
		_, err := Resolve(name)
		if err == nil {
			t.Fatalf("Resolve(%q) accepted", name)
		}
		for _, want := range []string{name, "unknown", "generic", "auto"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("Resolve(%q): %q does not mention %q", name, err, want)
			}
		}
	}
	for _, b := range Known() {
		if slices.Contains(Available(), b) {
			continue
		}
		if _, err := Resolve(string(b)); err == nil || !strings.Contains(err.Error(), "not available on this machine") {
			t.Errorf("Resolve(%q) on a machine without it: %v", b, err)
		}
	}
}

func TestResolveAutoIsStable(t *testing.T) {
	a, errA := Resolve("")
	b, errB := Resolve("auto")
	if a != b || (errA == nil) != (errB == nil) {
		t.Errorf("Resolve(\"\") = %q, %v but Resolve(\"auto\") = %q, %v", a, errA, b, errB)
	}
}

const (
	// envChild tells a process of TestEnvironmentReachesResolve that it is a child.
	envChild = "SCHEDGEN_TEST_RESOLVES"
	// envEmulated says that tests run under an emulator of one process: starting
	// another may hang there, or leave the emulator.
	envEmulated = "SCHEDGEN_TEST_EMULATED"
)

// A process reads its environment once, so each case takes a process.
func TestEnvironmentReachesResolve(t *testing.T) {
	if os.Getenv(envEmulated) != "" {
		t.Skip("an emulated process cannot be relied on to start another")
	}
	if os.Getenv(envChild) != "" {
		for _, name := range []string{"", auto} {
			b, err := Resolve(name)
			fmt.Printf("Resolve(%q) = %q, %v\n", name, b, err)
		}
		return
	}
	cases := []struct{ value, want string }{
		{"", fmt.Sprintf("%q, <nil>", Available()[0])},
		{auto, fmt.Sprintf("%q, <nil>", Available()[0])},
		{"sse9", fmt.Sprintf(`"", %s "sse9" is unknown; available: auto, %s`, EnvBackend, join(Available()))},
	}
	for _, b := range Known() {
		want := fmt.Sprintf("%q, <nil>", b)
		if !slices.Contains(Available(), b) {
			want = fmt.Sprintf(`"", %s %q is not available on this machine`, EnvBackend, b)
		}
		cases = append(cases, struct{ value, want string }{string(b), want})
	}
	for _, c := range cases {
		t.Run(c.value, func(t *testing.T) {
			t.Parallel() // a process with the race detector takes a second to end
			output := resolveIn(t, c.value)
			for _, name := range []string{"", auto} {
				if want := fmt.Sprintf("Resolve(%q) = %s", name, c.want); !strings.Contains(output, want) {
					t.Errorf("want %s, got\n%s", want, output)
				}
			}
		})
	}
}

// resolveIn returns what a process with SCHEDGEN_BACKEND set prints.
func resolveIn(t *testing.T, value string) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Skipf("the test binary has no path to start it again by: %v", err)
	}
	cmd := exec.Command(self, "-test.run=^TestEnvironmentReachesResolve$")
	cmd.Env = append(os.Environ(), EnvBackend+"="+value, envChild+"=1")
	var output strings.Builder
	cmd.Stdout, cmd.Stderr = &output, &output
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, output.String())
	}
	return output.String()
}
