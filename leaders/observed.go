package leaders

import (
	"fmt"
	"iter"
	"slices"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/schedulefile"
)

// observed is a schedule that came from elsewhere, with the slots of its epoch.
type observed struct {
	*schedulefile.Observed
	epoch     uint64
	limitedTo []schedule.Pubkey
	names     []names // by number of a key
}

// names say what a key of a schedule stands for. Both may be true of none, where
// the slots that named it are lost.
type names struct {
	identity, vote bool
	node           uint32 // number of the identity of a vote account, or None
}

// FromObserved returns a schedule that came from elsewhere as a source. Slots
// without a leader are unknown. Where it was made for some identities alone, as
// the answer of getLeaderSchedule with an identity is, limitedTo names them: the
// slots that it leaves out are then known not to be theirs.
//
// The error is a schedulefile.ErrFit when o is of another epoch or has slots
// outside of this one, and otherwise one of Observed.Place.
func FromObserved(o *schedulefile.Observed, epoch uint64, es schedule.EpochSchedule, limitedTo ...schedule.Pubkey) (Source, error) {
	if o == nil {
		return nil, ErrNoSource
	}
	if o.Epoch != nil && *o.Epoch != epoch {
		return nil, fmt.Errorf("%s: %w: it is of epoch %d, want epoch %d", o.Source, schedulefile.ErrFit, *o.Epoch, epoch)
	}
	placed, err := o.Place(es.FirstSlot(epoch), es.SlotsIn(epoch))
	if err != nil {
		return nil, err
	}
	s := observed{placed, epoch, slices.Clone(limitedTo), slices.Repeat([]names{{node: schedulefile.None}}, len(o.Keys))}
	for i, leader := range placed.Leaders {
		if leader != schedulefile.None {
			s.names[leader].identity = true
		}
		if placed.Votes != nil && placed.Votes[i] != schedulefile.None {
			vote := &s.names[placed.Votes[i]]
			vote.vote = true
			if leader != schedulefile.None {
				vote.node = leader
			}
		}
	}
	return s, nil
}

func (o observed) Epoch() uint64            { return o.epoch }
func (o observed) FirstSlot() schedule.Slot { return *o.Observed.FirstSlot }
func (o observed) Slots() uint64            { return o.Observed.Slots }

// Staked implements [Source].
func (o observed) Staked(Key) (staked, known bool) { return false, false }

// Runs looks at every slot.
func (o observed) Runs(key Key, from schedule.Slot) iter.Seq[Run] {
	return func(yield func(Run) bool) {
		first := o.FirstSlot()
		i := uint64(max(from, first) - first)
		state := o.states(key)
		for n := o.Slots(); i < n; {
			start := i
			why, led := state(i)
			for i++; i < n; i++ {
				if nextWhy, nextLed := state(i); nextWhy != why || nextLed != led {
					break
				}
			}
			if why == "" && !led {
				continue
			}
			if !yield(Run{First: first + schedule.Slot(start), Last: first + schedule.Slot(i-1), Unknown: why}) {
				return
			}
		}
	}
}

// states returns what tells, of a slot index, whether the key leads the slot, or
// why that is not known.
func (o observed) states(key Key) func(i uint64) (why string, led bool) {
	number, is := uint32(schedulefile.None), names{node: schedulefile.None}
	if n := slices.Index(o.Keys, key.Pubkey); n >= 0 {
		number, is = uint32(n), o.names[n]
	}
	always := func(why string) func(uint64) (string, bool) {
		return func(uint64) (string, bool) { return why, false }
	}
	switch {
	case !key.Vote && is.vote && !is.identity:
		return always("it is a vote account in the schedule, no identity")
	case !key.Vote:
		return o.statesOfIdentity(number, slices.Contains(o.limitedTo, key.Pubkey))
	case o.Votes == nil:
		return always("the schedule names no vote accounts")
	case is.identity && !is.vote:
		return always("it is an identity in the schedule, no vote account")
	}
	return o.statesOfVote(number, is.node)
}

func (o observed) statesOfIdentity(number uint32, complete bool) func(i uint64) (why string, led bool) {
	why := o.hidden(complete)
	return func(i uint64) (string, bool) {
		if o.Leaders[i] == schedulefile.None {
			return why, false
		}
		return "", o.Leaders[i] == number
	}
}

// statesOfVote goes by the identity of the vote account where slots do not name
// theirs: in one schedule a vote account has one identity.
func (o observed) statesOfVote(number, node uint32) func(i uint64) (why string, led bool) {
	complete := node != schedulefile.None && slices.Contains(o.limitedTo, o.Keys[node])
	why := o.hidden(complete)
	return func(i uint64) (string, bool) {
		switch {
		case o.Votes[i] != schedulefile.None:
			return "", o.Votes[i] == number
		case o.Leaders[i] == schedulefile.None:
			return why, false
		case node != schedulefile.None && o.Leaders[i] != node:
			return "", false
		}
		return "the schedule names no vote account there", false
	}
}

// hidden says why it is not known who leads a slot without leader; "" when it is
// known not to be the key in question.
func (o observed) hidden(complete bool) string {
	switch {
	case complete:
		return ""
	case len(o.limitedTo) > 0:
		return "the schedule is limited to other leaders"
	}
	return "the schedule has no leader there"
}
