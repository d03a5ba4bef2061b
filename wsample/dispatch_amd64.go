//go:build gc && !purego

package wsample

import "github.com/schedgen/schedgen/internal/cpu"

// lookup16 sets dst[i] to the index that x[i], below the total, gives, for a table
// of up to maxLen16 weights.
func (t *Table) lookup16(b cpu.Backend, dst []uint16, x []uint64) {
	g, done := &t.guide, 0
	switch b {
	case cpu.AVX512:
		compare16(dst, x, g.Sums, g.Entries, g.Shift)
		return
	case cpu.AVX2:
		done = len(x) &^ 3
		step16(dst, x[:done], g.Sums, g.Entries, g.Shift)
	}
	g.Lookup(dst[done:], x[done:])
}

// lookup32 is lookup16 for a table of more weights.
func (t *Table) lookup32(b cpu.Backend, dst []uint32, x []uint64) {
	sums, shift, done := t.guide.Sums, t.guide.Shift, 0
	switch b {
	case cpu.AVX512:
		compare32(dst, x, sums, t.guide32, shift)
		return
	case cpu.AVX2:
		done = len(x) &^ 3
		step32(dst, x[:done], sums, t.guide32, shift)
	}
	lookup32(dst[done:], x[done:], sums, t.guide32, shift)
}

// makeGuide16 calls the function of a backend that makes a guide.
func makeGuide16(b cpu.Backend, entries []uint16, sums []uint64, first int, shift uint) {
	if b == cpu.AVX512 || b == cpu.AVX2 {
		makeGuideAVX2(entries, sums, first, shift)
	} else {
		makeGuide(entries, sums, first, shift)
	}
}
