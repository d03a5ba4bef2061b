package compare

import (
	"fmt"

	"github.com/schedgen/schedgen/schedule"
)

// Case is a schedule that [Explain] is to find in another way of deriving.
type Case struct {
	Entries []schedule.Entry // the list
	Keying  schedule.Keying
	Params  schedule.Params
	// Alternatives are other lists that the other side may have been made from:
	// those of the epochs around, with or without the admission of SIMD-0357.
	Alternatives []Alternative
	Other        Side // the schedule to explain
}

// Alternative is another list.
type Alternative struct {
	Name    string // completes "with the stakes ..." such as "of epoch 453"
	Entries []schedule.Entry
}

// maxExplained is how many slots of an epoch are looked at for an explanation.
const maxExplained = 1 << 20

// examiner is the work of Explain.
type examiner struct {
	c        Case
	lists    [][]schedule.Entry
	right    way
	slots    int // of the epoch, at most maxExplained
	ids      *numbers
	seen     observation
	evidence evidence
	arranged map[arrangement]*weights // nil where there can be none
	// arrangements are those in arranged, the oldest first.
	arrangements []arrangement
	streams      map[seeding]*stream
	alignment    Alignment
	tried        int // schedules that were derived and compared
}

// newExaminer checks a case.
func newExaminer(c Case) (*examiner, error) {
	if err := c.Params.Check(); err != nil {
		return nil, err
	}
	if c.Params.Repeat == 0 {
		c.Params.Repeat = schedule.DefaultRepeat
	}
	if err := c.Other.check(); err != nil {
		return nil, err
	}
	x := &examiner{
		c: c, lists: [][]schedule.Entry{c.Entries}, ids: &numbers{of: map[schedule.Pubkey]int32{}},
		arranged: map[arrangement]*weights{}, streams: map[seeding]*stream{},
		slots: int(min(c.Params.Slots, maxExplained)),
	}
	x.right.keying, x.right.repeat = c.Keying, uint64(c.Params.Repeat)
	if _, err := schedule.NewStakes(c.Entries, c.Keying); err != nil {
		return nil, err
	}
	for _, a := range c.Alternatives {
		if _, err := schedule.NewStakes(a.Entries, c.Keying); err != nil {
			return nil, fmt.Errorf("stakes %s: %w", a.Name, err)
		}
		x.lists = append(x.lists, a.Entries)
	}
	if c.Other.Leaders == nil {
		return nil, fmt.Errorf("%s: %w", c.Other.Name, ErrDigestOnly)
	}
	epoch, first := c.Params.Epoch, c.Params.FirstSlot
	ours := Side{Name: "the schedule", Leaders: noLeaders(c.Params.Slots), Epoch: &epoch, FirstSlot: &first}
	x.alignment = align(&ours, &c.Other)
	x.seen = observe(&c.Other, x.alignment.Offset, x.slots, x.ids)
	return x, nil
}

// noLeaders has slots and no leaders: what align needs.
type noLeaders uint64

func (n noLeaders) Slots() uint64                                   { return uint64(n) }
func (noLeaders) Leader(schedule.Index) (p schedule.Pubkey, _ bool) { return p, false }

// weights returns the weights of an arrangement; false when the list gives none.
func (x *examiner) weights(a arrangement) (*weights, bool) {
	w, done := x.arranged[a]
	if !done {
		var err error
		if w, err = arrange(x.lists[a.list], a, x.ids); err != nil {
			w = nil
		}
		x.arranged[a] = w
		x.arrangements = append(x.arrangements, a)
	}
	return w, w != nil
}

// whole reports whether all slots of the epoch are looked at.
func (x *examiner) whole() bool { return uint64(x.slots) == x.c.Params.Slots }

// forget drops all arrangements but the oldest.
func (x *examiner) forget(kept int) {
	for _, a := range x.arrangements[kept:] {
		delete(x.arranged, a)
	}
	x.arrangements = x.arrangements[:kept]
}

// stream returns the words of a seeding; false when there is no such epoch.
func (x *examiner) stream(s seeding) (*stream, bool) {
	st, done := x.streams[s]
	if !done {
		st, _ = newStream(x.c.Params.Epoch, s)
		x.streams[s] = st
	}
	return st, st != nil
}

// drawer returns a drawer of a way; false when there can be no such schedule.
func (x *examiner) drawer(y way) (d drawer, ok bool) {
	w, ok := x.weights(y.arrangement)
	if !ok {
		return d, false
	}
	words, ok := x.stream(y.seeding)
	if !ok {
		return d, false
	}
	return newDrawer(w, words, y.rolling)
}
