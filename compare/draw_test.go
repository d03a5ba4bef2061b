package compare

import (
	"encoding/hex"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedgen/schedgen/schedule"
	"pgregory.net/rapid"
)

// The seeds are those of ChaCha20Rng::seed_from_u64 of rand_chacha 0.3.1.
func TestExpandedSeed(t *testing.T) {
	for epoch, want := range map[uint64]string{
		0:         "ecf273f981b5cd4587f0467306ad6cadd0d0a3e33317e767f29bea72d78a7dfe",
		454:       "b1a95922f632ec8a72778e1005f35ef186d94eba91300f1d9bceceed18591d7c",
		1<<64 - 1: "2f4792e3d610281035542d952cf95e439ae9347b03ddc537637ac7b04320613e",
	} {
		seed := expandSeed(epoch)
		if got := hex.EncodeToString(seed[:]); got != want {
			t.Errorf("epoch %d: got %s, want %s", epoch, got, want)
		}
	}
}

// The numbers are of rand 0.9 with ChaCha20 seeded as for epoch 454: Uniform for
// the low end, random_range for Canon's method; the sum is of 1,000 numbers, each
// added to 31 times the sum before, modulo 2^64.
func TestDrawsOfRand09(t *testing.T) {
	for _, c := range []struct {
		total        uint64
		uniform, ran uint64
	}{
		{3, 14169235486814881003, 14169235486814881003},
		{392_456_937_698_882_662, 6892719227521856904, 1822950375357918453},
		{1<<63 + 12345, 1959177762003851054, 2180718149727968958},
		{12_000_000_000_000_000_000, 17400969057346446804, 789535080955728778},
	} {
		for roll, want := range map[rollKind]uint64{rollLowEnd: c.uniform, rollCanon: c.ran} {
			d := mustDrawer(t, []schedule.Entry{{Stake: c.total}}, 454, rolling{roll: roll})
			sum := uint64(0)
			for range 1000 {
				sum = 31*sum + d.draw()
			}
			if sum != want {
				t.Errorf("total %d, kind %d: got %d, want %d", c.total, roll, sum, want)
			}
		}
	}
}

func mustDrawer(t testing.TB, rows []schedule.Entry, epoch uint64, how rolling) drawer {
	t.Helper()
	w, err := weigh(rows, &numbers{of: map[schedule.Pubkey]int32{}})
	if err != nil {
		t.Fatal(err)
	}
	words, ok := newStream(epoch, seeding{})
	if !ok {
		t.Fatal("no stream")
	}
	d, ok := newDrawer(w, words, how)
	if !ok {
		t.Fatal("no drawer")
	}
	return d
}

// TestRightWay compares the plain derivation, without mistake, with that of
// package schedule.
func TestRightWay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		shape := rapid.SampledFrom([]stakeShape{likeACluster, small, huge}).Draw(t, "shape")
		entries := someEntries(rng, rapid.IntRange(1, 90).Draw(t, "entries"), shape)
		entries = append(entries, entries[0]) // once more
		keying := rapid.SampledFrom([]schedule.Keying{schedule.KeyedByVote, schedule.KeyedByIdentity}).Draw(t, "keying")
		p := schedule.Params{
			Epoch:  rapid.Uint64().Draw(t, "epoch"),
			Slots:  rapid.Uint64Range(1, 900).Draw(t, "slots"),
			Repeat: rapid.IntRange(0, 9).Draw(t, "repeat"),
		}
		st, err := schedule.NewStakes(entries, keying)
		if err != nil {
			t.Fatal(err)
		}
		s, err := schedule.Derive(st, p)
		if err != nil {
			t.Fatal(err)
		}
		x, err := newExaminer(Case{Entries: entries, Keying: keying, Params: p, Other: Derived("derived", s)})
		if err != nil {
			t.Fatal(err)
		}
		leaders, ok := x.leaders(x.right)
		if !ok || uint64(len(leaders)) != p.Slots {
			t.Fatalf("%d leaders, %v", len(leaders), ok)
		}
		for i, id := range leaders {
			if want, _ := s.Leader(schedule.Index(i)); x.ids.keys[id] != want {
				t.Fatalf("slot index %d: got %v, want %v", i, x.ids.keys[id], want)
			}
		}
		if s, ok := x.run(x.right, toFirst); !ok || !s.exact() || s.compared != len(leaders) {
			t.Errorf("compared: %+v, %v", s, ok)
		}
	})
}

// TestWithout compares a drawer without a row with one of a list without it.
func TestWithout(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for _, shape := range []stakeShape{likeACluster, small, huge} {
		rows := withStake(someEntries(rng, 40, shape), mergeRight)
		sortRows(rows, byStakeAndKey)
		all := mustDrawer(t, rows, 3, rolling{})
		for i := range rows {
			got, ok := all.without(i)
			if !ok {
				t.Fatal("no drawer")
			}
			want := mustDrawer(t, slices.Delete(slices.Clone(rows), i, i+1), 3, rolling{})
			for n := range 2000 {
				g, w := got.row(), want.row()
				if g > i {
					g--
				}
				if g != w {
					t.Fatalf("without row %d, draw %d: got row %d, want %d", i, n, g, w)
				}
			}
		}
	}
	one := mustDrawer(t, []schedule.Entry{{Stake: 5}}, 3, rolling{})
	if _, ok := one.without(0); ok {
		t.Error("without the only row there is nobody to draw")
	}
}

// TestWith compares a drawer with another stake of a row with one of such a list.
func TestWith(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 7))
	for _, shape := range []stakeShape{likeACluster, small} {
		rows := withStake(someEntries(rng, 40, shape), mergeRight)
		sortRows(rows, byStakeAndKey)
		all := mustDrawer(t, rows, 3, rolling{})
		for i := range rows {
			for _, stake := range []uint64{1, rows[i].Stake / 2, rows[i].Stake, rows[i].Stake + 1, rows[i].Stake * 3, rows[0].Stake, rows[7].Stake} {
				got, ok := all.with(i, max(stake, 1))
				if !ok {
					t.Fatal("no drawer")
				}
				other := slices.Clone(rows)
				other[i].Stake = max(stake, 1)
				sortRows(other, byStakeAndKey)
				want := mustDrawer(t, other, 3, rolling{})
				for n := range 1000 {
					if g, w := rows[got.row()].Key, other[want.row()].Key; g != w {
						t.Fatalf("row %d with %d in the place of %d, draw %d: got %v, want %v", i, stake, rows[i].Stake, n, g, w)
					}
				}
			}
		}
	}
	all := mustDrawer(t, []schedule.Entry{{Stake: 1 << 63}, {Stake: 5}}, 3, rolling{})
	if _, ok := all.with(1, 1<<63); ok {
		t.Error("a total of 2^64 is no number of 64 bits")
	}
}

func TestTotalThatIsNone(t *testing.T) {
	w, err := weigh([]schedule.Entry{{Stake: 1<<64 - 1}}, &numbers{of: map[schedule.Pubkey]int32{}})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := newDrawer(w, nil, rolling{extra: 1}); ok {
		t.Error("2^64-1 and one more is no number of 64 bits")
	}
	w, _ = weigh([]schedule.Entry{{Stake: 1}}, &numbers{of: map[schedule.Pubkey]int32{}})
	if _, ok := newDrawer(w, nil, rolling{extra: -1}); ok {
		t.Error("nobody can draw below zero")
	}
	for _, by := range []int64{-1, 1} {
		epoch := uint64(0)
		if by > 0 {
			epoch = 1<<64 - 1
		}
		if _, ok := newStream(epoch, seeding{epochShift: by}); ok {
			t.Errorf("there is no epoch %d%+d", epoch, by)
		}
	}
}
