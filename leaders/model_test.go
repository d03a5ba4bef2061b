package leaders

import (
	"iter"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
)

type fataler interface {
	Helper()
	Fatal(args ...any)
}

// identity and vote number the keys of tests. Vote accounts 2n and 2n+1 have
// identity n.
func identity(n int) Key { return Identity(schedule.Pubkey{'i', byte(n)}) }
func vote(n int) Key     { return Vote(schedule.Pubkey{'v', byte(n)}) }

func mustEpochs(t fataler, slots uint64, warmup bool) schedule.EpochSchedule {
	t.Helper()
	es, err := schedule.NewEpochSchedule(slots, slots, warmup)
	if err != nil {
		t.Fatal(err)
	}
	return es
}

// voters returns the entries of vote accounts 0, 1 and so on.
func voters(stakes ...uint64) []schedule.Entry {
	var entries []schedule.Entry
	for n, stake := range stakes {
		entries = append(entries, schedule.Entry{Key: vote(n).Pubkey, Node: identity(n / 2).Pubkey, Stake: stake})
	}
	return entries
}

func mustDerive(t fataler, es schedule.EpochSchedule, epoch uint64, k schedule.Keying, repeat int, entries []schedule.Entry) *schedule.Schedule {
	t.Helper()
	st, err := schedule.NewStakes(entries, k)
	if err != nil {
		t.Fatal(err)
	}
	s, err := schedule.Derive(st, schedule.Params{Epoch: epoch, FirstSlot: es.FirstSlot(epoch), Slots: es.SlotsIn(epoch), Repeat: repeat})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A page is one epoch of a model: what is known of a key and a slot.
type page struct {
	Held
	state func(Key, schedule.Slot) kind
}

// A grid is a source that knows the vote account of every slot; -1 is a gap. With
// only, other leaders than those identities are hidden.
type grid struct {
	epoch   uint64
	first   schedule.Slot
	votes   []int
	only    map[int]bool
	noVotes bool // tells identities alone
	split   bool // runs of one slot
}

func (g *grid) Epoch() uint64                { return g.epoch }
func (g *grid) FirstSlot() schedule.Slot     { return g.first }
func (g *grid) Slots() uint64                { return uint64(len(g.votes)) }
func (g *grid) Staked(Key) (staked, ok bool) { return false, false }

func (g *grid) state(key Key, slot schedule.Slot) kind {
	v := g.votes[slot-g.first]
	switch {
	case g.noVotes && key.Vote, v < 0:
		return unknown
	case g.only != nil && !g.only[v/2]:
		n := int(key.Pubkey[1])
		if key.Vote {
			n /= 2
		}
		if g.only[n] {
			return quiet
		}
		return unknown
	case key == vote(v), key == identity(v/2):
		return led
	}
	return quiet
}

func (g *grid) Runs(key Key, from schedule.Slot) iter.Seq[Run] {
	return func(yield func(Run) bool) {
		end := g.first + schedule.Slot(len(g.votes))
		for slot := max(from, g.first); slot < end; slot++ {
			first, k := slot, g.state(key, slot)
			for !g.split && slot+1 < end && g.state(key, slot+1) == k {
				slot++
			}
			r := Run{First: first, Last: slot}
			if k == unknown {
				r.Unknown = "hidden"
			}
			if k != quiet && !yield(r) {
				return
			}
		}
	}
}

// A model answers slot by slot.
type model struct {
	es    schedule.EpochSchedule
	pages map[uint64]page
}

func (m *model) at(keys []Key, slot schedule.Slot) (k kind, key int) {
	epoch, _ := m.es.EpochOf(slot)
	p, ok := m.pages[epoch]
	if !ok {
		return unknown, -1
	}
	k, key = quiet, -1
	for i, one := range keys {
		switch p.state(one, slot) {
		case led:
			return led, i
		case unknown:
			if k == quiet {
				k, key = unknown, i
			}
		}
	}
	return k, key
}

// spans cuts the slots from from on, up to the first that is unknown, into spans
// of equal keys; -1 is quiet.
func (m *model) spans(keys []Key, from schedule.Slot) (spans []Span, who []int, end schedule.Slot) {
	slot := from
	for ; ; slot++ {
		k, key := m.at(keys, slot)
		epoch, _ := m.es.EpochOf(slot)
		n := len(spans)
		if k == unknown {
			if n > 0 {
				spans[n-1].AtLeast = true
			}
			return spans, who, slot
		}
		vintage := m.pages[epoch].Label.Vintage
		if n == 0 || who[n-1] != key {
			spans = append(spans, Span{First: slot, Epoch: epoch, Current: slot == from, Vintage: vintage})
			who = append(who, key)
			n++
		}
		s := &spans[n-1]
		s.Last, s.LastEpoch, s.Slots = slot, epoch, s.Slots+1
		rank := map[list.Vintage]int{list.VintageExact: 0, list.VintageUnknown: 1, list.VintageApproximate: 2}
		if rank[vintage] > rank[s.Vintage] {
			s.Vintage = vintage
		}
	}
}

func (m *model) book(t fataler) *Book {
	t.Helper()
	var held []Held
	for _, p := range m.pages {
		held = append(held, p.Held)
	}
	b, err := New(m.es, held...)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
