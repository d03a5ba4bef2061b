package chacha20rng

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedgen/schedgen/internal/cpu"
	"github.com/schedgen/schedgen/internal/cpu/cputest"
	"github.com/schedgen/schedgen/internal/guide"
	"github.com/schedgen/schedgen/internal/guide/guidetest"
)

// ranksByRolls is FillRanks16 by its definition.
func ranksByRolls(r *RNG, places int, z Zone, t *guide.Table) []uint16 {
	ranks := make([]uint16, places)
	for i := range ranks {
		ranks[i] = uint16(guidetest.Rank(t.Sums, r.Roll(z)))
	}
	return ranks
}

// checkRanks compares the ranks that a backend makes from a position on with those
// made by the definition, and what follows in the stream. It returns what differs.
func checkRanks(b cpu.Backend, r RNG, places int, z Zone, t *guide.Table) error {
	one, many := r, r
	one.backend, many.backend = cpu.Generic, b
	const margin = 300 // more than a chunk
	const untouched = 0xabcd
	space := slices.Repeat([]uint16{untouched}, places+2*margin+1)
	from := margin + places%2 // aligned to four bytes or not
	got := space[from : from+places]
	many.FillRanks16(got, z, t)
	want := ranksByRolls(&one, places, z, t)
	for i := range want {
		if got[i] != want[i] {
			return fmt.Errorf("rank %d of %d is %d, want %d", i, places, got[i], want[i])
		}
	}
	for i, rank := range space {
		if (i < from || i >= from+places) && rank != untouched {
			return fmt.Errorf("%d places: one of the places around them, %d, is written", places, i-from)
		}
	}
	if one.Pos() != many.Pos() {
		return fmt.Errorf("%d ranks lead from word %d to %d, want %d", places, r.Pos(), many.Pos(), one.Pos())
	}
	after, wantAfter := make([]uint64, 2*bufferWords), make([]uint64, 2*bufferWords)
	many.Fill(after)
	one.Fill(wantAfter)
	if !slices.Equal(after, wantAfter) {
		return fmt.Errorf("other words follow %d ranks", places)
	}
	return nil
}

func TestFillRanksEqualsRolls(t *testing.T) {
	cputest.Each(t, func(t *testing.T, b cpu.Backend) {
		rapid.Check(t, func(t *rapid.T) {
			n := rapid.OneOf(rapid.IntRange(1, 40), rapid.IntRange(1, 1<<13), rapid.Just(1<<16)).Draw(t, "weights")
			shape := rapid.SampledFrom(guidetest.Shapes).Draw(t, "shape")
			weights := guidetest.Weights(shape, n, bounds().Draw(t, "total"), rapid.Uint64().Draw(t, "seed of the weights"))
			table, total := guidetest.New(weights, rapid.IntRange(0, 16).Draw(t, "bits of the guide"))
			z := rapid.SampledFrom([]Rejection{ByModulo, ByShift}).Draw(t, "rule").Zone(total)
			r := New([32]byte(rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "seed")))
			if rapid.Bool().Draw(t, "ChaCha8") {
				r = NewChaCha8([32]byte{1})
			}
			r.SeekBlock(drawPosition(t))
			r.Fill(make([]uint64, rapid.SampledFrom([]int{0, 0, 8, 255, 256, 257, 300}).Draw(t, "words skipped")))
			if err := checkRanks(b, *r, rapid.IntRange(0, 5000).Draw(t, "places"), z, table); err != nil {
				t.Fatalf("%s, %d %s weights, total %d, from block %d: %v", b, n, shape, total, r.block, err)
			}
		})
	})
}

// Every number of words left in the buffer, and every length around whole chunks.
func TestFillRanksFromAnyWord(t *testing.T) {
	table, total := guidetest.New(guidetest.Weights("cluster", 300, 4e17, 1), 9)
	cputest.Each(t, func(t *testing.T, b cpu.Backend) {
		for skip := range bufferWords + 2 {
			r := New(iota32())
			r.Fill(make([]uint64, skip))
			if err := checkRanks(b, *r, 2*bufferWords+skip%7*37, Modulo(total), table); err != nil {
				t.Fatalf("after %d words: %v", skip, err)
			}
		}
		for _, places := range []int{255, 256, 257, 511, 512, 513, 767, 768, 769} {
			if err := checkRanks(b, *New(iota32()), places, Modulo(total), table); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// Words whose products have a low half at the limit, or next to it.
func TestFillRanksAtTheLimit(t *testing.T) {
	cputest.Each(t, func(t *testing.T, b cpu.Backend) {
		rapid.Check(t, func(t *rapid.T) {
			table, total := guidetest.New(guidetest.Weights("any", 20, bounds().Draw(t, "total"), 1), 5)
			z := rapid.SampledFrom([]Rejection{ByModulo, ByShift}).Draw(t, "rule").Zone(total)
			r := New([32]byte{})
			r.next, r.buf = 0, [bufferWords]uint64(words(t, z, bufferWords))
			if err := checkRanks(b, *r, 2*bufferWords, z, table); err != nil {
				t.Fatalf("total %d: %v", total, err)
			}
		})
	})
}

// Both halves of the counter carry, at each place inside a chunk; half of the words
// are rejected.
func TestFillRanksAcrossCarries(t *testing.T) {
	table, total := guidetest.New(guidetest.Weights("any", 50, 1<<63+1, 1), 6)
	cputest.Each(t, func(t *testing.T, b cpu.Backend) {
		for before := range uint64(3 * bufferBlocks) {
			for _, carry := range []uint64{0, 1 << 32} {
				r := New(iota32())
				r.SeekBlock(carry - before)
				if err := checkRanks(b, *r, 1000, Modulo(total), table); err != nil {
					t.Fatalf("%d blocks before block %d: %v", before, carry, err)
				}
			}
		}
	})
}

// One call makes more ranks than one pass of a backend does.
func TestFillManyRanks(t *testing.T) {
	if testing.Short() {
		t.Skip("600,000 draws are left out of short runs")
	}
	table, total := guidetest.New(guidetest.Weights("cluster", 1500, 4e17, 1), 12)
	cputest.Each(t, func(t *testing.T, b cpu.Backend) {
		if err := checkRanks(b, *New(iota32()), 600_000, Modulo(total), table); err != nil {
			t.Fatal(err)
		}
	})
}

func TestFillRanksDoesNotAllocate(t *testing.T) {
	table, total := guidetest.New([]uint64{5, 0, 7, 1}, 2)
	cputest.Each(t, func(t *testing.T, b cpu.Backend) {
		r := on(t, b, New(iota32()))
		z := Modulo(total)
		if n := testing.AllocsPerRun(50, func() {
			var ranks [1000]uint16
			r.FillRanks16(ranks[:], z, table)
		}); n != 0 {
			t.Errorf("%v allocations", n)
		}
	})
}

func FuzzFillRanks(f *testing.F) {
	f.Add([]byte("weights of eight bytes each, and more of them"), uint64(0), uint16(3), uint16(700), uint8(4), false)
	f.Add(make([]byte, 4000), uint64(1<<32-40), uint16(0), uint16(2000), uint8(0), true)
	f.Add([]byte{255, 255, 255, 255, 255, 255, 255, 127, 0, 1}, uint64(math.MaxUint64-40), uint16(256), uint16(5000), uint8(16), true)
	f.Fuzz(func(t *testing.T, data []byte, block uint64, skip, places uint16, guideBits uint8, shift bool) {
		var weights []uint64
		var sum uint64
		for ; len(data) >= 8 && len(weights) < 1<<16; data = data[8:] {
			w := min(binary.LittleEndian.Uint64(data), math.MaxUint64-sum)
			weights = append(weights, w)
			sum += w
		}
		if sum == 0 {
			weights = append(weights, 1)
		}
		table, total := guidetest.New(weights, int(guideBits%17))
		z := Modulo(total)
		if shift {
			z = Shift(total)
		}
		r := New([32]byte{byte(places), byte(skip)})
		r.SeekBlock(block)
		r.Fill(make([]uint64, skip%600))
		for _, b := range cpu.Available() {
			if err := checkRanks(b, *r, int(places%6000), z, table); err != nil {
				t.Errorf("%s: %v", b, err)
			}
		}
	})
}
