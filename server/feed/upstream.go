package feed

import (
	"fmt"
	"time"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/schedulefile"
)

// An Upstream is how the schedule that is held of an epoch compares with a
// validator's, by the identity that leads each slot.
type Upstream struct {
	Address string // without credentials
	Epoch   uint64

	Digest *[32]byte // of the validator's schedule; nil when it is not known whole
	Ours   *[32]byte // of the one that is held; nil when none is
	Equal  *bool     // nil when one of them is not known

	DifferingSlots uint64          // those that the validator's leaves out included
	FirstDifferent *SlotDifference // nil when there is none
	CheckedAt      time.Time
	// Err is why the last check failed; all but Epoch, Ours and CheckedAt is then as
	// of the last one that did not, of the same schedule. It is a
	// noderpc.ErrUnavailable where the validator has no schedule of the epoch, and a
	// schedule.ErrUnknownEpoch where none is held.
	Err error
}

// Differs reports whether both schedules are known and not equal.
func (u *Upstream) Differs() bool { return u.Equal != nil && !*u.Equal }

// A SlotDifference is a slot with two leaders.
type SlotDifference struct {
	Slot         schedule.Slot
	Ours, Theirs schedule.Pubkey // Theirs is zero when the validator has none
}

// compare compares the schedule that is held with what a node answers about its
// epoch. It leaves Ours to the caller.
func compare(ours *schedule.Schedule, answer noderpc.Leaders) (Upstream, error) {
	u := Upstream{Epoch: ours.Epoch()}
	theirs, err := schedulefile.FromRPC(answer, ours.Slots())
	if err != nil {
		return u, err
	}
	i := schedule.Index(0)
	for slot, leader := range ours.All() {
		other, _ := theirs.Leader(i)
		i++
		if other == leader {
			continue
		}
		if u.DifferingSlots++; u.DifferingSlots == 1 {
			u.FirstDifferent = &SlotDifference{Slot: slot, Ours: leader, Theirs: other}
		}
	}
	equal := u.DifferingSlots == 0
	u.Equal = &equal
	if sum, whole := theirs.Digest(); whole {
		u.Digest = &sum
		return u, nil
	}
	return u, fmt.Errorf("%w: %d of %d slots have a leader", ErrPartial, theirs.Known(), ours.Slots())
}
