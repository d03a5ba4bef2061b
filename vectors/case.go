package vectors

import (
	"errors"
	"fmt"

	"github.com/schedgen/schedgen/internal/cpu"
)

// A testCase is one vector and how to check it.
type testCase struct {
	// name is kind/vector.
	name string
	// heavy marks a whole epoch, a very long list or a very long stream.
	heavy bool
	// run returns nil, an error of the form "expected …, got …", or errSkipped.
	run func(cpu.Backend) error
}

// errSkipped is wrapped by the error of a vector that could not be checked.
var errSkipped = errors.New("not checked")

// mismatch says what differs, at which place, and how.
func mismatch(what string, want, got any) error {
	return fmt.Errorf("expected %s %v, got %v", what, want, got)
}

func expect[T comparable](what string, want, got T) error {
	if want == got {
		return nil
	}
	return mismatch(what, want, got)
}

// expectList compares lists; the first difference is reported with its position.
func expectList[T comparable](what string, want, got []T) error {
	for i := range min(len(want), len(got)) {
		if want[i] != got[i] {
			return mismatch(fmt.Sprintf("%s %d to be", what, i), want[i], got[i])
		}
	}
	if len(want) != len(got) {
		return mismatch(fmt.Sprintf("the number of %ss to be", what), len(want), len(got))
	}
	return nil
}

// expectFirst compares the beginning of got with want.
func expectFirst[T comparable](what string, want, got []T) error {
	return expectList(what, want, got[:min(len(want), len(got))])
}

// expectError wants err to be a certain error.
func expectError(what string, want, err error) error {
	if errors.Is(err, want) {
		return nil
	}
	return mismatch(what, fmt.Sprintf("to be refused (%v)", want), describe(err))
}

func describe(err error) string {
	if err == nil {
		return "no error"
	}
	return err.Error()
}

// firstError returns the first error that there is.
func firstError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
