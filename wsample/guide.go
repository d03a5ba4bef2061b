package wsample

import "math/bits"

// Limits on the logarithm of the number of buckets.
const (
	minGuideBits = 12
	maxGuideBits = 16
)

// guideBits returns how many bits of x choose its bucket in a list of n weights:
// so many that there are 1.5 to 6 buckets a weight, within the limits. With half
// as many, more draws need a second step; with twice as many, building the guide
// takes longer than the draws of an epoch gain.
func guideBits(n int) int {
	return min(max(bits.Len64(3*uint64(n)), minGuideBits), maxGuideBits)
}

// buildGuide sets the guide of the list's prefix sums, and its shift.
func (t *Table) buildGuide() {
	t.shift = uint(max(0, bits.Len64(t.total-1)-guideBits(t.n)))
	if t.n <= maxLen16 {
		t.guide16 = newGuide[uint16](t.sums[:t.n], t.total, t.shift)
	} else {
		t.guide32 = newGuide[uint32](t.sums[:t.n], t.total, t.shift)
	}
}

// newGuide returns the first index whose prefix sum is above b << shift for
// every bucket b, and behind them the last index that can be drawn: what x gives
// lies between the entries of its bucket and of the next one, both included.
//
// It is made without branches on the weights. Sum i starts to be passed over at
// the first bucket whose smallest x is at least that sum; i+1 is noted there,
// the last of several being the one to keep. The entry of a bucket is then the
// largest number noted up to it.
func newGuide[G uint16 | uint32](sums []uint64, total uint64, shift uint) []G {
	buckets := (total-1)>>shift + 1
	guide := make([]G, buckets+1)
	shift &= 63 // spares the compiler its test for more
	mask := uint64(1)<<shift - 1
	last := len(sums) - 1
	for i, sum := range sums {
		if sum == total {
			last = i // the weights behind it are zero
			break
		}
		guide[sum>>shift+(sum&mask+mask)>>shift] = G(i + 1) // sum / width, rounded up
	}
	var first G
	for b, g := range guide {
		first = max(first, g)
		guide[b] = first
	}
	guide[buckets] = G(last)
	return guide
}
