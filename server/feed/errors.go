package feed

import (
	"errors"
	"fmt"
)

var (
	// ErrEpochNeeded: a list that does not say which epoch it leads, and nobody
	// else does. The value is an [*EpochNeededError].
	ErrEpochNeeded = errors.New("stake list does not say which epoch it leads")
	// ErrIncomplete: a file that is still written, or looks so.
	ErrIncomplete = errors.New("not complete")
	// ErrNotRegular: something else than a file, such as a link or a pipe.
	ErrNotRegular = errors.New("not a regular file")
	// ErrAstray: a node is in an epoch that does not follow from the one before.
	ErrAstray = errors.New("epochs do not follow from one another")
	// ErrStands: a node's finalized slot does not rise.
	ErrStands = errors.New("slots do not rise")
	// ErrPartial: a node's schedule leaves slots of the epoch out.
	ErrPartial = errors.New("schedule is not whole")
)

// EpochNeededError says which source needs an epoch.
type EpochNeededError struct {
	Name string // of the source
	Want string // how to give the epoch
}

func (e *EpochNeededError) Error() string {
	return fmt.Sprintf("%s: %v, want %s", e.Name, ErrEpochNeeded, e.Want)
}

// Is reports whether target is ErrEpochNeeded.
func (e *EpochNeededError) Is(target error) bool { return target == ErrEpochNeeded }
