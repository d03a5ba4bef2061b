package leaders

import (
	"iter"
	"math"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
)

// What is known of a slot: that none of the keys leads it, that one of them does,
// or neither.
type kind uint8

const (
	quiet kind = iota
	led
	unknown
)

// A stretch is a range of slots of which the same is known.
type stretch struct {
	first, last      schedule.Slot
	kind             kind
	key              int    // place of the key that leads, or about which it is not known; -1: none
	why              string // it is not known
	epoch, lastEpoch uint64
	vintage          list.Vintage
	open             bool // what follows is not known
}

// stretches divides the slots from from on into the longest stretches, across
// epochs. The last one is unknown, or ends where slot numbers do; one that two
// keys lead belongs to the first.
//
// With epochs 7 and 8 held, six slots each, and the keys A and B:
//
//	epoch    777777888888
//	leader   ..AAAAAABB..
//	stretch  qqAAAAAABBqqu
//
// are quiet, led by A, led by B, quiet and open, unknown.
func (b *Book) stretches(keys []Key, from schedule.Slot) iter.Seq[stretch] {
	return func(yield func(stretch) bool) {
		var s stretch
		started := false
		for p := range b.pieces(keys, from) {
			switch {
			case !started:
				s, started = p, true
			case s.kind == p.kind && s.key == p.key:
				s.last, s.lastEpoch, s.vintage = p.last, p.lastEpoch, worse(s.vintage, p.vintage)
			default:
				s.open = p.kind == unknown
				if !yield(s) {
					return
				}
				s = p
			}
			if p.kind == unknown {
				break
			}
		}
		if started {
			yield(s)
		}
	}
}

// pieces yields stretches one after another, none across epochs, up to the first
// that is unknown.
func (b *Book) pieces(keys []Key, from schedule.Slot) iter.Seq[stretch] {
	return func(yield func(stretch) bool) {
		epoch, _ := b.es.EpochOf(from)
		for {
			h, ok := b.Get(epoch)
			if !ok || from < h.Source.FirstSlot() || from > h.last() {
				yield(stretch{first: from, last: from, kind: unknown, key: -1, why: notHeld, epoch: epoch, lastEpoch: epoch})
				return
			}
			for p := range overlay(h, keys, from) {
				if !yield(p) || p.kind == unknown {
					return
				}
			}
			if h.last() == math.MaxUint64 {
				return
			}
			from, epoch = h.last()+1, epoch+1
		}
	}
}

// worse returns the vintage of what rests on two schedules.
func worse(a, b list.Vintage) list.Vintage {
	switch {
	case a == b:
		return a
	case a == list.VintageApproximate || b == list.VintageApproximate:
		return list.VintageApproximate
	}
	return list.VintageUnknown
}
