package chacha20rng

import (
	"math"
	"math/bits"
)

// Zone says which words give a number below N, and which are rejected: a word x
// is accepted when the low half of the 128-bit product x*N is at most Limit,
// and gives the high half. The zero Zone accepts every word and gives 0.
type Zone struct{ n, limit uint64 }

// Modulo returns the zone of rand 0.8's Uniform::<u64>::new(0, n) and
// WeightedIndex<u64>, which leader schedules use. It rejects 2^64 mod n words
// of 2^64. It panics when n is 0: there is no number below 0.
func Modulo(n uint64) Zone {
	if n == 0 {
		panic("chacha20rng: Modulo(0): there is no number below 0")
	}
	return Zone{n, math.MaxUint64 - -n%n} // -n is 2^64 - n
}

// Shift returns the zone of rand 0.8's gen_range(0..n), which Turbine uses. It
// rejects half of the words when n is a power of two, n = 1 included, and fewer
// the nearer n is to the next one. It panics when n is 0.
func Shift(n uint64) Zone {
	if n == 0 {
		panic("chacha20rng: Shift(0): there is no number below 0")
	}
	return Zone{n, n<<bits.LeadingZeros64(n) - 1}
}

// N returns the bound: accepted words give numbers below it.
func (z Zone) N() uint64 { return z.n }

// Limit returns the largest accepted low half.
func (z Zone) Limit() uint64 { return z.limit }

// Rejection is the rule that makes a zone of a bound, for those whose bound
// changes from draw to draw.
type Rejection uint8

const (
	ByModulo Rejection = iota // Modulo: leader schedules
	ByShift                   // Shift: Turbine
)

// String returns "modulo" or "shift".
func (k Rejection) String() string {
	if k == ByShift {
		return "shift"
	}
	return "modulo"
}

// Zone returns Modulo(n) or Shift(n). It panics when n is 0.
func (k Rejection) Zone(n uint64) Zone {
	if k == ByShift {
		return Shift(n)
	}
	return Modulo(n)
}

// Roll returns the next number below z.N().
func (r *RNG) Roll(z Zone) uint64 {
	for {
		if high, low := bits.Mul64(r.Uint64(), z.n); low <= z.limit {
			return high
		}
	}
}

// RollN is Roll(k.Zone(n)). It makes a modulo zone, a division, only for the
// rare word that could lie outside it: 2^64 mod n is below n, so a low half of
// at most 2^64-1 - n is inside. It panics when n is 0.
func (r *RNG) RollN(n uint64, k Rejection) uint64 {
	if k == ByShift || n == 0 {
		return r.Roll(k.Zone(n))
	}
	for {
		high, low := bits.Mul64(r.Uint64(), n)
		if low <= math.MaxUint64-n || low <= Modulo(n).limit {
			return high
		}
	}
}

// FillRolls sets dst to the next len(dst) numbers below z.N(). It uses the same
// words as len(dst) calls of Roll.
func (r *RNG) FillRolls(dst []uint64, z Zone) {
	for len(dst) > 0 {
		if r.next == bufferWords {
			if len(dst) >= bufferWords {
				dst = dst[r.rollInPlace(dst, z):]
				continue
			}
			r.refill()
		}
		written, read := rolls(r.backend, dst, r.buf[r.next:], z)
		dst = dst[written:]
		r.next += read
	}
}

// rollInPlace makes words in dst and turns them into numbers there: a number takes
// at least one word, so all words are used. It returns how many numbers it made.
// The words of one call stay in the cache of the first level.
func (r *RNG) rollInPlace(dst []uint64, z Zone) int {
	const most = 8 * bufferWords
	words := dst[:min(len(dst)/bufferWords*bufferWords, most)]
	r.makeBlocks(words)
	written, _ := rolls(r.backend, words, words, z)
	return written
}

// rollsGeneric turns words of src into numbers, in order, until dst is full or src
// is used up. It returns how many numbers it wrote and how many words it read. It
// may write to places of dst that it does not count. Both slices may start at the
// same place: the number of a word never lies after it.
func rollsGeneric(dst, src []uint64, z Zone) (written, read int) {
	for ; read < len(src) && written < len(dst); read++ {
		high, low := bits.Mul64(src[read], z.n)
		dst[written] = high // overwritten by the next number when this one is rejected
		if low <= z.limit {
			written++
		}
	}
	return written, read
}
