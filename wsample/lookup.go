package wsample

import (
	"fmt"

	"github.com/schedgen/schedgen/chacha20rng"
)

// chunk is how many numbers are drawn before they are looked up: enough to keep
// both loops going, few enough to stay in the first cache beside the guide.
const chunk = 256

// Sample draws one index, using the words of r that one roll of the modulo zone
// of Total() takes.
func (t *Table) Sample(r *chacha20rng.RNG) int { return t.Map(r.Roll(t.zone)) }

// Sample16 draws len(dst) indices: the same ones, from the same words, as
// len(dst) calls of Sample. It returns ErrTooMany, and draws nothing, when an
// index may not fit: for more than 65,536 weights.
func (t *Table) Sample16(r *chacha20rng.RNG, dst []uint16) error {
	if t.guide16 == nil {
		return fmt.Errorf("%w: %d, 16-bit indices reach up to %d; use Sample32", ErrTooMany, t.n, maxLen16)
	}
	var rolls [chunk]uint64
	for len(dst) > 0 {
		x := rolls[:min(len(dst), chunk)]
		r.FillRolls(x, t.zone)
		lookupAll(dst[:len(x)], x, t.sums, t.guide16, t.shift)
		dst = dst[len(x):]
	}
	return nil
}

// Sample32 draws len(dst) indices: the same ones, from the same words, as
// len(dst) calls of Sample.
func (t *Table) Sample32(r *chacha20rng.RNG, dst []uint32) {
	var rolls [chunk]uint64
	for len(dst) > 0 {
		x := rolls[:min(len(dst), chunk)]
		r.FillRolls(x, t.zone)
		if t.guide16 != nil {
			lookupAll(dst[:len(x)], x, t.sums, t.guide16, t.shift)
		} else {
			lookupAll(dst[:len(x)], x, t.sums, t.guide32, t.shift)
		}
		dst = dst[len(x):]
	}
}
