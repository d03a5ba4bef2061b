package wsample

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedgen/schedgen/chacha20rng"
	"github.com/schedgen/schedgen/internal/cpu"
	"github.com/schedgen/schedgen/internal/cpu/cputest"
)

// tableSizes are list sizes around the limits of guides and of indices.
var tableSizes = []int{1, 2, 3, 10, 1500, 5000, 1 << maxGuideBits / fineBuckets, 1<<maxGuideBits/fineBuckets + 1,
	maxLen16 - 1, maxLen16, maxLen16 + 1}

// wideSizes are list sizes around which the wide tree gets one level higher, a
// row or a node is filled.
var wideSizes = []int{1, 2, 30, 31, 32, 62, 63, 464, 465, 466, 496, 497, 6974, 6975, 6976, 7440, 7441, 104_625, 104_626}

// totals are sums at which arithmetic of 64 bits may go wrong.
func totals() []uint64 {
	sums := []uint64{1, 2, 1<<63 - 1, 1 << 63, 1<<63 + 1, math.MaxUint64 - 1, math.MaxUint64}
	for _, k := range []int{2, 8, 16, 31, 32, 33, 52, 53, 62} {
		sums = append(sums, 1<<k-1, 1<<k, 1<<k+1)
	}
	return sums
}

// withTotal makes up to n weights above zero that add up to total: equal ones,
// or each a random share of what is left.
func withTotal(total uint64, n int, equal bool, rng *rand.Rand) []uint64 {
	n = int(min(uint64(n), total))
	w := make([]uint64, n)
	left := total
	for i := range w {
		others := uint64(n - i - 1)
		switch {
		case others == 0:
			w[i] = left
		case equal:
			w[i] = left / (others + 1)
		default:
			w[i] = 1 + rng.Uint64N(max(1, left-others)/2+1)
			w[i] = min(w[i], left-others)
		}
		left -= w[i]
	}
	return w
}

func tableOn(tb rapid.TB, b cpu.Backend, weights []uint64) *Table {
	tb.Helper()
	t := new(Table)
	if err := t.reset(weights, b); err != nil {
		tb.Fatal(err)
	}
	return t
}

func TestGuidesOfBackendsAgree(t *testing.T) {
	cputest.Each(t, func(t *testing.T, b cpu.Backend) {
		for _, n := range tableSizes {
			for _, shape := range allShapes() {
				weights := shape.make(n, rand.New(rand.NewPCG(8, uint64(n))))
				got, want := tableOn(t, b, weights), tableOn(t, cpu.Generic, weights)
				if !slices.Equal(got.guide.Entries, want.guide.Entries) || !slices.Equal(got.guide32, want.guide32) {
					t.Errorf("%d %s: the guide differs from the generic one", n, shape.name)
				}
			}
		}
	})
}

// TestLookupAtEveryBoundary looks up each prefix sum, the number below it and one
// in the middle, in pieces of every length modulo 8.
func TestLookupAtEveryBoundary(t *testing.T) {
	cputest.Each(t, func(t *testing.T, b cpu.Backend) {
		for _, n := range tableSizes {
			if testing.Short() && n > 5000 && n != maxLen16+1 {
				continue
			}
			for _, shape := range allShapes() {
				lookupAtBoundaries(t, b, fmt.Sprint(n, " ", shape.name), shape.make(n, rand.New(rand.NewPCG(9, uint64(n)))))
			}
		}
		for _, total := range totals() {
			for _, equal := range []bool{true, false} {
				weights := withTotal(total, 100, equal, rand.New(rand.NewPCG(9, total)))
				lookupAtBoundaries(t, b, fmt.Sprint("total ", total), weights)
			}
		}
	})
}

func lookupAtBoundaries(t *testing.T, b cpu.Backend, name string, weights []uint64) {
	t.Helper()
	table := tableOn(t, b, weights)
	var x []uint64
	var want []uint32
	var sum uint64
	for i, w := range weights {
		if w > 0 {
			x = append(x, sum, sum+w/2, sum+w-1)
			want = append(want, uint32(i), uint32(i), uint32(i))
		}
		sum += w
	}
	rand.New(rand.NewPCG(10, sum)).Shuffle(len(x), func(i, j int) {
		x[i], x[j] = x[j], x[i]
		want[i], want[j] = want[j], want[i]
	})
	for from, length := 0, 0; from < len(x); from, length = from+length, length+1 {
		part := x[from:min(from+length, len(x))]
		got := lookupOn(table, b, part)
		for i, x := range part {
			if got[i] != want[from+i] {
				t.Fatalf("%s: %d gives %d, want %d", name, x, got[i], want[from+i])
			}
		}
	}
}

// lookupOn looks x up with the function for the table's length.
func lookupOn(table *Table, b cpu.Backend, x []uint64) []uint32 {
	got := make([]uint32, len(x))
	if table.n > maxLen16 {
		table.lookup32(b, got, x)
		return got
	}
	narrow := make([]uint16, len(x))
	table.lookup16(b, narrow, x)
	for i, index := range narrow {
		got[i] = uint32(index)
	}
	return got
}

// TestResetReusesMemory takes one table from list to list.
func TestResetReusesMemory(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 11))
	table := new(Table)
	for _, n := range []int{5000, 3, 1500, 65537, 10, 65536, 1} {
		for _, shape := range allShapes() {
			weights := shape.make(n, rng)
			if err := table.Reset(weights); err != nil {
				t.Fatal(err)
			}
			checkBoundaries(t, weights, table.Map)
		}
	}
	for _, bad := range [][]uint64{nil, {0}, {math.MaxUint64, 1}} {
		if err := table.Reset(bad); err == nil {
			t.Errorf("Reset(%v): no error", bad)
		}
		if table.Len() != 1 || table.Map(0) != 0 {
			t.Errorf("Reset(%v) has changed the table", bad)
		}
	}
	weights := harmonicWeights(1018)
	if n := testing.AllocsPerRun(10, func() { _ = table.Reset(weights) }); n != 0 {
		t.Errorf("Reset to a shorter list allocates %v times", n)
	}
}

func TestZeroTable(t *testing.T) {
	table, r := new(Table), chacha20rng.New([32]byte{})
	dst := []uint32{7}
	table.Sample32(r, dst)
	if table.Len() != 0 || table.Map(0) != 0 || table.Sample(r) != 0 || dst[0] != 0 || table.Sample16(r, nil) == nil {
		t.Error("the zero Table has weights")
	}
}

// samplerPair is one list under two backends, to be treated alike.
type samplerPair struct {
	name       string
	got, want  *Sampler
	rGot, rRef *chacha20rng.RNG
}

func newPair(tb rapid.TB, b cpu.Backend, weights []uint64, seed [32]byte, opts ...Option) *samplerPair {
	tb.Helper()
	p := &samplerPair{name: fmt.Sprintf("%d weights, total %d", len(weights), sumOf(weights))}
	p.rGot, p.rRef = newRNG(tb, b, seed), newRNG(tb, cpu.Generic, seed)
	opts = append(opts, WithRestore())
	var err error
	if p.got, err = NewSampler(weights, append(opts, WithBackend(string(b)))...); err != nil {
		tb.Fatal(err)
	}
	if p.want, err = NewSampler(weights, append(opts, WithBackend(string(cpu.Generic)))...); err != nil {
		tb.Fatal(err)
	}
	return p
}

// draw makes n draws of both and compares all that can be seen.
func (p *samplerPair) draw(tb rapid.TB, n int, remove bool) {
	tb.Helper()
	got, want := make([]uint32, n), make([]uint32, n)
	if remove {
		p.got.SampleAndRemoveMany(p.rGot, got)
		p.want.SampleAndRemoveMany(p.rRef, want)
	} else {
		p.got.SampleMany(p.rGot, got)
		p.want.SampleMany(p.rRef, want)
	}
	for i := range got {
		if got[i] != want[i] {
			tb.Fatalf("%s: draw %d of %d is %d, want %d", p.name, i, n, got[i], want[i])
		}
	}
	if p.got.Total() != p.want.Total() || p.got.Left() != p.want.Left() || p.got.Poisoned() != p.want.Poisoned() || p.rGot.Pos() != p.rRef.Pos() {
		tb.Fatalf("%s, after %d draws: Total, Left, Poisoned, words = %d, %d, %t, %d, want %d, %d, %t, %d", p.name, n,
			p.got.Total(), p.got.Left(), p.got.Poisoned(), p.rGot.Pos(),
			p.want.Total(), p.want.Left(), p.want.Poisoned(), p.rRef.Pos())
	}
}

// TestRemovingAllOnBackends draws lists of every height to their end, twice.
func TestRemovingAllOnBackends(t *testing.T) {
	cputest.Each(t, func(t *testing.T, b cpu.Backend) {
		for _, n := range slices.Concat(heightSizes, wideSizes, []int{65535, 65536, 65537}) {
			if testing.Short() && n > 10_000 {
				continue
			}
			for i, shape := range positive {
				if n > 10_000 && i%3 != 0 {
					continue
				}
				weights := shape.make(n, rand.New(rand.NewPCG(12, uint64(n))))
				p := newPair(t, b, weights, seedOf(byte(n)), WithRejection(chacha20rng.Rejection(i%2)))
				for range 2 {
					p.draw(t, n/2, true)
					p.draw(t, min(n, 100), false)
					p.draw(t, n-n/2+1, true)
					if err := p.got.RestoreAll(); err != nil {
						t.Fatal(err)
					}
					if err := p.want.RestoreAll(); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	})
}

func TestTotalsOnBackends(t *testing.T) {
	cputest.Each(t, func(t *testing.T, b cpu.Backend) {
		for _, total := range totals() {
			for _, n := range []int{1, 2, 31, 32, 500} {
				for _, equal := range []bool{true, false} {
					for _, k := range []chacha20rng.Rejection{chacha20rng.ByModulo, chacha20rng.ByShift} {
						weights := withTotal(total, n, equal, rand.New(rand.NewPCG(13, total)))
						p := newPair(t, b, weights, seedOf(byte(n)), WithRejection(k))
						p.draw(t, 10, false)
						p.draw(t, len(weights)+1, true)
					}
				}
			}
		}
	})
}

// TestCallsOnBackends takes a pair through random calls.
func TestCallsOnBackends(t *testing.T) {
	sizes := []int{1, 31, 32, 465, 466, 730, 1500, 6975, 6976}
	cputest.Each(t, func(t *testing.T, b cpu.Backend) {
		rapid.Check(t, func(t *rapid.T) {
			n := rapid.SampledFrom(sizes).Draw(t, "n")
			shape := rapid.SampledFrom(positive[:5]).Draw(t, "shape")
			weights := shape.make(n, rand.New(rand.NewPCG(14, rapid.Uint64().Draw(t, "weights"))))
			p := newPair(t, b, weights, drawSeed(t),
				WithRejection(rapid.SampledFrom([]chacha20rng.Rejection{chacha20rng.ByModulo, chacha20rng.ByShift}).Draw(t, "rejection")),
				WithPoison(sumOf(weights)/rapid.SampledFrom([]uint64{3, 100, math.MaxUint64, math.MaxUint64}).Draw(t, "poison share")))
			for range rapid.IntRange(1, 8).Draw(t, "calls") {
				p.call(t, rapid.IntRange(0, 4).Draw(t, "call"), rapid.IntRange(0, n-1).Draw(t, "i"))
			}
		})
	})
}

// call makes one call to both, chosen by which, with the argument i, an index.
func (p *samplerPair) call(tb rapid.TB, which, i int) {
	tb.Helper()
	switch which {
	case 0, 1:
		p.draw(tb, i, which == 0)
	case 2:
		if p.got.Remove(i) != nil || p.want.Remove(i) != nil {
			tb.Fatalf("%s: Remove(%d) failed", p.name, i)
		}
	case 3:
		if got, want := p.got.SampleAndRemove(p.rGot), p.want.SampleAndRemove(p.rRef); got != want {
			tb.Fatalf("%s: SampleAndRemove gives %d, want %d", p.name, got, want)
		}
	case 4:
		if p.got.RestoreAll() != nil || p.want.RestoreAll() != nil {
			tb.Fatalf("%s: RestoreAll failed", p.name)
		}
	}
	p.draw(tb, 3, false)
	got, _ := p.got.Weight(i)
	want, _ := p.want.Weight(i)
	x := p.rRef.Pos() * 0x9e3779b97f4a7c15 % max(1, p.want.Total())
	if got != want || p.got.Map(x) != p.want.Map(x) {
		tb.Fatalf("%s: Weight(%d), Map(%d) = %d, %d, want %d, %d", p.name, i, x, got, p.got.Map(x), want, p.want.Map(x))
	}
}
