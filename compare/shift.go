package compare

import (
	"cmp"
	"slices"
)

const (
	// mostPairs bounds the votes for shifts.
	mostPairs = 4 << 20
	// likelyShifts is how many of the shifts with the most votes are compared.
	likelyShifts = 3
)

// A moved schedule is one whose slots are counted from elsewhere: what a way
// gives to index i, the other side has at index i - by.
type moved struct {
	by    int
	turns bool // what moved out at one end comes in at the other
	score score
}

// moved looks for a shift that makes one way of deriving the other side; nil when
// there is none that makes more slots agree than none does.
//
// Every place where a leader of the other side begins to lead votes for the shifts
// to the places where the way lets the same leader begin. The true shift gets a
// vote from nearly each, any other one a few by chance. Leaders with few slots
// vote first, as they tell the most.
func (x *examiner) moved(y way) *moved {
	leaders, ok := x.leaders(y)
	if !ok || len(leaders) == 0 {
		return nil
	}
	var best *moved
	for _, by := range x.likely(leaders) {
		for _, m := range x.asMoved(leaders, by) {
			if best == nil || m.score.net() > best.score.net() {
				best = &m
			}
		}
	}
	return best
}

// leaders returns the leader of every slot in a way.
func (x *examiner) leaders(y way) ([]int32, bool) {
	d, ok := x.drawer(y)
	if !ok {
		return nil, false
	}
	out := make([]int32, 0, x.slots)
	for len(out) < x.slots {
		id := d.w.ids[d.row()]
		for range min(y.repeat, uint64(x.slots-len(out))) {
			out = append(out, id)
		}
	}
	return out, true
}

// begins lists by leader where each begins to lead.
func begins(slots []int32, leaders int) [][]int32 {
	at := make([][]int32, leaders)
	before := unknown
	for i, id := range slots {
		if id >= 0 && id != before && before != unknown {
			at[id] = append(at[id], int32(i))
		}
		before = id
	}
	return at
}

// likely returns the shifts with the most votes, modulo the number of slots.
func (x *examiner) likely(leaders []int32) []int {
	n := len(leaders)
	ours, theirs := begins(leaders, len(x.ids.keys)), begins(x.seen.own, len(x.ids.keys))
	pairs := func(id int) uint64 { return uint64(len(ours[id])) * uint64(len(theirs[id])) }
	var voters []int
	for id := range theirs {
		if pairs(id) > 0 {
			voters = append(voters, id)
		}
	}
	slices.SortStableFunc(voters, func(a, b int) int { return cmp.Compare(pairs(a), pairs(b)) })
	votes, cast := make([]uint32, n), uint64(0)
	for _, id := range voters {
		if cast >= mostPairs {
			break
		}
		// Some of the places of one who has too many vote for all.
		some := theirs[id][:min(uint64(len(theirs[id])), (mostPairs-cast)/uint64(len(ours[id]))+1)]
		cast += uint64(len(some)) * uint64(len(ours[id]))
		for _, their := range some {
			for _, our := range ours[id] {
				by := (int(our) - int(their)) % n
				if by < 0 {
					by += n
				}
				votes[by]++
			}
		}
	}
	votes[mod(x.seen.offset, n)] = 0 // no shift
	var top []int
	for range likelyShifts {
		most := 0
		for by := range votes {
			if votes[by] > votes[most] {
				most = by
			}
		}
		if votes[most] > 1 {
			top = append(top, most)
		}
		votes[most] = 0
	}
	return top
}

func mod(a, n int) int { return (a%n + n) % n }

// asMoved compares the other side with leaders that are moved: forwards, back,
// and, where the other side has as many slots as the epoch, in a circle.
func (x *examiner) asMoved(leaders []int32, by int) []moved {
	n := len(leaders)
	all := []moved{{by: by}, {by: by - n}}
	if len(x.seen.own) == n && x.whole() {
		turned := moved{by: by, turns: true}
		if by > n/2 {
			turned.by -= n
		}
		all = append(all, turned)
	}
	for k := range all {
		m := &all[k]
		m.score.first = -1
		x.tried++
		for i := range x.seen.own {
			at := i + m.by
			if m.turns {
				at = mod(at, n)
			}
			if at >= 0 && at < n {
				x.seen.meetAt(&m.score, x.seen.own[i], i, leaders[at])
			}
		}
		m.by -= x.seen.offset
	}
	return all
}
