package schedule

import (
	"iter"
	"math/bits"
	"sync"
)

// Schedule is the leader schedule of one epoch. It never changes and may be
// used from many goroutines; pass it by pointer.
//
// Memory: one rank a rotation, of 2 bytes for lists of up to 65,536 entries and
// of 4 bytes for longer ones, beside the stake list that it shares: 216 KB for
// 432,000 slots. The first question about the slots of one identity builds an
// index of 4 bytes a rotation.
type Schedule struct {
	stakes *Stakes
	epoch  uint64
	first  Slot
	slots  uint64
	repeat uint64
	shift  uint8 // log2 of repeat, or noShift

	// Rank by rotation; the other one is nil.
	ranks16 []uint16
	ranks32 []uint32

	indexOnce  sync.Once
	index      slotIndex
	byTextOnce sync.Once
	byText     []uint32 // numbers of the identities that lead, by their text
}

const noShift = 64 // repeat is no power of two

// reset makes s a schedule of n rotations without its ranks, in the memory that
// it has. No one else may be using it.
func (s *Schedule) reset(st *Stakes, p Params, repeat uint64, n int) {
	s.stakes, s.epoch, s.first, s.slots = st, p.Epoch, p.FirstSlot, p.Slots
	s.repeat, s.shift = repeat, noShift
	if repeat&(repeat-1) == 0 {
		s.shift = uint8(bits.TrailingZeros64(repeat))
	}
	s.indexOnce, s.byTextOnce = sync.Once{}, sync.Once{}
	if st.Len() > maxRank16 {
		s.ranks16, s.ranks32 = nil, resize(s.ranks32, n)
	} else {
		s.ranks16, s.ranks32 = resize(s.ranks16, n), nil
	}
}

// resize returns a slice of n elements of any value, in the memory of s if that
// is enough.
func resize[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:n]
	}
	return make([]T, n)
}

// Epoch returns the number of the epoch.
func (s *Schedule) Epoch() uint64 { return s.epoch }

// FirstSlot returns the first slot of the epoch.
func (s *Schedule) FirstSlot() Slot { return s.first }

// Slots returns the number of slots in the epoch.
func (s *Schedule) Slots() uint64 { return s.slots }

// Repeat returns the number of slots in a rotation; the last one may be
// shorter.
func (s *Schedule) Repeat() int { return int(s.repeat) }

// Rotations returns the number of rotations.
func (s *Schedule) Rotations() int {
	if s.ranks16 != nil {
		return len(s.ranks16)
	}
	return len(s.ranks32)
}

// Stakes returns the stake list that the schedule was derived from.
func (s *Schedule) Stakes() *Stakes { return s.stakes }

// rank returns the rank that leads a rotation.
func (s *Schedule) rank(rotation int) int {
	if s.ranks16 != nil {
		return int(s.ranks16[rotation])
	}
	return int(s.ranks32[rotation])
}

// rotation returns the rotation of an index within the epoch.
func (s *Schedule) rotation(i Index) int {
	if s.shift < noShift {
		return int(uint64(i) >> s.shift)
	}
	return int(uint64(i) / s.repeat)
}

// span returns the indices [start, end) of a rotation.
func (s *Schedule) span(rotation int) (start, end Index) {
	from := uint64(rotation) * s.repeat
	return Index(from), Index(from + min(s.repeat, s.slots-from))
}

// at returns the index of a slot; an index outside the epoch when the slot is.
// A slot before the first one wraps around to an index past the last, because
// first + slots is at most 2^64.
func (s *Schedule) at(slot Slot) Index { return Index(slot - s.first) }

// Rank returns the position in the stake list of the entry that leads a slot;
// false when the epoch does not have that index.
func (s *Schedule) Rank(i Index) (int, bool) {
	if uint64(i) >= s.slots {
		return 0, false
	}
	return s.rank(s.rotation(i)), true
}

// Leader returns the identity that leads a slot; false when the epoch does not
// have that index.
func (s *Schedule) Leader(i Index) (Pubkey, bool) {
	if uint64(i) >= s.slots {
		return Pubkey{}, false
	}
	return s.stakes.nodes[s.rank(s.rotation(i))], true
}

// Vote returns the vote account that a slot was drawn for; false when the epoch
// does not have that index, or when stakes are keyed by identity.
func (s *Schedule) Vote(i Index) (Pubkey, bool) {
	if uint64(i) >= s.slots || s.stakes.keying != KeyedByVote {
		return Pubkey{}, false
	}
	return s.stakes.keys[s.rank(s.rotation(i))], true
}

// LeaderAt is Leader for an absolute slot.
func (s *Schedule) LeaderAt(slot Slot) (Pubkey, bool) { return s.Leader(s.at(slot)) }

// VoteAt is Vote for an absolute slot.
func (s *Schedule) VoteAt(slot Slot) (Pubkey, bool) { return s.Vote(s.at(slot)) }

// All yields every slot and the identity that leads it, in order.
func (s *Schedule) All() iter.Seq2[Slot, Pubkey] {
	return func(yield func(Slot, Pubkey) bool) {
		for r := range s.Rotations() {
			leader := s.stakes.nodes[s.rank(r)]
			for i, end := s.span(r); i < end; i++ {
				if !yield(s.first+Slot(i), leader) {
					return
				}
			}
		}
	}
}
