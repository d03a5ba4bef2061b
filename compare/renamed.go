package compare

import (
	"math"

	"github.com/schedgen/schedgen/schedule"
)

// IdentityChange is an entry whose slots another identity leads on the other
// side.
type IdentityChange struct {
	Key   schedule.Pubkey  `json:"key"`          // vote account, or identity
	From  schedule.Pubkey  `json:"from"`         // identity in the list
	To    *schedule.Pubkey `json:"to,omitempty"` // on the other side; nil: none of those that it is limited to
	Slots int              `json:"slots"`        // in which that shows
}

// renamed looks for other identities that make a way the other side: every row
// must have one and the same leader in all of its slots. It returns the rows with
// another one than the list says, or false when there is no such way, or too
// little to tell it from chance.
func (x *examiner) renamed(y way) (changes []IdentityChange, s score, ok bool) {
	d, ok := x.drawer(y)
	if !ok {
		return nil, s, false
	}
	x.tried++
	leader := make([]int32, len(d.w.rows)) // seen, by row
	slots := make([]int, len(d.w.rows))
	for row := range leader {
		leader[row] = unknown
	}
	bits := 0.0
	s.first = -1
	for start := 0; start < x.slots; {
		row, end := d.row(), start+int(min(y.repeat, uint64(x.slots-start)))
		again := leader[row] != unknown
		for ; start < end; start++ {
			seen := x.seen.slots[start]
			switch {
			case seen == unknown:
				continue
			case leader[row] == unknown:
				leader[row] = seen
			case leader[row] != seen:
				return nil, s, false
			case again && seen >= 0: // once a rotation
				again = false
				bits -= math.Log2(float64(d.w.stake(row)) / float64(d.w.total()))
			}
			slots[row]++
			x.seen.meet(&s, start, d.w.ids[row])
		}
	}
	for row, id := range leader {
		if id == unknown || id == d.w.ids[row] || id == outside && !x.seen.limits[d.w.ids[row]] {
			continue
		}
		c := IdentityChange{Key: d.w.rows[row].Key, From: d.w.rows[row].Node, Slots: slots[row]}
		if id >= 0 {
			to := x.ids.keys[id]
			c.To = &to
		}
		changes = append(changes, c)
	}
	return changes, s, len(changes) > 0 && bits >= enoughBits
}
