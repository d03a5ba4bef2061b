//go:build !(amd64 && gc) || purego

package wsample

import "github.com/schedgen/schedgen/internal/cpu"

// lookup16 sets dst[i] to the index that x[i], below the total, gives, for a table
// of up to maxLen16 weights; this build has one function for it.
func (t *Table) lookup16(_ cpu.Backend, dst []uint16, x []uint64) { t.guide.Lookup(dst, x) }

// lookup32 is lookup16 for a table of more weights.
func (t *Table) lookup32(_ cpu.Backend, dst []uint32, x []uint64) {
	lookup32(dst, x, t.guide.Sums, t.guide32, t.guide.Shift)
}

// makeGuide16 makes a guide; this build has one function for it.
func makeGuide16(_ cpu.Backend, entries []uint16, sums []uint64, first int, shift uint) {
	makeGuide(entries, sums, first, shift)
}
