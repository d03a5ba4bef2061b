package compare

// How far a way is followed that does not agree.
type patience uint8

const (
	// toFirst: to the first slot that differs.
	toFirst patience = iota
	// whileNear: to the end, unless few of the first slots agree.
	whileNear
	// toEnd: to the end.
	toEnd
)

const (
	// nearSlots is after how many slots whileNear looks back, and nearShare the
	// part of them, one in so many, that must agree.
	nearSlots = 4096
	nearShare = 8
)

// run derives a schedule in a way and compares it. It is false when there can be
// no such schedule, or patience ended.
func (x *examiner) run(y way, p patience) (s score, ok bool) {
	d, ok := x.drawer(y)
	if !ok {
		return s, false
	}
	return x.follow(&d, y.slotting, p)
}

// follow is run with a drawer.
func (x *examiner) follow(d *drawer, sl slotting, p patience) (s score, ok bool) {
	x.tried++
	s.first = -1
	whole := x.slots
	if sl.wraps {
		whole -= whole % int(sl.repeat)
	}
	front, looked := int32(unknown), false
	for start := 0; start < whole; {
		id := d.w.ids[d.row()]
		if start == 0 {
			front = id
		}
		end := whole
		if left := uint64(whole - start); sl.repeat < left {
			end = start + int(sl.repeat)
		}
		for ; start < end; start++ {
			x.seen.meet(&s, start, id)
		}
		switch {
		case s.first < 0:
		case p == toFirst:
			return s, false
		case p == whileNear && !looked && s.compared >= nearSlots:
			if looked = true; s.equal*nearShare < s.compared {
				return s, false
			}
		}
	}
	for i := whole; i < x.slots && whole > 0; i++ { // fewer than a rotation
		x.seen.meet(&s, i, front)
	}
	return s, true
}
