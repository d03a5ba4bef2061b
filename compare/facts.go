package compare

import (
	"cmp"
	"slices"
)

const (
	// mostFacts bounds how many leaders are listed that one side lacks.
	mostFacts = 1000
	// quickDrift is how many rotations choose the inputs whose drift is followed.
	quickDrift = 400
)

// facts says what is seen whatever explains it.
func (x *examiner) facts(e *Explanation, w *weights) {
	e.Unlisted, e.Absent = x.unlisted(w), x.absent(w)
	if len(e.Hypotheses) == 0 || !e.Hypotheses[0].Exact {
		e.Drift = x.bestDrift()
	}
}

// unlisted returns the leaders that are not in the list, those with the most
// slots first.
func (x *examiner) unlisted(w *weights) (out []Unlisted) {
	slots, listed := make([]uint64, len(x.ids.keys)), make([]bool, len(x.ids.keys))
	for _, id := range w.ids {
		listed[id] = true
	}
	known, strange := uint64(0), uint64(0)
	for _, id := range x.seen.slots {
		if id < 0 {
			continue
		}
		known++
		slots[id]++
		if !listed[id] {
			strange++
		}
	}
	for id, n := range slots {
		if n > 0 && !listed[id] {
			u := Unlisted{Key: x.ids.keys[id], Slots: n}
			if x.seen.limits == nil && known > strange {
				u.Stake = uint64(float64(n) / float64(known-strange) * float64(w.total()))
			}
			out = append(out, u)
		}
	}
	slices.SortFunc(out, func(a, b Unlisted) int {
		return cmp.Or(cmp.Compare(b.Slots, a.Slots), a.Key.Compare(b.Key))
	})
	return out[:min(len(out), mostFacts)]
}

// absent returns the entries that ought to lead and do not, in the order of the
// list.
func (x *examiner) absent(w *weights) (out []Absent) {
	for _, row := range x.absentRows(w) {
		if len(out) == mostFacts {
			break
		}
		slots := x.expected(w, row) * float64(x.right.repeat)
		out = append(out, Absent{Entry(w.rows[row]), uint64(slots)})
	}
	return out
}

// bestDrift follows the other side along the draws of the inputs that it follows
// best at its beginning; nil when it follows none for more than half of the way.
func (x *examiner) bestDrift() *Drift {
	var best try
	most := 0
	for _, t := range x.inputs() {
		if f, ok := x.drift(t.way, quickDrift); ok && f.follow > most {
			best, most = t, f.follow
		}
	}
	if most == 0 {
		return nil
	}
	f, ok := x.drift(best.way, x.slots)
	if !ok || 2*f.follow < f.rotations || float64(f.follow) < 2*x.evidence.chance/float64(x.right.repeat) {
		return nil
	}
	return &Drift{best.mistakes, uint64(f.rotations), uint64(f.follow)}
}
