package schedulefile

import (
	"fmt"
	"slices"

	"github.com/schedgen/schedgen/schedule"
)

// Place returns o as the schedule of the epoch that has that first slot and that
// number of slots: with its FirstSlot and Slots, and without leader where o has no
// slot. Where o does not name absolute slots it is taken to be of this
// epoch.
//
// The error is ErrFit when o has slots outside the epoch or is known to begin or
// end elsewhere, ErrDigestOnly when it has no slots at all, and ErrSpan when the
// epoch has more than MaxSlots.
func (o *Observed) Place(first schedule.Slot, slots uint64) (*Observed, error) {
	if o.DigestOnly() {
		return nil, fmt.Errorf("%s: %w", o.Source, ErrDigestOnly)
	}
	if slots > MaxSlots {
		return nil, fmt.Errorf("%s: %w: an epoch of %d slots, at most %d", o.Source, ErrSpan, slots, MaxSlots)
	}
	before := uint64(0) // slots of the epoch before those of o
	if o.FirstSlot != nil {
		if *o.FirstSlot < first {
			return nil, o.misfit(first, slots)
		}
		before = uint64(*o.FirstSlot - first)
	}
	if o.Slots > slots || before > slots-o.Slots {
		return nil, o.misfit(first, slots)
	}
	after := slots - o.Slots - before
	if o.AtStart && before > 0 || o.AtEnd && after > 0 {
		return nil, o.misfit(first, slots)
	}
	p := *o
	p.FirstSlot, p.Slots, p.AtStart, p.AtEnd = &first, slots, true, true
	if before+after > 0 {
		p.Partial = true
		p.Leaders = padded(o.Leaders, before, after)
		if o.Votes != nil {
			p.Votes = padded(o.Votes, before, after)
		}
	}
	return &p, nil
}

func (o *Observed) misfit(first schedule.Slot, slots uint64) error {
	from := "the first of the epoch"
	if o.FirstSlot != nil {
		from = fmt.Sprintf("slot %d", *o.FirstSlot)
	}
	return fmt.Errorf("%s: %w: it has %d slots from %s, the epoch %d from slot %d", o.Source, ErrFit, o.Slots, from, slots, first)
}

// padded returns numbers between so many Nones.
func padded(numbers []uint32, before, after uint64) []uint32 {
	return slices.Concat(nones(before), numbers, nones(after))
}

func nones(n uint64) []uint32 { return slices.Repeat([]uint32{None}, int(n)) }
