// Package guidetest makes tables for tests, by their definition.
package guidetest

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"sort"

	"github.com/schedgen/schedgen/internal/guide"
)

// New returns the table of weights whose total is not 0, with about 2^guideBits
// buckets, and the total. Its slices end where what they have to hold ends.
func New(weights []uint64, guideBits int) (t *guide.Table, total uint64) {
	t = &guide.Table{}
	for _, w := range weights {
		total += w
		t.Sums = append(t.Sums, total)
	}
	t.Shift = uint(min(max(0, bits.Len64(total-1)-guideBits), 63))
	last := Rank(t.Sums, total-1)
	j := 0
	for bucket := range (total-1)>>t.Shift + 1 {
		for t.Sums[j] <= bucket<<t.Shift {
			j++
		}
		t.Entries = append(t.Entries, uint16(j))
	}
	t.Entries = append(t.Entries, uint16(last))
	t.Sums, t.Entries = slices.Clip(t.Sums), slices.Clip(t.Entries)
	return t, total
}

// Rank returns the first index whose sum is above x.
func Rank(sums []uint64, x uint64) int {
	return sort.Search(len(sums), func(i int) bool { return sums[i] > x })
}

// Shapes are the kinds of lists that Weights makes.
var Shapes = []string{"equal", "any", "cluster", "crowded", "gaps"}

// Weights returns n weights that sum to total, which is not 0: all equal but one;
// any; falling off as the stakes of a cluster do; one giant between tiny ones, which
// crowd in two buckets; with runs of zeros.
func Weights(shape string, n int, total uint64, seed uint64) []uint64 {
	rng := rand.New(rand.NewPCG(seed, 0))
	weights := make([]uint64, n)
	each := total / uint64(n)
	for i := range weights {
		switch shape {
		case "equal":
			weights[i] = each
		case "cluster":
			base := each / 8 * uint64(n) / uint64(i+n/16+1) // less than total/2 together
			weights[i] = base + rng.Uint64N(base/16+1)
		case "crowded":
			weights[i] = min(each, rng.Uint64N(3))
		case "gaps":
			if rng.IntN(20) < 3 {
				weights[i] = rng.Uint64N(each/2 + 1)
			}
		default:
			weights[i] = rng.Uint64N(each/2 + 1)
		}
	}
	var sum uint64
	for _, w := range weights {
		sum += w
	}
	weights[rng.IntN(n)] += total - sum // none of the shapes sums to more
	return weights
}
