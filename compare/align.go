package compare

import (
	"fmt"

	"github.com/schedgen/schedgen/schedule"
)

// Matching says how the slots of one side were matched with those of the other.
type Matching string

const (
	// BySlot: by absolute slot numbers, which both sides state and share.
	BySlot Matching = "slot"
	// ByIndex: by index, because a side does not say which slots it is about, or
	// because they are none of the other's.
	ByIndex Matching = "index"
)

// Alignment says which slots of B stand beside which of A: index i of A beside
// index i - Offset of B.
type Alignment struct {
	Matching Matching `json:"matching"`
	Offset   int64    `json:"offset"` // slots by which B begins after A
	// OtherSlots: both sides state their slots, and share none, or they state
	// different epochs.
	OtherSlots bool     `json:"otherSlots"`
	Notes      []string `json:"notes,omitempty"` // one line each, for people
}

func (a *Alignment) note(format string, args ...any) {
	a.Notes = append(a.Notes, fmt.Sprintf(format, args...))
}

// align matches the slots of two sides that have leaders.
func align(a, b *Side) Alignment {
	al := Alignment{Matching: ByIndex}
	nA, nB := a.Leaders.Slots(), b.Leaders.Slots()
	if a.Epoch != nil && b.Epoch != nil && *a.Epoch != *b.Epoch {
		al.OtherSlots = true
		al.note("%s is of epoch %d, %s of epoch %d", a.Name, *a.Epoch, b.Name, *b.Epoch)
	}
	switch {
	case a.FirstSlot == nil && b.FirstSlot == nil:
	case b.FirstSlot == nil:
		al.note("%s does not say which slots it is about: compared by index", b.Name)
	case a.FirstSlot == nil:
		al.note("%s does not say which slots it is about: compared by index", a.Name)
	case overlap(*a.FirstSlot, nA, *b.FirstSlot, nB):
		al.Matching = BySlot
		al.Offset = int64(*b.FirstSlot - *a.FirstSlot) // below 2^29 either way
		if al.Offset > 0 {
			al.note("%s begins %d slots after %s", b.Name, al.Offset, a.Name)
		} else if al.Offset < 0 {
			al.note("%s begins %d slots before %s", b.Name, -al.Offset, a.Name)
		}
	default:
		al.OtherSlots = true
		al.note("%s: compared by index", apart(a, b))
	}
	if nA != nB {
		al.note("%s has %d slots, %s %d", a.Name, nA, b.Name, nB)
	}
	return al
}

// overlap reports whether two ranges of slots share one.
func overlap(a schedule.Slot, nA uint64, b schedule.Slot, nB uint64) bool {
	return uint64(b-a) < nA || uint64(a-b) < nB
}

// apart says that two sides have no slot in common.
func apart(a, b *Side) string {
	switch {
	case *b.FirstSlot == 0:
		return fmt.Sprintf("%s counts slots from 0, as indices in an epoch do, %s from slot %d", b.Name, a.Name, *a.FirstSlot)
	case *a.FirstSlot == 0:
		return fmt.Sprintf("%s counts slots from 0, as indices in an epoch do, %s from slot %d", a.Name, b.Name, *b.FirstSlot)
	}
	return fmt.Sprintf("%s begins at slot %d, %s at slot %d, and they share no slot", a.Name, *a.FirstSlot, b.Name, *b.FirstSlot)
}

// span returns the range [from, to) of A's indices that B has too.
func (al Alignment) span(nA, nB uint64) (from, to int64) {
	return max(0, al.Offset), min(int64(nA), al.Offset+int64(nB))
}
