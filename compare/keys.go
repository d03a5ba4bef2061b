package compare

import (
	"cmp"
	"slices"

	"github.com/schedgen/schedgen/schedule"
)

// KeyChange says how many of the slots compared a key leads on each side.
type KeyChange struct {
	Key    schedule.Pubkey `json:"key"`
	A      uint64          `json:"a"`      // slots on side A
	B      uint64          `json:"b"`      // slots on side B
	Lost   uint64          `json:"lost"`   // on A and not on B
	Gained uint64          `json:"gained"` // on B and not on A
}

// Net returns the slots gained less those lost.
func (c KeyChange) Net() int64 { return int64(c.B) - int64(c.A) }

type keyOf func(schedule.Index) (schedule.Pubkey, bool)

// comparing is the work of compareKeys.
type comparing struct {
	*Keys
	counts map[schedule.Pubkey]*KeyChange
	a, b   leading
}

// leading is who leads a slot on one side.
type leading struct {
	key   schedule.Pubkey
	known bool
	only  map[schedule.Pubkey]bool
	// count is that of the key before, since slots come in runs of one key.
	last  schedule.Pubkey
	count *KeyChange
}

// compareKeys compares all slots of two sides.
func compareKeys(a, b *Side, al Alignment, keyA, keyB keyOf, onlyA, onlyB map[schedule.Pubkey]bool) *Keys {
	c := &comparing{Keys: &Keys{Changes: []KeyChange{}}, counts: map[schedule.Pubkey]*KeyChange{}}
	c.a.only, c.b.only = onlyA, onlyB
	nA, nB := a.Leaders.Slots(), b.Leaders.Slots()
	from, to := al.span(nA, nB)
	for i := range nA {
		c.a.key, c.a.known = keyA(schedule.Index(i))
		if int64(i) < from || int64(i) >= to {
			c.alone(c.a.known, &c.OnlyA)
			continue
		}
		c.b.key, c.b.known = keyB(schedule.Index(int64(i) - al.Offset))
		c.slot(a, schedule.Index(i))
	}
	for i := range nB {
		if at := int64(i) + al.Offset; at < from || at >= to {
			_, known := keyB(schedule.Index(i))
			c.alone(known, &c.OnlyB)
		}
	}
	for _, count := range c.counts {
		if count.Lost+count.Gained > 0 {
			c.Changes = append(c.Changes, *count)
		}
	}
	slices.SortFunc(c.Changes, func(x, y KeyChange) int {
		return cmp.Or(cmp.Compare(abs(y.Net()), abs(x.Net())),
			cmp.Compare(y.Lost+y.Gained, x.Lost+x.Gained), x.Key.Compare(y.Key))
	})
	return c.Keys
}

// alone counts a slot that the other side does not have.
func (c *comparing) alone(known bool, only *uint64) {
	if known {
		*only++
	} else {
		c.Unknown++
	}
}

// slot counts a slot that both sides have.
func (c *comparing) slot(a *Side, i schedule.Index) {
	switch {
	case c.a.known && c.b.known:
		c.compared(a, i, c.a.key == c.b.key)
	case c.a.known && c.b.only == nil:
		c.OnlyA++
	case c.b.known && c.a.only == nil:
		c.OnlyB++
	case c.a.known && c.b.only[c.a.key], c.b.known && c.a.only[c.b.key]:
		c.compared(a, i, false) // the side that is silent says that it is somebody else
	case c.a.known || c.b.known:
		c.LeftOut++
	default:
		c.Unknown++
	}
}

func (c *comparing) compared(a *Side, i schedule.Index, equal bool) {
	c.Compared++
	if equal {
		c.Equal++
	} else {
		c.Different++
		c.first(a, i)
	}
	if c.a.known {
		count := c.count(&c.a)
		count.A++
		if !equal {
			count.Lost++
		}
	}
	if c.b.known {
		count := c.count(&c.b)
		count.B++
		if !equal {
			count.Gained++
		}
	}
}

func (c *comparing) count(l *leading) *KeyChange {
	if l.count == nil || l.last != l.key {
		l.last, l.count = l.key, c.counts[l.key]
		if l.count == nil {
			l.count = &KeyChange{Key: l.key}
			c.counts[l.key] = l.count
		}
	}
	return l.count
}

// first keeps the first slot that differs.
func (c *comparing) first(a *Side, i schedule.Index) {
	if c.First != nil {
		return
	}
	d := &SlotDifference{Index: i, Rotation: uint64(i) / a.repeat()}
	if a.FirstSlot != nil {
		slot := *a.FirstSlot + schedule.Slot(i)
		d.Slot = &slot
	}
	if key := c.a.key; c.a.known {
		d.A = &key
	}
	if key := c.b.key; c.b.known {
		d.B = &key
	}
	c.First = d
}

func abs(n int64) int64 {
	if n < 0 {
		return -n
	}
	return n
}
