package cpu

import (
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
