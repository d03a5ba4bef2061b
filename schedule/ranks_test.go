package schedule

import (
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Ranks that were written out make the schedule again.
func TestRanksRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		entries, keying, p := drawEntries(t), drawKeying(t), drawParams(t)
		st := mustStakes(t, entries, keying)
		s := mustDerive(t, st, p)
		b := s.AppendRanks([]byte("before"))
		if RankSize(st.Len()) != 2 || len(b) != 6+2*s.Rotations() || string(b[:6]) != "before" {
			t.Fatalf("%d bytes for %d rotations", len(b), s.Rotations())
		}
		var narrow []uint16
		var wide []uint32
		for b = b[6:]; len(b) > 0; b = b[2:] {
			narrow = append(narrow, binary.LittleEndian.Uint16(b))
			wide = append(wide, uint32(narrow[len(narrow)-1]))
		}
		a, err := FromRanks(st, p, narrow)
		if err != nil {
			t.Fatal(err)
		}
		wantSame(t, a, s)
		if a, err = FromRanks(st, p, wide); err != nil {
			t.Fatal(err)
		}
		wantSame(t, a, s)
		if a.ranks32 != nil {
			t.Fatal("ranks of 32 bits in a short list")
		}

		counts := make([]uint32, st.Len())
		for _, rank := range s.Ranks() {
			counts[rank]++
		}
		dirty := slices.Repeat([]uint32{9}, 100)
		if got := s.CountRotations(dirty); !slices.Equal(got, counts) || &got[0] != &dirty[0] {
			t.Fatalf("counts %v, want %v", got, counts)
		}
		if got := s.CountRotations(nil); !slices.Equal(got, counts) {
			t.Fatalf("counts %v, want %v", got, counts)
		}
	})
}

func TestRanksLongList(t *testing.T) {
	entries := make([]Entry, 1<<16+1)
	for i := range entries {
		entries[i] = Entry{Key: testKey(i), Stake: 1}
	}
	st, p := mustStakes(t, entries, KeyedByVote), Params{Epoch: 5, Slots: 1000, Repeat: 1}
	s := mustDerive(t, st, p)
	b := s.AppendRanks(nil)
	if RankSize(st.Len()) != 4 || len(b) != 4000 {
		t.Fatalf("%d bytes", len(b))
	}
	ranks := make([]uint32, 1000)
	for i := range ranks {
		ranks[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	again, err := FromRanks(st, p, ranks)
	if err != nil || again.Digest() != s.Digest() || again.Clone().Digest() != s.Digest() {
		t.Errorf("another schedule, %v", err)
	}
	if counts := s.CountRotations(nil); len(counts) != st.Len() || counts[ranks[0]] == 0 {
		t.Errorf("%d counts", len(counts))
	}
	if short, err := FromRanks(st, p, make([]uint16, 1000)); err != nil || short.ranks16 != nil {
		t.Errorf("ranks of 16 bits: %v", err)
	}
}

func TestFromRanksErrors(t *testing.T) {
	st := mustStakes(t, []Entry{{Key: testKey(1), Stake: 1}, {Key: testKey(2), Stake: 1}}, KeyedByVote)
	p := Params{Epoch: 3, Slots: 9, Repeat: 4}
	for _, c := range []struct {
		name  string
		st    *Stakes
		p     Params
		ranks []uint16
		is    error
		says  string
	}{
		{"no list", nil, p, []uint16{0, 0, 0}, ErrNoStake, "empty"},
		{"no slots", st, Params{}, nil, ErrSlots, "0"},
		{"too few", st, p, []uint16{0, 0}, ErrRanks, "2 of them, want 3"},
		{"too many", st, p, []uint16{0, 0, 0, 0}, ErrRanks, "4 of them, want 3"},
		{"rank", st, p, []uint16{0, 2, 1}, ErrRanks, "rotation 1 has rank 2, the list 2 entries"},
	} {
		if s, err := FromRanks(c.st, c.p, c.ranks); !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.says) || s != nil {
			t.Errorf("%s: got %v, %v", c.name, s, err)
		}
	}
}

// A clone stays when its origin is derived into.
func TestClone(t *testing.T) {
	st := mustStakes(t, mainnetLike(20), KeyedByVote)
	var d Deriver
	var s Schedule
	if err := d.DeriveInto(&s, st, Params{Epoch: 1, Slots: 400}); err != nil {
		t.Fatal(err)
	}
	for range s.Leaders() { // builds the index
	}
	clone, want := s.Clone(), mustDerive(t, st, Params{Epoch: 1, Slots: 400})
	if err := d.DeriveInto(&s, st, Params{Epoch: 2, Slots: 400}); err != nil {
		t.Fatal(err)
	}
	if clone.Epoch() != 1 || clone.Digest() != want.Digest() || clone.Digest() == s.Digest() {
		t.Error("the clone has changed")
	}
	key := testKey(100_000)
	if !slices.Equal(slices.Collect(clone.SlotsOf(key)), slices.Collect(want.SlotsOf(key))) {
		t.Error("the clone has other slots of an identity")
	}
}

// A schedule that was never derived answers nothing, and does not panic.
func TestZeroSchedule(t *testing.T) {
	var s Schedule
	if _, ok := s.LeaderAt(0); ok || s.Rotations() != 0 || len(s.AppendRanks(nil)) != 0 || len(s.CountRotations(nil)) != 0 {
		t.Error("it has a leader")
	}
}
