package wsample

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/schedgen/schedgen/chacha20rng"
)

const (
	maxTableLen = math.MaxUint32 // an index fits uint32
	maxLen16    = 1 << 16        // an index fits uint16

	// sumsPad is how many sums of 2^64-1 lie behind the last one, so that a
	// lookup may read eight of them from any index.
	sumsPad = 8
)

// Table draws indices with replacement, each with the probability of its
// weight: rand 0.8's WeightedIndex<u64>. It is immutable, and any number of
// goroutines may use it, each with its own RNG.
type Table struct {
	sums    []uint64 // sums[i] is the sum of weights 0 to i; sumsPad more follow
	n       int
	total   uint64
	zone    chacha20rng.Zone
	shift   uint     // x >> shift is the bucket of x
	guide16 []uint16 // for up to maxLen16 weights
	guide32 []uint32 // for more
}

// NewTable returns the table of a list of weights, which it copies. A weight of
// zero is allowed and never drawn. The errors are ErrEmpty for no weights,
// ErrZeroWeight when all are zero, ErrOverflow when they add up to more than
// 2^64-1, and ErrTooMany for more than 2^32-1 of them.
func NewTable(weights []uint64) (*Table, error) {
	n := len(weights)
	if n == 0 {
		return nil, fmt.Errorf("%w: a table needs at least one", ErrEmpty)
	}
	if err := checkLen(uint64(n), maxTableLen); err != nil {
		return nil, err
	}
	t := &Table{sums: make([]uint64, n+sumsPad), n: n}
	sums := t.sums[:n]
	var total, carry uint64
	for i, w := range weights {
		if total, carry = bits.Add64(total, w, 0); carry != 0 {
			return nil, fmt.Errorf("%w: it passes at index %d, weight %d", ErrOverflow, i, w)
		}
		sums[i] = total
	}
	if total == 0 {
		return nil, fmt.Errorf("%w: all %d of them are, a table needs one above", ErrZeroWeight, n)
	}
	for i := range sumsPad {
		t.sums[n+i] = math.MaxUint64
	}
	t.total = total
	t.zone = chacha20rng.Modulo(total)
	t.buildGuide()
	return t, nil
}

// Len returns the number of weights.
func (t *Table) Len() int { return t.n }

// Total returns the sum of the weights.
func (t *Table) Total() uint64 { return t.total }

// Map returns the first index whose prefix sum is above x: the index that a
// draw of x gives. It returns Len() when x is Total() or more.
func (t *Table) Map(x uint64) int {
	switch {
	case x >= t.total:
		return t.n
	case t.guide16 != nil:
		return lookup(x, t.sums, t.guide16, t.shift)
	default:
		return lookup(x, t.sums, t.guide32, t.shift)
	}
}
