package epochs

import (
	"errors"
	"fmt"

	"github.com/schedgen/schedgen/stakes/list"
)

var (
	// ErrNoEpoch: a list that does not say which epoch it leads.
	ErrNoEpoch = errors.New("stake list does not say which epoch it leads")
	// ErrNoEpochSchedule: neither a setting nor a list said how long epochs are.
	ErrNoEpochSchedule = errors.New("it is not known how long epochs are: name the cluster or its epoch schedule")
	// ErrBetterHeld: the stakes that are held are nearer to the network's. The value
	// is a [*BetterHeldError].
	ErrBetterHeld = errors.New("better stakes are held")
	// ErrKind: no kind of body has such a name.
	ErrKind = errors.New("unknown kind of body")
	// ErrNoVotes: the schedule was drawn by identity, for no vote accounts.
	ErrNoVotes = errors.New("schedule is keyed by identity and has no vote accounts")
)

// BetterHeldError says which list was not put in the place of which.
type BetterHeldError struct {
	Epoch     uint64
	Held, New list.Provenance
	Why       string
}

func (e *BetterHeldError) Error() string {
	return fmt.Sprintf("epoch %d: %v: %s; held: %v; refused: %v", e.Epoch, ErrBetterHeld, e.Why, &e.Held, &e.New)
}

// Is reports whether target is ErrBetterHeld.
func (e *BetterHeldError) Is(target error) bool { return target == ErrBetterHeld }
