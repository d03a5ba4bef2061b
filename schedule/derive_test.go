package schedule

import (
	"crypto/sha256"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/mr-tron/base58"
	"pgregory.net/rapid"

	"github.com/schedgen/schedgen/chacha20rng"
)

// leaderNumbers gives the leader of every slot as a position in keys.
func leaderNumbers(s *Schedule, keys []Pubkey) []int {
	var numbers []int
	for _, leader := range s.All() {
		numbers = append(numbers, slices.Index(keys, leader))
	}
	return numbers
}

// Check values of Agave's tests: three stakes, no ties.
func TestDeriveThreeStakes(t *testing.T) {
	keys := []Pubkey{testKey(0), testKey(1), testKey(2)}
	st := mustStakes(t, []Entry{{Key: keys[0], Stake: 10}, {Key: keys[1], Stake: 20}, {Key: keys[2], Stake: 30}}, KeyedByVote)
	for repeat, want := range map[int][]int{
		1: {1, 1, 2, 1, 1, 0, 0, 1, 2, 1, 0, 1},
		2: {1, 1, 1, 1, 2, 2, 1, 1, 1, 1, 0, 0},
	} {
		s := mustDerive(t, st, Params{Epoch: 1, Slots: 12, Repeat: repeat})
		equalSlices(t, "leaders", leaderNumbers(s, keys), want)
	}
}

// Check values of Agave's tests: 65,536 keys with stake i^p.
func TestDerive65536Keys(t *testing.T) {
	for _, c := range []struct {
		epoch, slots uint64
		power        int
		want         string
	}{
		{42, 10000, 3, "2oLjZggMwDTQhzdB4KN5VQisyeRw6MZbBBdjosNZK5xR"},
		{454357, 10000, 3, "E9XL5BLhCJ4Emyfs8jTUsQetfA8QZj78LcnN63dPp7jJ"},
		{42, 1000, 0, "4XU6LEarBUmBkAvXRsjeyLu3N8CcgrvbRFrNiJi2jECk"},
	} {
		entries := make([]Entry, 1<<16)
		for i := range entries {
			stake := uint64(1)
			for range c.power {
				stake *= uint64(i)
			}
			entries[i] = Entry{Key: Pubkey{byte(i), byte(i >> 8)}, Stake: stake}
		}
		s := mustDerive(t, mustStakes(t, entries, KeyedByVote), Params{Epoch: c.epoch, Slots: c.slots, Repeat: 1})
		digest := s.Digest()
		if got := base58.Encode(digest[:]); got != c.want {
			t.Errorf("epoch %d, %d slots, stakes i^%d: got %s, want %s", c.epoch, c.slots, c.power, got, c.want)
		}
	}
}

// A draw that equals a cumulative stake belongs to the next entry: epoch 0 of
// these stakes first draws 563.
func TestDeriveBoundaryDraw(t *testing.T) {
	keys := []Pubkey{testKey(1), testKey(2)}
	st := mustStakes(t, []Entry{{Key: keys[0], Stake: 563}, {Key: keys[1], Stake: 437}}, KeyedByVote)
	s := mustDerive(t, st, Params{Slots: 16})
	equalSlices(t, "leaders", leaderNumbers(s, keys), []int{1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1})
}

func TestDeriveErrors(t *testing.T) {
	st := mustStakes(t, []Entry{{Key: testKey(1), Stake: 1}}, KeyedByVote)
	for _, c := range []struct {
		name string
		st   *Stakes
		p    Params
		is   error
		says string
	}{
		{"nil", nil, Params{Slots: 4}, ErrNoStake, "empty"},
		{"zero value", new(Stakes), Params{Slots: 4}, ErrNoStake, "empty"},
		{"no slots", st, Params{Epoch: 8}, ErrSlots, "epoch 8 has 0"},
		{"one slot too many", st, Params{FirstSlot: math.MaxUint64 - 7, Slots: 9}, ErrSlots, "9 slots from slot 18446744073709551608"},
		{"far too many", st, Params{FirstSlot: 2, Slots: math.MaxUint64}, ErrSlots, "past slot"},
		{"rotations", st, Params{Slots: 4*MaxRotations + 1}, ErrSlots, "268435457 rotations, at most 268435456"},
		{"all slots", st, Params{Slots: math.MaxUint64, Repeat: 1}, ErrSlots, "rotations of 1"},
		{"repeat", st, Params{Slots: 4, Repeat: -1}, ErrRepeat, "-1"},
	} {
		s, err := Derive(c.st, c.p)
		if !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.says) || s != nil {
			t.Errorf("%s: got %v, %v, want %v saying %q", c.name, s, err, c.is, c.says)
		}
	}
	if s, err := Derive(st, Params{Slots: 4, Backend: "abacus"}); err == nil || !strings.Contains(err.Error(), "abacus") || s != nil {
		t.Errorf("unknown backend: got %v, %v", s, err)
	}
}

// MaxRotations itself is allowed.
func TestMostRotations(t *testing.T) {
	n, repeat, err := Params{Slots: 4 * MaxRotations}.rotations()
	if n != MaxRotations || repeat != 4 || err != nil {
		t.Errorf("got %d rotations of %d, %v", n, repeat, err)
	}
}

// The last slot number can be used, and a rotation may be longer than an epoch.
func TestDeriveLastSlot(t *testing.T) {
	st := mustStakes(t, []Entry{{Key: testKey(1), Stake: 1}}, KeyedByVote)
	s := mustDerive(t, st, Params{FirstSlot: math.MaxUint64 - 9, Slots: 10, Repeat: math.MaxInt})
	if s.Rotations() != 1 || s.Repeat() != math.MaxInt {
		t.Errorf("%d rotations of %d", s.Rotations(), s.Repeat())
	}
	slots := slices.Collect(s.SlotsOf(testKey(1)))
	if len(slots) != 10 || slots[0] != math.MaxUint64-9 || slots[9] != math.MaxUint64 {
		t.Errorf("got %d slots: %v", len(slots), slots)
	}
	if leader, ok := s.LeaderAt(math.MaxUint64); !ok || leader != testKey(1) {
		t.Errorf("last slot: %v, %v", leader, ok)
	}
	if _, ok := s.LeaderAt(0); ok {
		t.Error("slot 0 is taken for one after the last")
	}
}

// Every backend gives the reference schedule.
func TestDeriveReference(t *testing.T) {
	backends := append(chacha20rng.Backends(), "")
	rapid.Check(t, func(t *rapid.T) {
		entries, keying, p := drawEntries(t), drawKeying(t), drawParams(t)
		want := refDerive(entries, keying, p)
		st := mustStakes(t, rapid.Permutation(entries).Draw(t, "permuted"), keying)
		for _, p.Backend = range backends {
			s := mustDerive(t, st, p)
			if got := expand(s); !slices.Equal(got, want.leaders()) {
				t.Fatalf("backend %q: got %v, want %v", p.Backend, got, want.leaders())
			}
		}
	})
}

// Identity keying is vote keying of a list added up by hand.
func TestDeriveIdentitySums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		entries, p := drawEntries(t), drawParams(t)
		sums := map[Pubkey]uint64{}
		for _, e := range entries {
			node := e.Node
			if node.IsZero() {
				node = e.Key
			}
			sums[node] += e.Stake
		}
		var byHand []Entry
		for node, stake := range sums {
			byHand = append(byHand, Entry{Key: node, Stake: stake})
		}
		a := mustDerive(t, mustStakes(t, entries, KeyedByIdentity), p)
		b := mustDerive(t, mustStakes(t, byHand, KeyedByVote), p)
		if a.Digest() != b.Digest() {
			t.Fatal("identity keying differs from the sums by hand")
		}
	})
}

// Lists of more than 65,536 entries take ranks of 32 bits.
func TestDeriveLongList(t *testing.T) {
	for _, n := range []int{1 << 16, 1<<16 + 1} {
		entries := make([]Entry, n)
		for i := range entries {
			entries[i] = Entry{Key: testKey(i), Node: testKey(i / 2), Stake: 1 + uint64(i%3)}
		}
		p := Params{Epoch: 3, Slots: 2000, Repeat: 3}
		st := mustStakes(t, entries, KeyedByVote)
		s := mustDerive(t, st, p)
		if long := s.ranks32 != nil; long != (n > 1<<16) {
			t.Fatalf("%d entries: ranks of 32 bits: %v", n, long)
		}
		want := refDerive(entries, KeyedByVote, p)
		for i, rank := range want.ranks {
			got, ok := s.Rank(Index(i))
			leader, _ := s.Leader(Index(i))
			if !ok || got != rank || leader != want.entries[rank].node {
				t.Fatalf("%d entries, slot %d: got rank %d, want %d", n, i, got, rank)
			}
		}
		if s.Digest() != sha256.Sum256(concat(want.leaders())) {
			t.Errorf("%d entries: wrong digest", n)
		}
	}
}

func concat(keys []Pubkey) []byte {
	var b []byte
	for _, k := range keys {
		b = append(b, k[:]...)
	}
	return b
}
