package guide_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedgen/schedgen/internal/guide/guidetest"
)

// The table of the documentation.
func TestKnownTable(t *testing.T) {
	table, total := guidetest.New([]uint64{40, 30, 20, 10}, 3)
	if want := []uint16{0, 0, 0, 1, 1, 2, 3, 3}; total != 100 || table.Shift != 4 || !slices.Equal(table.Entries, want) {
		t.Fatalf("total %d, shift %d, entries %v; want 100, 4, %v", total, table.Shift, table.Entries, want)
	}
	x, got := make([]uint64, total), make([]uint16, total)
	for i := range x {
		x[i] = uint64(i)
	}
	table.Lookup(got, x)
	var want []uint16
	for rank, weight := range []int{40, 30, 20, 10} {
		want = append(want, slices.Repeat([]uint16{uint16(rank)}, weight)...)
	}
	if !slices.Equal(got, want) {
		t.Errorf("0 to 99 fall on %v, want %v", got, want)
	}
}

func TestLookup(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.OneOf(rapid.IntRange(1, 40), rapid.IntRange(1, 1<<16)).Draw(t, "n")
		total := rapid.OneOf(rapid.Uint64Range(1, 300), rapid.Uint64Range(1, math.MaxUint64)).Draw(t, "total")
		shape := rapid.SampledFrom(guidetest.Shapes).Draw(t, "shape")
		seed := rapid.Uint64().Draw(t, "seed")
		table, sum := guidetest.New(guidetest.Weights(shape, n, total, seed), rapid.IntRange(0, 16).Draw(t, "bits"))
		rng := rand.New(rand.NewPCG(seed, 1))
		x, got := make([]uint64, 500), make([]uint16, 501)
		for i := range x {
			switch x[i] = rng.Uint64N(sum); rng.IntN(3) {
			case 0: // the first that falls on an index, or the last
				x[i] = table.Sums[rng.IntN(n)] - rng.Uint64N(2)
			case 1: // the first of a bucket, or the last
				x[i] = x[i]>>table.Shift<<table.Shift - rng.Uint64N(2)
			}
			x[i] %= sum
		}
		table.Lookup(got, x)
		for i, v := range x {
			if want := guidetest.Rank(table.Sums, v); int(got[i]) != want {
				t.Fatalf("%d falls on %d, want %d", v, got[i], want)
			}
		}
		if got[len(x)] != 0 {
			t.Error("the place behind the last is written")
		}
	})
}
