package schedule

import (
	"encoding/binary"
	"fmt"
	"iter"
	"slices"
)

// Ranks yields every rotation and the rank that leads it, in order.
func (s *Schedule) Ranks() iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		for r := range s.Rotations() {
			if !yield(r, s.rank(r)) {
				return
			}
		}
	}
}

// FromRanks returns the schedule of ranks that somebody else drew, one a
// rotation: a file, or a device. It keeps ranks where they are of the width that
// a schedule has (see [RankSize]) and copies them otherwise. That they are those
// of the epoch is not checked.
//
// The error is ErrRanks when their number is not that of p's rotations or one is
// not in the list, and otherwise one of Derive's.
func FromRanks[R uint16 | uint32](st *Stakes, p Params, ranks []R) (*Schedule, error) {
	if st == nil || st.Len() == 0 {
		return nil, fmt.Errorf("%w: the stake list is empty", ErrNoStake)
	}
	n, repeat, err := p.rotations()
	if err != nil {
		return nil, err
	}
	if len(ranks) != n {
		return nil, fmt.Errorf("epoch %d: %w: %d of them, want %d for %d slots in rotations of %d",
			p.Epoch, ErrRanks, len(ranks), n, p.Slots, repeat)
	}
	for r, rank := range ranks {
		if uint64(rank) >= uint64(st.Len()) {
			return nil, fmt.Errorf("epoch %d: %w: rotation %d has rank %d, the list %d entries",
				p.Epoch, ErrRanks, r, rank, st.Len())
		}
	}
	s := new(Schedule)
	if RankSize(st.Len()) == 2 {
		s.ranks16 = ranksAs[uint16](ranks)
	} else {
		s.ranks32 = ranksAs[uint32](ranks)
	}
	s.reset(st, p, repeat, n)
	return s, nil
}

// ranksAs returns ranks, which fit, as elements of type T.
func ranksAs[T, R uint16 | uint32](ranks []R) []T {
	if same, ok := any(ranks).([]T); ok {
		return same
	}
	as := make([]T, len(ranks))
	for i, rank := range ranks {
		as[i] = T(rank)
	}
	return as
}

// RankSize returns how many bytes a rank takes in a list of n entries: 2 up to
// 65,536 entries, otherwise 4.
func RankSize(n int) int {
	if n <= maxRank16 {
		return 2
	}
	return 4
}

// AppendRanks appends the rank of every rotation to b, each in [RankSize] bytes,
// little-endian.
func (s *Schedule) AppendRanks(b []byte) []byte {
	if s.ranks16 != nil {
		b = slices.Grow(b, 2*len(s.ranks16))
		for _, rank := range s.ranks16 {
			b = binary.LittleEndian.AppendUint16(b, rank)
		}
		return b
	}
	b = slices.Grow(b, 4*len(s.ranks32))
	for _, rank := range s.ranks32 {
		b = binary.LittleEndian.AppendUint32(b, rank)
	}
	return b
}

// CountRotations returns how many rotations every rank leads, in the memory of
// counts if that is enough.
func (s *Schedule) CountRotations(counts []uint32) []uint32 {
	if s.stakes == nil {
		return counts[:0]
	}
	counts = resize(counts, s.stakes.Len())
	clear(counts)
	for _, rank := range s.ranks16 {
		counts[rank]++
	}
	for _, rank := range s.ranks32 {
		counts[rank]++
	}
	return counts
}

// Clone returns a copy of s that shares nothing with it but the stake list: for
// a schedule whose memory is about to be used again, see [Deriver.DeriveInto].
func (s *Schedule) Clone() *Schedule {
	return &Schedule{
		stakes: s.stakes, epoch: s.epoch, first: s.first, slots: s.slots, repeat: s.repeat, shift: s.shift,
		ranks16: slices.Clone(s.ranks16), ranks32: slices.Clone(s.ranks32),
	}
}
