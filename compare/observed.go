package compare

import (
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/schedulefile"
)

// Observed returns the side of a schedule that was read from somewhere. With
// identities it is limited to them, see Side.Only; so it is to those that occur
// in it when it is an answer of getLeaderSchedule with gaps. In other formats a
// gap may be a slot that nobody knows the leader of, and counts as one.
//
// Slots behind the last one that o has are compared only when o knows its epoch:
// see its Place.
func Observed(o *schedulefile.Observed, identities ...schedule.Pubkey) Side {
	s := Side{Name: o.Source, Epoch: o.Epoch, FirstSlot: o.FirstSlot, Only: identities}
	if o.DigestOnly() {
		sum, _ := o.Digest()
		s.Digest = &sum
		return s
	}
	s.Leaders = observed{o}
	if s.Only == nil && o.Partial && o.Format == schedule.FormatRPC {
		s.Only = o.Keys // it has no vote accounts
	}
	return s
}

// observed gives the number of slots by a method.
type observed struct{ *schedulefile.Observed }

func (o observed) Slots() uint64 { return o.Observed.Slots }
