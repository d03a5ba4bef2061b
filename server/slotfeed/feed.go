package slotfeed

import (
	"time"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/slotclock"
)

// A Feed knows which slot it is. Its methods may be called from many goroutines.
type Feed interface {
	// Now returns the current slots; false as long as none is known.
	Now() (Now, bool)
	// Subscribe returns a channel of the slots to come. A reader that does not keep
	// up misses the oldest of them. The channel closes with cancel, which may be
	// called more than once, and when the feed ends.
	Subscribe() (ticks <-chan Tick, cancel func())
}

// Now is what a feed knows at a moment.
type Now struct {
	Slot      schedule.Slot // processed: the newest one
	Confirmed schedule.Slot // never above Slot
	Finalized schedule.Slot // never above Confirmed

	At     time.Time       // when Slot was heard of, or the present for an Anchor
	Clock  slotclock.Clock // when slots begin
	Source string          // what says so; an address is without credentials
	// Stale says that Slot has not risen for so long that it is not the current one.
	Stale bool
	// Behind is how many slots have begun since, by Clock; 0 unless Stale.
	Behind uint64
}

// SlotAt returns the slot of a commitment; that of the finalized one for others
// than processed and confirmed, as nodes have it.
func (n Now) SlotAt(c noderpc.Commitment) schedule.Slot {
	switch c {
	case noderpc.Processed:
		return n.Slot
	case noderpc.Confirmed:
		return n.Confirmed
	}
	return n.Finalized
}

// A Tick is a slot that begins: what slotSubscribe notifies of.
type Tick struct {
	Slot   schedule.Slot
	Parent schedule.Slot // of the slot's block; the slot before where that is not known
	Root   schedule.Slot // the newest root
}

// before returns the slot n slots earlier, or 0.
func before(slot schedule.Slot, n schedule.Slot) schedule.Slot {
	return slot - min(slot, n)
}
