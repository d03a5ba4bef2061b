package compare

import (
	"github.com/schedgen/schedgen/schedule"
)

// What a slot of an observation is when it is not the number of a leader.
const (
	unknown int32 = -1 - iota // nobody says who leads
	outside                   // somebody whom the observation is not about
)

// An observation is the other side's schedule, as numbers of leaders.
type observation struct {
	own    []int32        // by the other side's own index, as far as it can matter
	offset int            // what to add to get an index of the epoch
	slots  []int32        // by index of the epoch
	limits map[int32]bool // the leaders that it is about; nil when it is about all
	led    []bool         // by number, whether somebody leads a slot
}

// leads reports whether a leader has a slot.
func (o *observation) leads(id int32) bool { return int(id) < len(o.led) && o.led[id] }

// observe reads at most two epochs' slots of a side.
func observe(s *Side, offset int64, slots int, ids *numbers) observation {
	n := min(s.Leaders.Slots(), 2*maxExplained)
	o := observation{own: make([]int32, n), offset: int(offset), slots: make([]int32, slots)}
	silent := unknown
	if s.Only != nil {
		silent = outside
		o.limits = make(map[int32]bool, len(s.Only))
		for i := range s.Only {
			o.limits[ids.number(&s.Only[i])] = true
		}
	}
	var last schedule.Pubkey
	id := unknown // of last
	for i := range o.own {
		key, ok := s.Leaders.Leader(schedule.Index(i))
		switch {
		case !ok:
			o.own[i] = silent
		case id >= 0 && key == last:
			o.own[i] = id
		default:
			last, id = key, ids.number(&key)
			o.own[i] = id
		}
	}
	for i := range o.slots {
		o.slots[i] = unknown
		if at := i - o.offset; at >= 0 && at < len(o.own) {
			o.slots[i] = o.own[at]
		}
	}
	o.led = make([]bool, len(ids.keys))
	for _, id := range o.slots {
		if id >= 0 {
			o.led[id] = true
		}
	}
	return o
}

// A score says how well a way agrees with an observation.
type score struct {
	compared int // slots
	equal    int
	first    int // index of the first slot that differs, -1 when none does
}

func (s score) exact() bool { return s.first < 0 && s.compared > 0 }

// net is the slots that agree less those that do not.
func (s score) net() int { return 2*s.equal - s.compared }

// meet compares the slot of an index of the epoch.
func (o *observation) meet(s *score, i int, id int32) { o.meetAt(s, o.slots[i], i, id) }

// meetAt compares what is seen in a slot with a leader. A slot of somebody
// outside agrees with everybody outside, which shows little and is not counted.
func (o *observation) meetAt(s *score, seen int32, i int, id int32) {
	switch {
	case seen == id:
		s.compared++
		s.equal++
	case seen >= 0, seen == outside && o.limits[id]:
		s.compared++
		if s.first < 0 {
			s.first = i
		}
	}
}
