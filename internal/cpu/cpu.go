// Package cpu says which backends this machine can run.
//
// A backend is a level of the processor. Every room maps the level to the best
// code that it has at or below it, so one name, forced by SCHEDGEN_BACKEND or
// given to a call, moves the whole derivation from one implementation to
// another. All backends give the same bits; only speed differs.
package cpu

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
)

// Backend names a level of the processor.
type Backend string

const (
	// Generic is plain Go, on every machine: the reference.
	Generic Backend = "generic"
	// XCrypto takes the keystream from golang.org/x/crypto/chacha20, where that
	// package has assembly (arm64, ppc64, ppc64le, s390x).
	XCrypto Backend = "xcrypto"
	// AVX2 is amd64 with AVX2, BMI1, BMI2, LZCNT and POPCNT.
	AVX2 Backend = "avx2"
	// AVX512 is AVX2 with AVX-512 F, BW, DQ and VL.
	AVX512 Backend = "avx512"
)

// EnvBackend names the environment variable that forces a backend.
const EnvBackend = "SCHEDGEN_BACKEND"

// auto is the name, beside the empty one, that leaves the choice to the machine.
const auto = "auto"

// Known returns every backend name, whether this machine has it or not.
func Known() []Backend { return []Backend{AVX512, AVX2, XCrypto, Generic} }

// Available returns the backends that this build and machine can run, the
// fastest first. The last one is always Generic.
func Available() []Backend { return append(detect(), Generic) }

// Resolve turns a name into a backend that this machine can run. The empty name
// and "auto" stand for the one that SCHEDGEN_BACKEND names or, without it, the
// fastest. Any other name must be available; the error lists those that are.
func Resolve(name string) (Backend, error) {
	if name == "" || name == auto {
		return fromEnvironment()
	}
	return find(name, "backend")
}

// fromEnvironment reads SCHEDGEN_BACKEND once: the choice holds for the process.
var fromEnvironment = sync.OnceValues(func() (Backend, error) {
	name := os.Getenv(EnvBackend)
	if name == "" || name == auto {
		return Available()[0], nil
	}
	return find(name, EnvBackend)
})

func find(name, what string) (Backend, error) {
	available := Available()
	if b := Backend(name); slices.Contains(available, b) {
		return b, nil
	}
	problem := "is unknown"
	if slices.Contains(Known(), Backend(name)) {
		problem = "is not available on this machine"
	}
	return "", fmt.Errorf("%s %q %s; available: %s, %s", what, name, problem, auto, join(available))
}

func join(backends []Backend) string {
	names := make([]string, len(backends))
	for i, b := range backends {
		names[i] = string(b)
	}
	return strings.Join(names, ", ")
}
