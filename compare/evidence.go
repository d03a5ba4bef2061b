package compare

import "math"

// enoughBits is how surprising an agreement must be to mean something: some
// hundred thousand ways are tried, 2^17, and an agreement of so many bits by
// chance is left to one case in 2^23.
const enoughBits = 40

// Evidence is how much an observation can tell.
type evidence struct {
	rotations float64 // with a leader
	bits      float64 // by which two unrelated schedules that agree in all would surprise
	chance    float64 // slots that two unrelated schedules have in common, about
}

// weighEvidence measures an observation by the stakes of a list.
func weighEvidence(o *observation, w *weights, repeat uint64) evidence {
	shares := make([]float64, len(o.led))
	inside := 0.0
	for row, id := range w.ids {
		share := float64(w.stake(row)) / float64(w.total())
		if int(id) < len(shares) {
			shares[id] += share
		}
		if o.limits[id] {
			inside += share
		}
	}
	var e evidence
	step := int(min(repeat, uint64(len(o.slots))))
	for start := 0; start < len(o.slots); start += step {
		counted := false
		for _, id := range o.slots[start:min(start+step, len(o.slots))] {
			p := 1 - inside
			if id >= 0 {
				// One who is not in the list has some share that nobody knows.
				if p = shares[id]; p == 0 {
					p = 1 / float64(len(w.rows)+1)
				}
				e.chance += shares[id]
			}
			if id == unknown || counted {
				continue
			}
			counted = true
			e.bits -= math.Log2(max(p, 1e-9))
			if id >= 0 {
				e.rotations++
			}
		}
	}
	return e
}
