package wsample

import (
	"math/bits"
	"slices"

	"github.com/schedgen/schedgen/internal/cpu"
)

const (
	// wantedBuckets is how many buckets a weight a guide gets within its limits, at
	// most: a total just above a power of two has half as many. Most draws then end
	// at their bucket's entry or one behind it.
	wantedBuckets = 8
	// fineBuckets is how many make that still worth counting on.
	fineBuckets = 2

	minGuideBits = 12
	maxGuideBits = 16 // for up to maxLen16 weights

	// guidePad is how many entries behind the guide may be written while it is made.
	guidePad = 16
)

// guideBits returns how many bits of x choose its bucket in a list of n weights.
func guideBits(n int) int {
	wanted := bits.Len64(wantedBuckets*uint64(n) - 1)
	return max(min(wanted, maxGuideBits), minGuideBits, bits.Len64(uint64(n)-1))
}

// buildGuide sets the guide of the list's prefix sums, and its shift.
func (t *Table) buildGuide(b cpu.Backend) {
	guideBits := guideBits(t.n)
	t.guide.Shift = uint(max(0, bits.Len64(t.total-1)-guideBits))
	t.fine = t.n <= 1<<guideBits/fineBuckets
	// Zeros in front have no bucket, and those behind the last weight neither.
	first, last := 0, t.n-1
	for t.guide.Sums[first] == 0 {
		first++
	}
	for last > 0 && t.guide.Sums[last-1] == t.total {
		last--
	}
	sums := t.guide.Sums[:last+1]
	buckets := int((t.total-1)>>t.guide.Shift + 1)
	if t.n > maxLen16 {
		t.guide32 = slices.Grow(t.guide32[:0], buckets+1+guidePad)[:buckets+1]
		makeGuide(t.guide32[:buckets+1+guidePad], sums, first, t.guide.Shift)
		t.guide32[buckets] = uint32(last)
		return
	}
	t.guide.Entries = slices.Grow(t.guide.Entries[:0], buckets+1+guidePad)[:buckets+1]
	makeGuide16(b, t.guide.Entries[:buckets+1+guidePad], sums, first, t.guide.Shift)
	t.guide.Entries[buckets] = uint16(last)
}

// makeGuide sets the entry of each bucket b to the first index whose prefix sum is above
// b << shift. That of first is above 0. Where an index has a few buckets, four
// stores without a loop are faster; what is too many the next index overwrites.
func makeGuide[G uint16 | uint32](entries []G, sums []uint64, first int, shift uint) {
	shift &= 63 // spares the compiler its test for more
	bucket := 0
	for i, sum := range sums[first:] {
		end := int((sum-1)>>shift) + 1 // the first bucket whose smallest x the sum is not above
		index := G(first + i)
		four := entries[bucket : bucket+4 : bucket+4]
		four[0], four[1], four[2], four[3] = index, index, index, index
		for b := bucket + 4; b < end; b++ {
			entries[b] = index
		}
		bucket = end
	}
}
