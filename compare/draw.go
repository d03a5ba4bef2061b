package compare

import (
	"math"
	"math/bits"
	"sort"

	"github.com/schedgen/schedgen/schedule"
)

// A drawer draws the rows of a way one after another. It is the derivation of a
// schedule written plainly, with a switch for each mistake.
type drawer struct {
	w       *weights
	words   *stream
	next    int // the word after the last one used
	how     rolling
	total   uint64
	lo, hi  uint64 // low halves that are accepted
	changed changedRow
}

// newDrawer returns a drawer at the beginning of an epoch; false when the total
// would be no number of 64 bits above zero.
func newDrawer(w *weights, words *stream, how rolling) (drawer, bool) {
	d := drawer{w: w, words: words, how: how, changed: changedRow{from: math.MaxUint64}}
	total := w.total() + uint64(how.extra)
	if how.extra > 0 && total < w.total() {
		return d, false
	}
	return d, d.setTotal(total)
}

// A changedRow has another stake than in the list, or none, and the place in the
// order that goes with it.
//
// With less stake it moves back. The sums of the rows that it leaves in front of it
// become smaller by its old stake, those behind its new place by the difference. So
// a draw before its old place falls on what it fell on; one up to the new place on
// what one greater by the old stake fell on; then come those on the row itself;
// and those behind fall on what ones greater by the difference fell on. With more
// stake it moves to the front: draws on the row itself come first, those on the
// rows that it passed are smaller by its new stake, and those behind by the
// difference.
type changedRow struct {
	row      int
	from, at uint64 // draws in [from, at) fall on what those greater by passed did
	end      uint64 // those in [at, end) on the row
	until    uint64 // those in [end, until) on what those greater by behind did
	passed   uint64
	behind   uint64
	after    uint64 // the others on what those greater by after did; all modulo 2^64
}

// without returns d without a row; false when there is no other.
func (d drawer) without(row int) (drawer, bool) {
	if len(d.w.rows) < 2 {
		return d, false
	}
	return d.with(row, 0)
}

// with returns d with another stake of a row; false when the total has more than
// 64 bits. The rows must be in the right order.
func (d drawer) with(row int, stake uint64) (drawer, bool) {
	old, sums := d.w.stake(row), d.w.sums
	other := schedule.Entry{Key: d.w.rows[row].Key, Stake: stake}
	place := sort.Search(len(d.w.rows), func(i int) bool { return compareRows(&d.w.rows[i], &other) > 0 })
	total := d.total - old + stake
	if stake > old {
		if total < d.total {
			return d, false
		}
		at := sums[place]
		end := at + stake
		d.changed = changedRow{row: row, from: at, at: at, end: end, until: sums[row] + stake, behind: -stake, after: old - stake}
	} else {
		at := sums[place] - old
		end := at + stake
		d.changed = changedRow{row: row, from: sums[row], at: at, end: end, until: end, passed: old, after: old - stake}
	}
	return d, d.setTotal(total)
}

func (d *drawer) setTotal(total uint64) bool {
	if total == 0 {
		return false
	}
	rest := -total % total // 2^64 mod total
	d.total, d.lo, d.hi = total, 0, math.MaxUint64
	switch d.how.roll {
	case rollModulo:
		d.hi -= rest
	case rollShift:
		d.hi = total<<bits.LeadingZeros64(total) - 1
	case rollLowEnd:
		d.lo = rest
	}
	return true
}

// draw returns the next number below the total.
func (d *drawer) draw() uint64 {
	for {
		x := d.words.word(d.next)
		d.next++
		high, low := bits.Mul64(x, d.total)
		switch d.how.roll {
		case rollRemainder:
			return x % d.total
		case rollCanon:
			return d.canon(high, low)
		}
		if low >= d.lo && low <= d.hi {
			return high
		}
	}
}

// canon adds what a second word carries into a draw that it could change.
func (d *drawer) canon(high, low uint64) uint64 {
	if low <= -d.total { // 2^64 - total
		return high
	}
	more, _ := bits.Mul64(d.words.word(d.next), d.total)
	d.next++
	_, carry := bits.Add64(low, more, 0)
	return high + carry
}

// row returns the next row drawn.
func (d *drawer) row() int { return d.rowOf(d.draw()) }

// rowOf returns the row that a draw falls on.
func (d *drawer) rowOf(x uint64) int {
	if d.how.atLeast {
		if x == 0 {
			return 0
		}
		x-- // the first sum that is at least x is the first one above x-1
	}
	if c := &d.changed; x >= c.from {
		switch {
		case x < c.at:
			x += c.passed
		case x < c.end:
			return c.row
		case x < c.until:
			x += c.behind
		default:
			x += c.after
		}
	}
	return min(d.w.table.Map(x), len(d.w.rows)-1) // behind the last one with a total too great
}
