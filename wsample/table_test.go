package wsample

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedgen/schedgen/internal/guide"

	"github.com/schedgen/schedgen/chacha20rng"
	"github.com/schedgen/schedgen/internal/cpu"
	"github.com/schedgen/schedgen/internal/cpu/cputest"
)

func TestNewTableErrors(t *testing.T) {
	for _, c := range []struct {
		name    string
		weights []uint64
		want    error
		detail  string
	}{
		{"nil", nil, ErrEmpty, "at least one"},
		{"no weights", []uint64{}, ErrEmpty, "at least one"},
		{"one zero", []uint64{0}, ErrZeroWeight, "all 1"},
		{"all zero", make([]uint64, 100), ErrZeroWeight, "all 100"},
		{"2^64", []uint64{5, math.MaxUint64 - 5, 1, 9}, ErrOverflow, "index 2, weight 1"},
		{"far above", []uint64{math.MaxUint64, math.MaxUint64}, ErrOverflow, "index 1"},
	} {
		table, err := NewTable(c.weights)
		if !errors.Is(err, c.want) || table != nil {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		} else if !strings.Contains(err.Error(), c.detail) {
			t.Errorf("%s: %q does not say %q", c.name, err, c.detail)
		}
	}
}

// TestLengthLimits covers lists that no test can hold.
func TestLengthLimits(t *testing.T) {
	for _, limit := range []uint64{maxTableLen, maxSamplerLen} {
		if err := checkLen(limit, limit); err != nil {
			t.Errorf("%d weights: %v", limit, err)
		}
		if err := checkLen(limit+1, limit); !errors.Is(err, ErrTooMany) {
			t.Errorf("%d weights: %v, want %v", limit+1, err, ErrTooMany)
		}
	}
	if uint64(maxSamplerLen-1) >= uint64(Indeterminate) {
		t.Error("the last index of the longest list is Indeterminate")
	}
}

func TestTableCopiesTheWeights(t *testing.T) {
	weights := []uint64{3, 4}
	table := mustTable(t, weights)
	weights[0] = 100
	if table.Map(3) != 1 || table.Total() != 7 {
		t.Errorf("the table follows its caller's slice: Map(3) = %d, Total = %d", table.Map(3), table.Total())
	}
}

// TestSampleFormsAgree draws the same stream one by one, as 16 bits and as 32
// bits in pieces of any length, from tables of either guide.
func TestSampleFormsAgree(t *testing.T) {
	cputest.Each(t, func(t *testing.T, b cpu.Backend) {
		rapid.Check(t, func(t *rapid.T) { sampleFormsAgree(t, b) })
	})
}

func sampleFormsAgree(t *rapid.T, b cpu.Backend) {
	n := rapid.SampledFrom([]int{1, 2, 10, 1500, 65535, 65536, 65537}).Draw(t, "n")
	shape := rapid.SampledFrom(allShapes()).Draw(t, "shape")
	weights := shape.make(n, rand.New(rand.NewPCG(6, rapid.Uint64().Draw(t, "weights"))))
	table, err := NewTable(weights)
	if err != nil {
		t.Fatal(err)
	}
	seed := drawSeed(t)
	one, as16, as32, by := newRNG(t, b, seed), newRNG(t, b, seed), newRNG(t, b, seed), chacha20rng.New(seed)
	for _, count := range rapid.SliceOfN(rapid.IntRange(0, 3*chunk), 1, 4).Draw(t, "counts") {
		want, got16, got32 := make([]uint32, count), make([]uint16, count), make([]uint32, count)
		for i := range want {
			want[i] = uint32(table.Sample(one))
			x := rollByDefinition(by, table.Total(), chacha20rng.ByModulo)
			if i%64 == 0 && want[i] != uint32(linearMap(weights, x)) {
				t.Fatalf("draw %d, x = %d: %d, want %d", i, x, want[i], linearMap(weights, x))
			}
		}
		table.Sample32(as32, got32)
		if !slices.Equal(got32, want) || one.Pos() != as32.Pos() || one.Pos() != by.Pos() {
			t.Fatalf("Sample32 differs from Sample; words %d, %d, want %d", as32.Pos(), one.Pos(), by.Pos())
		}
		err := table.Sample16(as16, got16)
		if n > 65536 {
			if !errors.Is(err, ErrTooMany) || as16.Pos() != 0 {
				t.Fatalf("%d weights in 16 bits: %v, %d words used", n, err, as16.Pos())
			}
			continue
		}
		if err != nil || as16.Pos() != one.Pos() {
			t.Fatalf("Sample16: %v, %d words, want %d", err, as16.Pos(), one.Pos())
		}
		for i := range want {
			if uint32(got16[i]) != want[i] {
				t.Fatalf("Sample16: draw %d is %d, want %d", i, got16[i], want[i])
			}
		}
	}
}

// TestGuideBounds checks that the entries around each bucket hold what its
// smallest and largest x give.
func TestGuideBounds(t *testing.T) {
	for _, n := range []int{1, 2, 3, 1500, 5000, 65537} {
		for _, shape := range allShapes() {
			weights := shape.make(n, rand.New(rand.NewPCG(7, uint64(n))))
			table := mustTable(t, weights)
			entry := func(b uint64) int {
				if n <= maxLen16 {
					return int(table.guide.Entries[b])
				}
				return int(table.guide32[b])
			}
			buckets := uint64(max(len(table.guide.Entries), len(table.guide32)) - 1)
			if buckets > max(1<<maxGuideBits, 2*uint64(n)) {
				t.Errorf("%d %s: %d buckets", n, shape.name, buckets)
			}
			for b := range buckets {
				low := b << table.guide.Shift
				high := min(low+(1<<table.guide.Shift-1), table.total-1)
				first, last := guide.Search(low, table.guide.Sums, 0, n-1), guide.Search(high, table.guide.Sums, 0, n-1)
				if entry(b) != first || entry(b+1) < last {
					t.Fatalf("%d %s, bucket %d: entries %d, %d, want %d, %d or more",
						n, shape.name, b, entry(b), entry(b+1), first, last)
				}
			}
		}
	}
}
