package schedule

import (
	"cmp"
	"iter"
	"slices"
	"sort"
)

// slotIndex lists the rotations of every identity: those of identity number n
// are rotations[starts[n]:starts[n+1]], ascending.
//
// Five rotations with the identities 1 0 1 1 0 give
//
//	starts    0 2 5
//	rotations 1 4 0 2 3
type slotIndex struct {
	starts    []uint32
	rotations []uint32
}

// slotIndex builds the index at its first call, by a counting sort: linear in
// the number of rotations and identities.
func (s *Schedule) slotIndex() *slotIndex {
	s.indexOnce.Do(func() { s.index = s.newIndex() })
	return &s.index
}

func (s *Schedule) newIndex() slotIndex {
	ids := s.stakes.identities()
	of := ids.of
	if of == nil {
		of = make([]uint32, ids.count)
		for rank := range of {
			of[rank] = uint32(rank)
		}
	}
	x := slotIndex{resize(s.index.starts, ids.count+1), resize(s.index.rotations, s.Rotations())}
	if s.ranks16 != nil {
		fillIndex(x, s.ranks16, of)
	} else {
		fillIndex(x, s.ranks32, of)
	}
	return x
}

// fillIndex sets x; of gives the number of an identity by rank.
func fillIndex[R uint16 | uint32](x slotIndex, ranks []R, of []uint32) {
	// Number n counts in next[n], starts where those before it end, and has its
	// end there once its rotations are placed: the start of the one behind it.
	clear(x.starts)
	next := x.starts[1:]
	for _, rank := range ranks {
		next[of[rank]]++
	}
	var sum uint32
	for n, count := range next {
		next[n] = sum
		sum += count
	}
	for r, rank := range ranks {
		at := &next[of[rank]]
		x.rotations[*at] = uint32(r)
		*at++
	}
}

// of returns the rotations of an identity, ascending.
func (x *slotIndex) of(number int) []uint32 {
	return x.rotations[x.starts[number]:x.starts[number+1]]
}

// rotationsOf returns the rotations of an identity, ascending; nil for one that
// has no stake.
func (s *Schedule) rotationsOf(identity *Pubkey) []uint32 {
	number, ok := s.stakes.identities().table.find(identity)
	if !ok {
		return nil
	}
	return s.slotIndex().of(int(number))
}

// indices yields the slot indices of rotations.
func (s *Schedule) indices(rotations []uint32) iter.Seq[Index] {
	return func(yield func(Index) bool) {
		for _, r := range rotations {
			for i, end := s.span(int(r)); i < end; i++ {
				if !yield(i) {
					return
				}
			}
		}
	}
}

// SlotsOf yields the slots that an identity leads, ascending and over all of
// its vote accounts; none for an identity that is not in the stake list.
func (s *Schedule) SlotsOf(identity Pubkey) iter.Seq[Slot] {
	return func(yield func(Slot) bool) {
		for i := range s.indices(s.rotationsOf(&identity)) {
			if !yield(s.first + Slot(i)) {
				return
			}
		}
	}
}

// SlotsOfVote yields the slots that were drawn for a vote account, ascending;
// none when it is not in the stake list or stakes are keyed by identity.
func (s *Schedule) SlotsOfVote(vote Pubkey) iter.Seq[Slot] {
	return func(yield func(Slot) bool) {
		if s.stakes.keying != KeyedByVote {
			return
		}
		rank, ok := s.stakes.rankOfKey(&vote)
		if !ok {
			return
		}
		for _, r := range s.rotationsOf(&s.stakes.nodes[rank]) {
			if s.rank(int(r)) != rank {
				continue // another vote account of the same identity
			}
			for i, end := s.span(int(r)); i < end; i++ {
				if !yield(s.first + Slot(i)) {
					return
				}
			}
		}
	}
}

// Leaders yields the identities that lead at least one slot, in the byte order
// of their base58 text, each with its slot indices ascending.
func (s *Schedule) Leaders() iter.Seq2[Pubkey, iter.Seq[Index]] {
	return func(yield func(Pubkey, iter.Seq[Index]) bool) {
		s.byTextOnce.Do(func() { s.byText = s.leadersByText() })
		x, ids := s.slotIndex(), s.stakes.identities()
		for _, number := range s.byText {
			leader := s.stakes.nodes[ids.rank(int(number))]
			if !yield(leader, s.indices(x.of(int(number)))) {
				return
			}
		}
	}
}

func (s *Schedule) leadersByText() []uint32 {
	type leader struct {
		text   string
		number uint32
	}
	x, ids := s.slotIndex(), s.stakes.identities()
	var leaders []leader
	for number := range ids.count {
		if len(x.of(number)) > 0 {
			leaders = append(leaders, leader{s.stakes.nodes[ids.rank(number)].String(), uint32(number)})
		}
	}
	slices.SortFunc(leaders, func(a, b leader) int { return cmp.Compare(a.text, b.text) })
	numbers := make([]uint32, len(leaders))
	for i, l := range leaders {
		numbers[i] = l.number
	}
	return numbers
}

// NextLeaderSlots appends to dst the first n slots at or after from that an
// identity leads in this epoch, fewer when the epoch has no more, and returns
// the extended slice. It allocates nothing when dst has room.
func (s *Schedule) NextLeaderSlots(dst []Slot, identity Pubkey, from Slot, n int) []Slot {
	var least Index
	if from > s.first {
		if least = s.at(from); uint64(least) >= s.slots {
			return dst
		}
	}
	rotations := s.rotationsOf(&identity)
	first := uint32(s.rotation(least))
	skip := sort.Search(len(rotations), func(i int) bool { return rotations[i] >= first })
	for _, r := range rotations[skip:] {
		start, end := s.span(int(r))
		for i := max(start, least); i < end; i++ {
			if n <= 0 {
				return dst
			}
			dst = append(dst, s.first+Slot(i))
			n--
		}
	}
	return dst
}
