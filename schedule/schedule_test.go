package schedule

import (
	"crypto/sha256"
	"maps"
	"math"
	"slices"
	"testing"
	"unsafe"

	"pgregory.net/rapid"
)

// Every lookup agrees with the reference, slot by slot.
func TestScheduleReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		entries, keying, p := drawEntries(t), drawKeying(t), drawParams(t)
		ref := refDerive(entries, keying, p)
		s := mustDerive(t, mustStakes(t, entries, keying), p)
		checkNumbers(t, s, p)
		checkLookups(t, s, ref)
		checkIterators(t, s, ref)
		checkSlotsOf(t, s, ref)
		checkNext(t, s, ref)
		if s.Digest() != sha256.Sum256(concat(ref.leaders())) {
			t.Fatal("wrong digest")
		}
	})
}

func checkNumbers(t *rapid.T, s *Schedule, p Params) {
	repeat := p.Repeat
	if repeat == 0 {
		repeat = 4
	}
	rotations := (int(p.Slots) + repeat - 1) / repeat
	if s.Epoch() != p.Epoch || s.FirstSlot() != p.FirstSlot || s.Slots() != p.Slots || s.Repeat() != repeat || s.Rotations() != rotations {
		t.Fatalf("epoch %d, %d slots from %d, %d rotations of %d; want %+v", s.Epoch(), s.Slots(), s.FirstSlot(), s.Rotations(), s.Repeat(), p)
	}
}

func checkLookups(t *rapid.T, s *Schedule, ref refSchedule) {
	byVote := s.Stakes().Keying() == KeyedByVote
	for i, want := range ref.ranks {
		slot := s.FirstSlot() + Slot(i)
		rank, ok1 := s.Rank(Index(i))
		leader, ok2 := s.Leader(Index(i))
		leaderAt, ok3 := s.LeaderAt(slot)
		if !ok1 || !ok2 || !ok3 || rank != want || leader != ref.entries[want].node || leaderAt != leader {
			t.Fatalf("index %d: rank %d, leader %v and %v; want rank %d", i, rank, leader, leaderAt, want)
		}
		vote, ok1 := s.Vote(Index(i))
		voteAt, ok2 := s.VoteAt(slot)
		if ok1 != byVote || ok2 != byVote || vote != voteAt || byVote && vote != ref.entries[want].key {
			t.Fatalf("index %d: vote account %v, %v and %v, %v", i, vote, ok1, voteAt, ok2)
		}
	}
}

func checkIterators(t *rapid.T, s *Schedule, ref refSchedule) {
	next := s.FirstSlot()
	leaders := ref.leaders()
	for slot, leader := range s.All() {
		if slot != next || leader != leaders[slot-s.FirstSlot()] {
			t.Fatalf("All yields %d, %v; want slot %d", slot, leader, next)
		}
		next++
	}
	if next != s.FirstSlot()+Slot(s.Slots()) {
		t.Fatalf("All ends before slot %d", next)
	}
	rotations := 0
	for rotation, rank := range s.Ranks() {
		if rotation != rotations || rank != ref.ranks[rotation*s.Repeat()] {
			t.Fatalf("Ranks yields %d, %d", rotation, rank)
		}
		rotations++
	}
	if rotations != s.Rotations() {
		t.Fatalf("Ranks yields %d of %d rotations", rotations, s.Rotations())
	}
}

func checkSlotsOf(t *rapid.T, s *Schedule, ref refSchedule) {
	slots, byVote := map[Pubkey][]Slot{}, map[Pubkey][]Slot{}
	indices := map[string][]Index{}
	for i, rank := range ref.ranks {
		e := ref.entries[rank]
		slots[e.node] = append(slots[e.node], s.FirstSlot()+Slot(i))
		byVote[e.key] = append(byVote[e.key], s.FirstSlot()+Slot(i))
		indices[e.node.String()] = append(indices[e.node.String()], Index(i))
	}
	if s.Stakes().Keying() != KeyedByVote {
		clear(byVote)
	}
	for _, e := range append(ref.entries, refEntry{key: testKey(777), node: testKey(888)}) {
		if got := slices.Collect(s.SlotsOf(e.node)); !slices.Equal(got, slots[e.node]) {
			t.Fatalf("%v leads %v, want %v", e.node, got, slots[e.node])
		}
		if got := slices.Collect(s.SlotsOfVote(e.key)); !slices.Equal(got, byVote[e.key]) {
			t.Fatalf("vote account %v has %v, want %v", e.key, got, byVote[e.key])
		}
	}
	texts := slices.Sorted(maps.Keys(indices))
	for leader, got := range s.Leaders() {
		if len(texts) == 0 || leader.String() != texts[0] {
			t.Fatalf("Leaders yields %v, still missing %v", leader, texts)
		}
		if list := slices.Collect(got); !slices.Equal(list, indices[texts[0]]) {
			t.Fatalf("Leaders yields %v with %v, want %v", leader, list, indices[texts[0]])
		}
		texts = texts[1:]
	}
	if len(texts) > 0 {
		t.Fatalf("Leaders does not yield %v", texts)
	}
}

func checkNext(t *rapid.T, s *Schedule, ref refSchedule) {
	who := rapid.SampledFrom(append(ref.leaders(), testKey(888))).Draw(t, "who")
	from := s.FirstSlot() + Slot(rapid.Uint64Range(0, s.Slots()+5).Draw(t, "from")) - Slot(rapid.Uint64Range(0, 9).Draw(t, "before"))
	if s.FirstSlot() < 9 {
		from = s.FirstSlot()
	}
	n := rapid.IntRange(-1, 30).Draw(t, "n")
	want := []Slot{7}
	for slot, leader := range s.All() {
		if leader == who && slot >= from && len(want)-1 < n {
			want = append(want, slot)
		}
	}
	if got := s.NextLeaderSlots([]Slot{7}, who, from, n); !slices.Equal(got, want) {
		t.Fatalf("next %d slots of %v from %d: got %v, want %v", n, who, from, got, want)
	}
}

// Slots outside the epoch have no leader, on both sides and at both ends of the
// numbers.
func TestScheduleOutside(t *testing.T) {
	st := mustStakes(t, []Entry{{Key: testKey(1), Stake: 1}}, KeyedByVote)
	for _, p := range []Params{
		{FirstSlot: 0, Slots: 10},
		{FirstSlot: 100, Slots: 10, Repeat: 3},
		{FirstSlot: math.MaxUint64 - 9, Slots: 10},
	} {
		s := mustDerive(t, st, p)
		end := p.FirstSlot + 10
		for _, slot := range []Slot{p.FirstSlot - 1, end, end + 1, end + 50, p.FirstSlot - 5, p.FirstSlot + 1<<63} {
			_, ok1 := s.LeaderAt(slot)
			_, ok2 := s.VoteAt(slot)
			if ok1 || ok2 {
				t.Errorf("%+v: slot %d has a leader", p, slot)
			}
		}
		for _, i := range []Index{10, 11, 1 << 32, 1 << 63, math.MaxUint64} {
			_, ok1 := s.Rank(i)
			_, ok2 := s.Leader(i)
			_, ok3 := s.Vote(i)
			if ok1 || ok2 || ok3 {
				t.Errorf("%+v: index %d has a leader", p, i)
			}
		}
		if _, ok := s.LeaderAt(p.FirstSlot + 9); !ok {
			t.Errorf("%+v: the last slot has no leader", p)
		}
	}
	s := mustDerive(t, st, Params{FirstSlot: 100, Slots: 10})
	equalSlices(t, "from before the epoch", s.NextLeaderSlots(nil, testKey(1), 3, 2), []Slot{100, 101})
	equalSlices(t, "from after the epoch", s.NextLeaderSlots(nil, testKey(1), 110, 2), nil)
	equalSlices(t, "from the last slot", s.NextLeaderSlots(nil, testKey(1), 109, math.MaxInt), []Slot{109})
}

// Iterators stop when their loop does, and can be run again.
func TestIteratorsStop(t *testing.T) {
	st := mustStakes(t, []Entry{{Key: testKey(1), Stake: 1}, {Key: testKey(2), Stake: 1}}, KeyedByVote)
	s := mustDerive(t, st, Params{Slots: 100})
	slotsOf, ofVote, leaders := s.SlotsOf(testKey(1)), s.SlotsOfVote(testKey(1)), s.Leaders()
	for range 2 {
		n := 0
		for range slotsOf {
			n++
			break
		}
		for range ofVote {
			n++
			break
		}
		for _, indices := range leaders {
			for range indices {
				n++
				break
			}
			n++
			break
		}
		for range s.All() {
			n++
			break
		}
		for range s.Ranks() {
			n++
			break
		}
		for range st.All() {
			n++
			break
		}
		if n != 7 {
			t.Fatalf("%d loops ran", n)
		}
	}
}

// Permuting the list, and adding rows without stake, changes nothing.
func TestScheduleOrderOfInput(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		entries, keying, p := drawEntries(t), drawKeying(t), drawParams(t)
		want := mustDerive(t, mustStakes(t, entries, keying), p)
		padded := slices.Clone(entries)
		for i := range rapid.IntRange(0, 9).Draw(t, "zeros") {
			padded = append(padded, Entry{Key: testKey(500 + i)})
		}
		got := mustDerive(t, mustStakes(t, rapid.Permutation(padded).Draw(t, "permuted"), keying), p)
		if got.Digest() != want.Digest() {
			t.Fatal("the schedule depends on the order of the list")
		}
	})
}

// mainnetLike returns a list of n entries with steeply falling stakes, not in
// order.
func mainnetLike(n int) []Entry {
	entries := make([]Entry, n)
	for i := range entries {
		at := i * 7919 % n // 7919 is prime and divides no n that is used here
		entries[at] = Entry{Key: testKey(i), Node: testKey(100_000 + i), Stake: 10_000_000_000_000_000 / uint64(i+1)}
	}
	return entries
}

// A mainnet epoch takes 216 KB beside its stake list, and its list 72 bytes an
// entry.
func TestScheduleMemory(t *testing.T) {
	st := mustStakes(t, mainnetLike(1500), KeyedByVote)
	s := mustDerive(t, st, Params{Slots: 432_000})
	if size := s.size(); size > 216_000+512 {
		t.Errorf("%d bytes a schedule", size)
	}
	if s.Stakes() != st {
		t.Error("the stake list is copied")
	}
	if size := cap(st.keys)*32 + cap(st.nodes)*32 + cap(st.stakes)*8; size > 1500*72 {
		t.Errorf("%d bytes a stake list", size)
	}
	s.slotIndex()
	if ids := st.identities(); ids.of != nil || ids.first != nil {
		t.Error("numbers are kept for identities that are all different")
	}
	if size := 4 * (cap(s.index.starts) + cap(s.index.rotations)); size > 4*(108_000+1501) {
		t.Errorf("%d bytes an index", size)
	}
}

// size returns the bytes of s without its stake list and index.
func (s *Schedule) size() int {
	return int(unsafe.Sizeof(*s)) + 2*cap(s.ranks16) + 4*cap(s.ranks32)
}

func TestLookupsDoNotAllocate(t *testing.T) {
	s := mustDerive(t, mustStakes(t, mainnetLike(100), KeyedByVote), Params{FirstSlot: 1000, Slots: 5000})
	who, dst := testKey(100_000), make([]Slot, 0, 50)
	for name, lookup := range map[string]func(){
		"Rank":            func() { s.Rank(77) },
		"LeaderAt":        func() { s.LeaderAt(1077) },
		"VoteAt":          func() { s.VoteAt(1077) },
		"NextLeaderSlots": func() { dst = s.NextLeaderSlots(dst[:0], who, 2000, 50) },
	} {
		lookup()
		if n := testing.AllocsPerRun(100, lookup); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
	if len(dst) != 50 {
		t.Errorf("%d slots", len(dst))
	}
}
