package compare

import (
	"context"
	"math"
	"math/bits"
)

const (
	// mostTotals bounds the totals that go through the words rejected.
	mostTotals = 128 << 20
	// mostDerived bounds those of them that schedules are derived from.
	mostDerived = 500
	// oftenRejected is the share of words, one in so many, from which two rejected
	// words at once choose the totals to try: else there would be too many.
	oftenRejected = 700
	// surelyBits is by how many bits the other side must be more surprising than
	// there are stakes to choose from.
	surelyBits = 20
)

// totalsByCount returns the totals that go with how often the sought row leads:
// within eight times the spread of such a count.
func (s *stakeSearch) totalsByCount() (low, high uint64) {
	n := s.led[s.id]
	spread := 8*math.Sqrt(n) + 8
	all := float64(len(s.seen))
	share := func(n float64) uint64 {
		n = max(0, min(n, all-1))
		return uint64(n / (all - n) * float64(s.others))
	}
	// Other vote accounts of the identity may have led the rotations.
	least := n - spread
	if s.shared() {
		least = 0
	}
	low, most := s.others+max(1, share(least)), share(n+spread)
	high, carry := bits.Add64(s.others, most, 0)
	if carry != 0 {
		high = math.MaxUint64
	}
	return low, high
}

// tells reports whether a search leaves little to chance: the other side rejects
// those words and no others, and strays from the draws of the list in so many
// rotations, where a search among the rows and the totals left would find as much
// by chance once in 2^20.
func (s *stakeSearch) tells(r reach, rejected []int) bool {
	q, _ := bits.Div64(1, 0, r.low)
	share := max(float64(-(q*r.low)), 1) / (1 << 64)
	told := -float64(len(rejected))*math.Log2(share) - float64(len(s.seen))*math.Log2(1-share) + float64(s.strayed)
	choice := math.Log2(float64(r.high-r.low)+1) + math.Log2(float64(len(s.w.rows)))
	return told >= choice+surelyBits
}

// totals calls f for the totals that a search left and that reject the words that
// it found to be rejected, until f returns false.
//
// With q = floor(2^64 / t), the words rejected are those with x*t mod 2^64 >= q*t:
// those with (x-q)*t mod 2^64 < 2^64 - q*t.
func (s *stakeSearch) totals(ctx context.Context, r reach, rejected []int, f func(total uint64) bool) {
	sure := s.sureRejected(r, rejected)
	if len(sure) < 2 {
		step := (r.high-r.low)/mostDerived + 1
		for t := r.low; f(t) && r.high-t >= step; t += step {
		}
		return
	}
	last, _ := bits.Div64(1, 0, r.low)
	tried, more := 0, true
	for q, _ := bits.Div64(1, 0, r.high); more && q <= last; q++ {
		most := -(q * r.low) - 1
		try := func(t uint64) bool {
			if tried++; tried > mostTotals || tried&(1<<20-1) == 0 && ctx.Err() != nil {
				more = false
				return false
			}
			for _, x := range sure {
				if x*t < q*t {
					return true
				}
			}
			more = f(t)
			return more
		}
		if most > math.MaxUint64/oftenRejected {
			smallBoth(sure[0]-q, sure[1]-q, r.low, r.high, most, mostTotals-tried, try)
		} else {
			smallProducts(sure[0]-q, r.low, r.high, most, try)
		}
	}
}

// sureRejected returns the words that are surely rejected: a word that falls on
// the leader of the rotation before may have been taken, and the one for that
// rotation rejected.
func (s *stakeSearch) sureRejected(r reach, rejected []int) (words []uint64) {
	for i, at := range rejected {
		x := s.words.word(at)
		rotation := at - i
		probe := reach{low: r.low, high: r.high, first: r.first, last: r.last}
		if rotation > 0 && s.take(&probe, x, s.seen[rotation-1]) {
			continue
		}
		words = append(words, x)
	}
	return words
}
