package compare

import (
	"context"
	"slices"

	"github.com/schedgen/schedgen/schedule"
)

// mostOneOf is how many entries are looked for that give the same.
const mostOneOf = 64

// surelyLed is how many rotations an entry is to lead, by its stake, for it to
// mean something that it leads none: so few happen by chance once in 160,000.
const surelyLed = 12

// A lack is a set of entries that the other side may lack.
type lack struct {
	removed []schedule.Entry // surely
	oneOf   []schedule.Entry // and one of these; none when removed are all
	score   score
	exact   bool
}

// missing looks for entries without which a way gives the other side: one of
// them, or those that ought to lead many rotations and lead none, or these and
// one more. It returns the best lack; nil when leaving out makes nothing better.
func (x *examiner) missing(ctx context.Context, y way) (*lack, error) {
	d, ok := x.drawer(y)
	if !ok {
		return nil, nil
	}
	best, err := x.missingOne(ctx, y, d, nil)
	if err != nil || best != nil && best.exact {
		return best, err
	}
	absent := x.absentRows(d.w)
	if len(absent) == 0 || len(absent) == len(d.w.rows) {
		return best, nil
	}
	var removed, rows []schedule.Entry
	for row, e := range d.w.rows {
		if _, found := slices.BinarySearch(absent, row); found {
			removed = append(removed, e)
		} else {
			rows = append(rows, e)
		}
	}
	w, err := weigh(rows, x.ids)
	if err != nil {
		return best, nil
	}
	if d, ok = newDrawer(w, d.words, y.rolling); !ok {
		return best, nil
	}
	all := d
	if s, ok := x.follow(&all, y.slotting, whileNear); ok {
		best = better(best, &lack{removed: removed, score: s, exact: s.exact()})
	}
	if best != nil && best.exact {
		return best, nil
	}
	more, err := x.missingOne(ctx, y, d, removed)
	return better(best, more), err
}

func better(a, b *lack) *lack {
	if a == nil || b != nil && (b.exact || b.score.equal > a.score.equal) {
		return b
	}
	return a
}

// missingOne leaves out one entry more than those removed already.
func (x *examiner) missingOne(ctx context.Context, y way, d drawer, removed []schedule.Entry) (*lack, error) {
	found := &lack{removed: removed}
	right := d
	baseline, _ := x.follow(&right, y.slotting, toFirst)
	furthest, at := baseline.first, -1
	for row := range d.w.rows {
		if row%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if d.w.alone[row] && x.seen.leads(d.w.ids[row]) {
			continue
		}
		w, ok := d.without(row)
		if !ok {
			continue
		}
		s, ok := x.follow(&w, y.slotting, toFirst)
		switch {
		case ok && s.exact():
			found.oneOf, found.score, found.exact = append(found.oneOf, d.w.rows[row]), s, true
			if len(found.oneOf) == mostOneOf {
				return found, nil
			}
		case s.first > furthest:
			furthest, at = s.first, row
		}
	}
	x.missingPart(y, d, found)
	if found.exact {
		return found, nil
	}
	if at < 0 {
		return nil, nil
	}
	w, _ := d.without(at)
	s, ok := x.follow(&w, y.slotting, whileNear)
	if !ok {
		return nil, nil
	}
	found.score, found.oneOf = s, []schedule.Entry{d.w.rows[at]}
	return found, nil
}

// missingPart leaves out vote accounts whose stake is a part of an identity's.
func (x *examiner) missingPart(y way, d drawer, found *lack) {
	if y.keying != schedule.KeyedByIdentity || len(found.removed) > 0 {
		return
	}
	row := make(map[schedule.Pubkey]int, len(d.w.rows))
	for i := range d.w.rows {
		row[d.w.rows[i].Node] = i
	}
	for _, e := range withStake(x.lists[y.list], y.merge) {
		i := row[e.Node]
		if e.Stake == d.w.stake(i) {
			continue // all of it
		}
		part, ok := d.with(i, d.w.stake(i)-e.Stake)
		if !ok {
			continue
		}
		if s, ok := x.follow(&part, y.slotting, toFirst); ok && s.exact() {
			found.oneOf, found.score, found.exact = append(found.oneOf, e), s, true
		}
	}
}

// absentRows returns the rows, ascending, that ought to lead surelyLed rotations
// of those that the other side has, and whose identities lead none.
func (x *examiner) absentRows(w *weights) (absent []int) {
	if x.seen.limits != nil {
		return nil // of those outside nothing is seen
	}
	for row, id := range w.ids {
		if !x.seen.leads(id) && x.expected(w, row) >= surelyLed {
			absent = append(absent, row)
		}
	}
	return absent
}

// expected returns how many of the other side's rotations a row is to lead.
func (x *examiner) expected(w *weights, row int) float64 {
	return float64(w.stake(row)) / float64(w.total()) * x.evidence.rotations
}
