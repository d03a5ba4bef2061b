package schedulefile

import (
	"fmt"
	"slices"

	"github.com/schedgen/schedgen/schedule"
)

const (
	// freeSpan is how many slots a schedule may span whatever it lists: those of
	// one leader are far apart. Epochs of the public clusters have 432,000.
	freeSpan = 1 << 20
	// spanOfListed is how many slots it may span beyond that for each that it
	// lists, so that what it takes grows with what was read.
	spanOfListed = 4
)

// checkSpan checks a number of slots of which so many are listed.
func checkSpan(slots, listed uint64) error {
	if most := min(max(freeSpan, spanOfListed*min(listed, MaxSlots)), MaxSlots); slots > most {
		return fmt.Errorf("%w: %d of them for %d that are listed, at most %d", ErrSpan, slots, listed, most)
	}
	return nil
}

// A builder gathers slots and their leaders in any order.
type builder struct {
	keys   []schedule.Pubkey
	byKey  map[schedule.Pubkey]uint32
	byText map[string]uint32

	fromZero  bool   // numbers are slot indices, so that the first is 0
	listed    uint64 // number of slots, those that are listed twice counted twice
	low, last uint64 // the least and greatest that are listed
	previous  uint64 // the one listed last
	base      uint64 // slot of element 0, at most low
	leaders   []uint32
	votes     []uint32 // nil until one is known
}

func newBuilder() *builder {
	return &builder{byKey: map[schedule.Pubkey]uint32{}, byText: map[string]uint32{}}
}

// number returns the number of a key.
func (b *builder) number(key schedule.Pubkey) uint32 {
	n, ok := b.byKey[key]
	if !ok {
		n = uint32(len(b.keys)) // a key takes 32 bytes that were read: they do not get to None
		b.byKey[key] = n
		b.keys = append(b.keys, key)
	}
	return n
}

// key is number for base58 text, which is slow to decode: each is decoded once.
func (b *builder) key(text []byte) (uint32, error) {
	if n, ok := b.byText[string(text)]; ok {
		return n, nil
	}
	key, err := schedule.ParsePubkey(string(text))
	if err != nil {
		return None, err
	}
	n := b.number(key)
	b.byText[string(text)] = n
	return n, nil
}

// leader is key for a field that says who leads, where the network's tools have
// a ? for nobody.
func (b *builder) leader(text []byte) (uint32, error) {
	if len(text) == 0 || len(text) == 1 && text[0] == '?' {
		return None, nil
	}
	return b.key(text)
}

// add adds a slot, or slot index; None for what is not known.
func (b *builder) add(slot uint64, leader, vote uint32) error {
	if err := b.reach(slot); err != nil {
		return err
	}
	if vote != None && b.votes == nil {
		b.votes = nones(uint64(len(b.leaders)))
	}
	i := slot - b.base
	if err := b.set(slot, &b.leaders[i], leader, "leaders"); err != nil {
		return err
	}
	if b.votes == nil {
		return nil
	}
	return b.set(slot, &b.votes[i], vote, "vote accounts")
}

func (b *builder) set(slot uint64, at *uint32, number uint32, what string) error {
	if *at != None && number != None && *at != number {
		kind := "slot"
		if b.fromZero {
			kind = "slot index"
		}
		return fmt.Errorf("%w: the %s %v and %v of %s %d", ErrConflict, what, b.keys[*at], b.keys[number], kind, slot)
	}
	if number != None {
		*at = number
	}
	return nil
}

// reach makes room for a slot.
func (b *builder) reach(slot uint64) error {
	if b.listed == 0 {
		b.low, b.last = slot, slot
		if b.fromZero {
			b.low = 0
		}
		b.base = b.low
	}
	b.listed++
	low, last := min(b.low, slot), max(b.last, slot)
	if last-low >= MaxSlots {
		return fmt.Errorf("%w: from %d to %d, at most %d", ErrSpan, low, last, MaxSlots)
	}
	if err := checkSpan(last-low+1, b.listed); err != nil {
		return err
	}
	b.low, b.last, b.previous = low, last, slot
	if slot < b.base {
		// Twice as many at least, so that slots in descending order are not moved
		// again and again.
		more := min(max(b.base-slot, uint64(len(b.leaders))), b.base)
		b.base -= more
		b.leaders = padded(b.leaders, more, 0)
		if b.votes != nil {
			b.votes = padded(b.votes, more, 0)
		}
	}
	for uint64(len(b.leaders)) <= slot-b.base {
		b.leaders = append(b.leaders, None)
		if b.votes != nil {
			b.votes = append(b.votes, None)
		}
	}
	return nil
}

// cover makes the schedule end no earlier than at an index.
func (b *builder) cover(slots uint64) error {
	if slots == 0 {
		return nil
	}
	if err := checkSpan(slots, b.listed); err != nil {
		return err
	}
	listed := b.listed
	err := b.reach(slots - 1)
	b.listed = listed
	return err
}

// finish returns the schedule. The builder is not to be used any more.
func (b *builder) finish() *Observed {
	if b.listed == 0 && len(b.leaders) == 0 {
		return &Observed{AtStart: b.fromZero, Partial: true}
	}
	skip := b.low - b.base
	o := &Observed{Leaders: slices.Clone(b.leaders[skip:]), AtStart: b.fromZero}
	if b.votes != nil {
		o.Votes = slices.Clone(b.votes[skip:])
	}
	o.Slots = uint64(len(o.Leaders))
	if !b.fromZero {
		first := schedule.Slot(b.low)
		o.FirstSlot = &first
	}
	b.renumber(o)
	o.Partial = o.partial()
	return o
}

// renumber numbers the keys of o in the order in which slots name them.
func (b *builder) renumber(o *Observed) {
	numbers := nones(uint64(len(b.keys)))
	change := func(at *uint32) {
		if *at == None {
			return
		}
		n := &numbers[*at]
		if *n == None {
			*n = uint32(len(o.Keys))
			o.Keys = append(o.Keys, b.keys[*at])
		}
		*at = *n
	}
	for i := range o.Leaders {
		change(&o.Leaders[i])
		if o.Votes != nil {
			change(&o.Votes[i])
		}
	}
}
