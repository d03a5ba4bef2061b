package wsample

import (
	"fmt"
	"math"
	"slices"

	"github.com/schedgen/schedgen/chacha20rng"
	"github.com/schedgen/schedgen/internal/cpu"
	"github.com/schedgen/schedgen/internal/guide"
)

const (
	maxTableLen = math.MaxUint32 // an index fits uint32
	maxLen16    = 1 << 16        // an index fits uint16

	// sumsPad is how many sums of 2^64-1 lie behind the last one, so that a
	// lookup may read eight of them from any index.
	sumsPad = 8
)

// Table draws indices with replacement, each with the probability of its
// weight: rand 0.8's WeightedIndex<u64>. Only Reset changes it: any number of
// goroutines may draw from it, each with its own RNG. The zero Table has no
// weights; it waits for Reset.
type Table struct {
	n     int
	total uint64
	zone  chacha20rng.Zone

	guide   guide.Table // Sums has sumsPad more; Entries are of up to maxLen16 weights
	guide32 []uint32    // the entries for more
	fine    bool        // buckets enough for most draws to end at the first or second sum

	backend cpu.Backend // that makes the guide; "" is the machine's choice
}

// NewTable returns the table of a list of weights, which it copies. A weight of
// zero is allowed and never drawn. The errors are ErrEmpty for no weights,
// ErrZeroWeight when all are zero, ErrOverflow when they add up to more than
// 2^64-1, and ErrTooMany for more than 2^32-1 of them.
func NewTable(weights []uint64) (*Table, error) {
	t := new(Table)
	if err := t.Reset(weights); err != nil {
		return nil, err
	}
	return t, nil
}

// Reset makes t the table of another list, as NewTable does, in the memory that t
// has as far as it suffices. Nobody may use t meanwhile. After an error t is what
// it was.
func (t *Table) Reset(weights []uint64) error {
	b := t.backend
	if b == "" {
		// A name in SCHEDGEN_BACKEND that cannot be had is reported by others;
		// the table is the same with any backend.
		var err error
		if b, err = cpu.Resolve(""); err != nil {
			b = cpu.Generic
		}
	}
	return t.reset(weights, b)
}

// SetBackend lets the named backend make the table at the next Reset, as
// chacha20rng's SetBackend does for words; the empty name and "auto" leave the
// choice to the machine. The table does not depend on it. Draws are made by the
// backend of their RNG.
func (t *Table) SetBackend(name string) error {
	b, err := cpu.Resolve(name)
	if err != nil {
		return fmt.Errorf("wsample: %w", err)
	}
	t.backend = b
	return nil
}

func (t *Table) reset(weights []uint64, b cpu.Backend) error {
	total, err := tableTotal(weights)
	if err != nil {
		return err
	}
	t.n, t.total, t.zone = len(weights), total, chacha20rng.Modulo(total)
	t.guide.Sums = slices.Grow(t.guide.Sums[:0], t.n+sumsPad)[:t.n+sumsPad]
	sums := t.guide.Sums[:len(weights)]
	var sum uint64
	for i, w := range weights {
		sum += w
		sums[i] = sum
	}
	for i := range sumsPad {
		t.guide.Sums[t.n+i] = math.MaxUint64
	}
	t.buildGuide(b)
	return nil
}

// tableTotal returns the sum of the weights, or the first reason why they cannot
// make a table.
func tableTotal(weights []uint64) (uint64, error) {
	if len(weights) == 0 {
		return 0, fmt.Errorf("%w: a table needs at least one", ErrEmpty)
	}
	if err := checkLen(uint64(len(weights)), maxTableLen); err != nil {
		return 0, err
	}
	var total uint64
	for i, w := range weights {
		if total += w; total < w {
			return 0, fmt.Errorf("%w: it passes at index %d, weight %d", ErrOverflow, i, w)
		}
	}
	if total == 0 {
		return 0, fmt.Errorf("%w: all %d of them are, a table needs one above", ErrZeroWeight, len(weights))
	}
	return total, nil
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
	case t.n <= maxLen16:
		return lookup(x, t.guide.Sums, t.guide.Entries, t.guide.Shift)
	default:
		return lookup(x, t.guide.Sums, t.guide32, t.guide.Shift)
	}
}
