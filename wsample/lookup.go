package wsample

import (
	"fmt"

	"github.com/schedgen/schedgen/chacha20rng"
	"github.com/schedgen/schedgen/internal/cpu"
)

// chunk is how many numbers are drawn before they are looked up: enough that the
// calls do not show, few enough to stay in the first cache beside the guide.
const chunk = 1024

// Sample draws one index, using the words of r that one roll of the modulo zone
// of Total() takes.
func (t *Table) Sample(r *chacha20rng.RNG) int { return t.Map(r.Roll(t.zone)) }

// Sample16 draws len(dst) indices: the same ones, from the same words, as
// len(dst) calls of Sample. It returns ErrTooMany, and draws nothing, when an
// index may not fit: for more than 65,536 weights.
func (t *Table) Sample16(r *chacha20rng.RNG, dst []uint16) error {
	if t.n == 0 {
		return fmt.Errorf("%w: the table was not made", ErrEmpty)
	}
	if t.n > maxLen16 {
		return fmt.Errorf("%w: %d, 16-bit indices reach up to %d; use Sample32", ErrTooMany, t.n, maxLen16)
	}
	t.sample16(r, dst)
	return nil
}

// sample16 is Sample16 for a table of 1 to maxLen16 weights.
func (t *Table) sample16(r *chacha20rng.RNG, dst []uint16) {
	b := cpu.Backend(r.Backend())
	if b == cpu.AVX512 && t.fine {
		r.FillRanks16(dst, t.zone, &t.guide)
		return
	}
	var rolls [chunk]uint64
	for len(dst) > 0 {
		x := rolls[:min(len(dst), chunk)]
		r.FillRolls(x, t.zone)
		t.lookup16(b, dst[:len(x)], x)
		dst = dst[len(x):]
	}
}

// Sample32 draws len(dst) indices: the same ones, from the same words, as
// len(dst) calls of Sample.
func (t *Table) Sample32(r *chacha20rng.RNG, dst []uint32) {
	switch {
	case t.n == 0:
		clear(dst) // no index, Len(), as Sample
	case t.n <= maxLen16:
		var indices [chunk]uint16
		for len(dst) > 0 {
			narrow := indices[:min(len(dst), chunk)]
			t.sample16(r, narrow)
			for i, index := range narrow {
				dst[i] = uint32(index)
			}
			dst = dst[len(narrow):]
		}
	default:
		var rolls [chunk]uint64
		for len(dst) > 0 {
			x := rolls[:min(len(dst), chunk)]
			r.FillRolls(x, t.zone)
			t.lookup32(cpu.Backend(r.Backend()), dst[:len(x)], x)
			dst = dst[len(x):]
		}
	}
}
