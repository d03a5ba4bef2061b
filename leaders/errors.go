package leaders

import (
	"errors"
	"fmt"

	"github.com/schedgen/schedgen/schedule"
)

// Errors of questions and of what is put into a book, wrapped with what was
// found; test for them with errors.Is.
var (
	// ErrNoSource: nothing where the schedule of an epoch should be.
	ErrNoSource = errors.New("no schedule")
	// ErrTwice: two schedules of one epoch.
	ErrTwice = errors.New("two schedules of one epoch")
	// ErrCount: a number of windows that is not positive.
	ErrCount = errors.New("impossible number of windows")
	// ErrEpochs: a range of epochs that is empty, or longer than MaxEpochs.
	ErrEpochs = errors.New("impossible range of epochs")
	// ErrDuration: a duration that no number of slots surely lasts.
	ErrDuration = errors.New("no number of slots is sure to last long enough")
)

// An UnknownError says from which slot on it is not known who leads. It unwraps
// to a *schedule.UnknownEpochError. It never means that somebody has no slot.
type UnknownError struct {
	Epoch uint64        `json:"epoch"`         // of Slot
	Slot  schedule.Slot `json:"slot"`          // the first that is not known
	Key   *Key          `json:"key,omitempty"` // about which it is not known; nil: about none
	Why   string        `json:"why"`
}

// Error returns one line: epoch, key, slot and why.
func (e *UnknownError) Error() string {
	about := ""
	if e.Key != nil {
		about = fmt.Sprintf(" for %v", *e.Key)
	}
	return fmt.Sprintf("leader schedule of epoch %d is not known%s from slot %d on: %s", e.Epoch, about, e.Slot, e.Why)
}

// Unwrap returns the error that a schedule.Cache has for the epoch.
func (e *UnknownError) Unwrap() error { return &schedule.UnknownEpochError{Epoch: e.Epoch} }

// notHeld is why nothing is known of an epoch that is not in the book.
const notHeld = "it is not held"
