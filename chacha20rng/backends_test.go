package chacha20rng

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedgen/schedgen/internal/cpu"
	"github.com/schedgen/schedgen/internal/cpu/cputest"
)

// sentinel marks the words that nobody may write.
const sentinel = 0x5e5e5e5e5e5e5e5e

func sentinels(n int) []uint64 {
	words := make([]uint64, n)
	for i := range words {
		words[i] = sentinel
	}
	return words
}

// untouched reports whether all words but those of [from, to) are sentinels.
func untouched(words []uint64, from, to int) bool {
	other := func(w uint64) bool { return w != sentinel }
	return !slices.ContainsFunc(words[:from], other) && !slices.ContainsFunc(words[to:], other)
}

// makeBlocksOf sets dst to blocks, by a backend, with a counter that may wrap.
func makeBlocksOf(b cpu.Backend, dst []uint64, key [8]uint32, counter uint64, rounds int) {
	r := RNG{key: key, block: counter, rounds: rounds, backend: b}
	r.makeBlocks(dst)
}

// Every number of blocks that takes another way through a vector function, at
// every alignment to a word that a cache line has.
func TestBlocksOfAnyLengthAndAlignment(t *testing.T) {
	const most, margin = 2*bufferBlocks + 3, 16
	key := [8]uint32{3, 1, 4, 1, 5, 9, 2, 6}
	cputest.Each(t, func(t *testing.T, b cpu.Backend) {
		for n := range most + 1 {
			for offset := range wordsPerBlock {
				for _, rounds := range []int{8, 20} {
					counter := 1<<32 - uint64(offset*n/8) // may wrap on the way
					from, to := margin+offset, margin+offset+n*wordsPerBlock
					got, want := sentinels(to+margin), make([]uint64, to-from)
					makeBlocksOf(b, got[from:to], key, counter, rounds)
					makeBlocksOf(cpu.Generic, want, key, counter, rounds)
					if !slices.Equal(got[from:to], want) {
						t.Fatalf("%d blocks of %d rounds at word %d differ from the generic ones", n, rounds, offset)
					}
					if !untouched(got, from, to) {
						t.Fatalf("%d blocks at word %d: words around them are written", n, offset)
					}
				}
			}
		}
	})
}

// boundaryWord returns a word whose product with n has a low half near the limit
// of z: the largest that is accepted when step is 0, the next one when it is 1.
func boundaryWord(z Zone, step uint64) uint64 {
	k := bits.TrailingZeros64(z.n)
	odd := z.n >> k
	inverse := odd // of odd, modulo 2^3; each step doubles the exponent
	for range 5 {
		inverse *= 2 - odd*inverse
	}
	return (z.limit>>k + step) * inverse
}

func TestBoundaryWords(t *testing.T) {
	for _, n := range []uint64{1, 3, 10, 1<<40 + 6, 1<<63 + 1, math.MaxUint64} {
		for _, z := range []Zone{Modulo(n), Shift(n)} {
			if z.limit == math.MaxUint64 {
				continue // accepts every word
			}
			for step, want := range []int{1, 0} {
				if written, _ := rollsGeneric(make([]uint64, 1), []uint64{boundaryWord(z, uint64(step))}, z); written != want {
					t.Errorf("n = %d, limit %d: %d words accepted at step %d, want %d", n, z.limit, written, step, want)
				}
			}
		}
	}
}

// words draws words to roll: any, and those that decide whether a comparison is
// exact.
func words(t *rapid.T, z Zone, n int) []uint64 {
	src := make([]uint64, n)
	fill := New([32]byte(rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "seed")))
	often := rapid.IntRange(1, 40).Draw(t, "one boundary word in")
	for i := range src {
		x := fill.Uint64()
		if src[i] = x; x%uint64(often) == 0 {
			src[i] = []uint64{0, 1, math.MaxUint64, boundaryWord(z, 0), boundaryWord(z, 1)}[x>>40%5]
		}
	}
	return src
}

func TestRollsAgainstGeneric(t *testing.T) {
	cputest.Each(t, func(t *testing.T, b cpu.Backend) {
		rapid.Check(t, func(t *rapid.T) {
			z := rapid.SampledFrom([]Rejection{ByModulo, ByShift}).Draw(t, "rule").Zone(bounds().Draw(t, "n"))
			src := words(t, z, rapid.IntRange(0, 300).Draw(t, "words"))
			checkRolls(t, b, src, rapid.IntRange(0, 300).Draw(t, "places"), z)
		})
	})
}

// checkRolls compares the rolls of a backend with the generic ones: apart from
// each other, and in place.
func checkRolls(t interface {
	Helper()
	Fatalf(string, ...any)
}, b cpu.Backend, src []uint64, places int, z Zone) {
	t.Helper()
	const margin = 16
	want := make([]uint64, places)
	wantWritten, wantRead := rollsGeneric(want, src, z)
	got := sentinels(places + 2*margin)
	written, read := rolls(b, got[margin:margin+places], src, z)
	if written != wantWritten || read != wantRead || !slices.Equal(got[margin:margin+written], want[:written]) {
		t.Fatalf("%+v: %d words to %d places: wrote %d and read %d, want %d and %d; or the numbers differ",
			z, len(src), places, written, read, wantWritten, wantRead)
	}
	if !untouched(got, margin, margin+places) {
		t.Fatalf("%+v: %d words to %d places: words around them are written", z, len(src), places)
	}
	same := slices.Clone(src)
	written, read = rolls(b, same[:min(places, len(same))], same, z)
	if written != wantWritten || read != wantRead || !slices.Equal(same[:written], want[:written]) {
		t.Fatalf("%+v: %d words to %d places in place: wrote %d and read %d, want %d and %d; or the numbers differ",
			z, len(src), places, written, read, wantWritten, wantRead)
	}
}

func FuzzBlocks(f *testing.F) {
	f.Add([]byte("a seed of thirty-two bytes, more or"), uint64(0), uint16(33), false)
	f.Add([]byte{}, uint64(math.MaxUint64), uint16(40), true)
	f.Add([]byte{1}, uint64(1<<32-1), uint16(1), false)
	f.Add([]byte{2}, uint64(1<<38-7), uint16(15), true)
	f.Fuzz(func(t *testing.T, seed []byte, counter uint64, n uint16, eight bool) {
		var key [8]uint32
		for i := range key {
			if len(seed) >= 4*(i+1) {
				key[i] = binary.LittleEndian.Uint32(seed[4*i:])
			}
		}
		rounds := 20
		if eight {
			rounds = 8
		}
		want := make([]uint64, int(n%200)*wordsPerBlock)
		makeBlocksOf(cpu.Generic, want, key, counter, rounds)
		for _, b := range cpu.Available() {
			got := make([]uint64, len(want))
			makeBlocksOf(b, got, key, counter, rounds)
			if !slices.Equal(got, want) {
				t.Errorf("%s: %d blocks of %d rounds from %d differ", b, len(want)/wordsPerBlock, rounds, counter)
			}
		}
	})
}

func FuzzRolls(f *testing.F) {
	f.Add([]byte("0123456701234567012345670123456701234567012345670123456701234567tail"), uint64(60), uint16(9), false)
	f.Add(make([]byte, 300), uint64(1<<63+1), uint16(20), true)
	f.Add([]byte{255, 255, 255, 255, 255, 255, 255, 255}, uint64(math.MaxUint64), uint16(1), false)
	f.Fuzz(func(t *testing.T, data []byte, n uint64, places uint16, shift bool) {
		if n == 0 {
			return
		}
		z := Modulo(n)
		if shift {
			z = Shift(n)
		}
		src := []uint64{boundaryWord(z, 0), boundaryWord(z, 1)}
		for ; len(data) >= 8; data = data[8:] {
			src = append(src, binary.LittleEndian.Uint64(data))
		}
		for _, b := range cpu.Available() {
			checkRolls(t, b, src, int(places%500), z)
		}
	})
}
