package jsonrpc

import (
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server/slotfeed"
	"github.com/schedgen/schedgen/server/splice"
	"github.com/schedgen/schedgen/stakes/list"
)

// Epochs is where schedules come from. [Of] makes one of an *epochs.Registry.
type Epochs interface {
	// EpochSchedule is zero as long as it is not known.
	EpochSchedule() schedule.EpochSchedule
	// GenesisHash is nil when it is not known.
	GenesisHash() *schedule.Pubkey
	// Epoch returns an *schedule.UnknownEpochError for an epoch that is not held.
	Epoch(n uint64) (Epoch, error)
	// AppendLeaderTexts appends the base58 identities that lead n slots, across
	// epochs, or returns the error of the first epoch that has one.
	AppendLeaderTexts(dst []string, start schedule.Slot, n int) ([]string, error)
}

// An Epoch is one version of an epoch, which never changes.
type Epoch interface {
	Schedule() *schedule.Schedule
	// List returns the stakes as their source has them.
	List() *list.List
	// Result returns the whole result of getLeaderSchedule, by identity or by vote
	// account. byVote is asked only of schedules keyed by vote account.
	Result(byVote bool, enc splice.Encoding) (*splice.Block, error)
}

// A Feed tells the slot: a [slotfeed.Feed].
type Feed interface {
	Now() (slotfeed.Now, bool)
	Subscribe() (ticks <-chan slotfeed.Tick, cancel func())
}

// A Registry is Epochs whose epochs have a type of their own.
type Registry[E Epoch] interface {
	EpochSchedule() schedule.EpochSchedule
	GenesisHash() *schedule.Pubkey
	Epoch(n uint64) (E, error)
	AppendLeaderTexts(dst []string, start schedule.Slot, n int) ([]string, error)
}

// Of returns a registry as Epochs.
func Of[E Epoch](r Registry[E]) Epochs { return registry[E]{r} }

type registry[E Epoch] struct{ Registry[E] }

func (r registry[E]) Epoch(n uint64) (Epoch, error) {
	e, err := r.Registry.Epoch(n)
	if err != nil {
		return nil, err
	}
	return e, nil
}
