package leaders

import (
	"iter"

	"github.com/schedgen/schedgen/schedule"
)

// derived is a schedule of this module, of which every slot is known.
type derived struct {
	*schedule.Schedule
	apart bool // some entry of the stake list has an identity beside its key
}

// FromSchedule returns a derived schedule as a source; nil for none. A question
// that its stake list cannot answer is unknown: about a vote account where slots
// were drawn by identity, about any other key where the list has no identities
// beside its vote accounts, and about a key that is of the other kind in the list.
func FromSchedule(s *schedule.Schedule) Source {
	if s == nil || s.Stakes() == nil {
		return nil
	}
	d := derived{Schedule: s}
	for _, e := range s.Stakes().All() {
		if e.Key != e.Node {
			d.apart = true
			break
		}
	}
	return d
}

// Runs yields one rotation after another.
func (d derived) Runs(key Key, from schedule.Slot) iter.Seq[Run] {
	return func(yield func(Run) bool) {
		from := max(from, d.FirstSlot())
		last := d.FirstSlot() + schedule.Slot(d.Slots()-1)
		if from > last {
			return
		}
		node, leads := d.node(key)
		if !leads {
			if why := d.unknown(key); why != "" {
				yield(Run{First: from, Last: last, Unknown: why})
			}
			return
		}
		var buf [32]schedule.Slot
		for next := from; ; {
			found := d.NextLeaderSlots(buf[:0], node, next, len(buf))
			if len(found) == 0 {
				return
			}
			for _, slot := range found {
				if slot < next {
					continue // in the rotation before
				}
				end := d.rotationEnd(slot, last)
				if vote, _ := d.VoteAt(slot); !key.Vote || vote == key.Pubkey {
					if !yield(Run{First: slot, Last: end}) {
						return
					}
				}
				if end == last {
					return
				}
				next = end + 1
			}
		}
	}
}

// rotationEnd returns the last slot of the rotation that a slot is in.
func (d derived) rotationEnd(slot, last schedule.Slot) schedule.Slot {
	repeat := uint64(d.Repeat())
	rest := repeat - 1 - uint64(slot-d.FirstSlot())%repeat
	return slot + schedule.Slot(min(rest, uint64(last-slot)))
}

// node returns the identity that leads the slots of a key, if it has any.
func (d derived) node(key Key) (node schedule.Pubkey, leads bool) {
	if key.Vote {
		for slot := range d.SlotsOfVote(key.Pubkey) {
			return d.LeaderAt(slot)
		}
		return node, false
	}
	var buf [1]schedule.Slot
	return key.Pubkey, len(d.NextLeaderSlots(buf[:0], key.Pubkey, d.FirstSlot(), 1)) > 0
}

// unknown says why the stake list does not tell about a key that leads nothing;
// "" when it does.
func (d derived) unknown(key Key) string {
	byVote := d.Stakes().Keying() == schedule.KeyedByVote
	drawn, leader := d.find(key.Pubkey)
	switch {
	case key.Vote && !byVote:
		return "slots were drawn by identity, for no vote account"
	case !byVote:
		return ""
	case !d.apart && !drawn:
		return "the stake list has no identities beside the keys that were drawn"
	case key.Vote && leader && !drawn:
		return "it is an identity in the stake list, no vote account"
	case !key.Vote && drawn && !leader:
		return "it is a vote account in the stake list, no identity"
	}
	return ""
}

// find reports whether slots are drawn for a key, and whether it leads what is
// drawn for some entry.
func (d derived) find(key schedule.Pubkey) (drawn, leader bool) {
	for _, e := range d.Stakes().All() {
		drawn = drawn || e.Key == key
		leader = leader || e.Node == key
	}
	return drawn, leader
}

// Staked implements [Source].
func (d derived) Staked(key Key) (staked, known bool) {
	if d.unknown(key) != "" {
		return false, false
	}
	drawn, leader := d.find(key.Pubkey)
	if key.Vote {
		return drawn, true
	}
	return leader, true
}
