package main

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"strings"
	"time"

	"github.com/schedgen/schedgen/leaders"
	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/schedulefile"
	"github.com/schedgen/schedgen/slotclock"
	"github.com/schedgen/schedgen/stakes/list"
	"github.com/schedgen/schedgen/stakes/voteaccount"
)

// isNodeAddress reports whether a source is a node and no file.
func isNodeAddress(name string) bool {
	scheme, _, found := strings.Cut(name, "://")
	return found && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

// A bookNode is a node that is asked for schedules, for the time, or for both.
type bookNode struct {
	given   string // address as it was given
	client  *noderpc.Client
	genesis schedule.Pubkey
	es      schedule.EpochSchedule

	slot       schedule.Slot // the newest that it works on
	clock      *slotclock.Clock
	measuredAt time.Time                 // of this machine
	known      map[uint64]leaders.Source // schedules by epoch, which do not change
}

// meetNode asks a node which cluster it is of.
func meetNode(ctx context.Context, address string, o noderpc.Options) (*bookNode, error) {
	client, err := noderpc.Dial(address, o)
	if err != nil {
		return nil, err
	}
	n := &bookNode{given: address, client: client, known: map[uint64]leaders.Source{}}
	if n.genesis, err = client.GenesisHash(ctx); err != nil {
		return nil, err
	}
	n.es, err = client.EpochSchedule(ctx)
	return n, err
}

// claim is what a node says of its cluster.
func (n *bookNode) claim() *list.Provenance {
	return &list.Provenance{
		Kind: list.KindRPC, Source: n.client.Address(),
		Cluster: list.ClusterOf(n.genesis), GenesisHash: &n.genesis, EpochSchedule: &n.es,
	}
}

// look asks at which slot the node is.
func (n *bookNode) look(ctx context.Context) error {
	info, err := n.client.EpochInfo(ctx, noderpc.Processed)
	if err != nil {
		return err
	}
	if epoch, i := n.es.EpochOf(info.AbsoluteSlot); epoch != info.Epoch || i != info.SlotIndex {
		return fmt.Errorf("%s: slot %d is index %d of epoch %d there, and index %d of epoch %d by its epoch schedule: want the address of one node",
			n.client.Address(), info.AbsoluteSlot, info.SlotIndex, info.Epoch, i, epoch)
	}
	n.slot = info.AbsoluteSlot
	return nil
}

const (
	// measureEvery is how long the duration of a slot counts as known.
	measureEvery = 5 * time.Minute
	// atTip is the standard error of when the newest slot of a node began.
	atTip = time.Second
	// apart is how far a node may be from this machine's time before one of them is
	// wrong: blocks have their time from a median of clocks.
	apart = 10 * time.Second
)

// timeline asks the node for the time. Its newest slot is what runs now, unless
// this machine's time says that the node is behind.
func (n *bookNode) timeline(ctx context.Context, now func() time.Time) (timeline, error) {
	if err := n.look(ctx); err != nil {
		return timeline{}, err
	}
	at := now()
	if n.clock == nil || at.Sub(n.measuredAt) >= measureEvery || at.Before(n.measuredAt) {
		clock, err := n.client.Clock(ctx)
		switch {
		case ctx.Err() != nil:
			return timeline{}, err
		case err != nil && n.clock == nil:
			slot := n.slot
			return timeline{slot: &slot, note: fmt.Sprintf("no times: %v", err)}, nil
		case err == nil:
			n.clock, n.measuredAt = &clock, at
		}
	}
	c := *n.clock
	began := c.TimeOf(n.slot)
	switch off := at.Sub(began.Time); {
	case off > apart+began.Band:
		return timeline{clock: &c, note: fmt.Sprintf("%s is at slot %d, which began %s ago by this machine's clock: it is behind, or that clock is wrong; slot %d is taken for the present one",
			n.client.Address(), n.slot, inWords(off), c.SlotAt(at))}, nil
	case off < -apart-began.Band:
		c.Slot, c.At, c.AtError = n.slot, at, atTip
		return timeline{clock: &c, note: fmt.Sprintf("this machine's clock is %s behind the blocks of %s, and times are by this machine's clock",
			inWords(-off), n.client.Address())}, nil
	}
	c.Slot, c.At, c.AtError = n.slot, at, atTip
	return timeline{clock: &c}, nil
}

// mostFiltered is how many identities are asked for one by one, and not by asking
// for the whole schedule.
const mostFiltered = 4

// schedule asks for the schedule of an epoch, as far as it is about keys. One that
// the node does not have is a noderpc.ErrUnavailable.
func (n *bookNode) schedule(ctx context.Context, epoch uint64, keys []leaders.Key) (leaders.Source, error) {
	if known, ok := n.known[epoch]; ok {
		return known, nil
	}
	s, err := n.askSchedule(ctx, epoch, keys)
	if err != nil {
		return nil, err
	}
	n.known[epoch] = s
	return s, nil
}

func (n *bookNode) askSchedule(ctx context.Context, epoch uint64, keys []leaders.Key) (leaders.Source, error) {
	first := n.es.FirstSlot(epoch)
	var only []schedule.Pubkey
	votes := false
	for _, key := range keys {
		only = append(only, key.Pubkey)
		votes = votes || key.Vote
	}
	if votes || len(only) > mostFiltered {
		byIdentity, err := n.client.LeaderSchedule(ctx, &first, nil)
		if err != nil {
			return nil, err
		}
		s, err := n.source(byIdentity, epoch)
		if err != nil || !votes {
			return s, err
		}
		byVote, err := n.client.VoteSchedule(ctx, &first, nil)
		if err != nil {
			return nil, err
		}
		return n.voteSource(s, byIdentity, byVote, epoch)
	}
	all := noderpc.Leaders{}
	for _, identity := range only {
		some, err := n.client.LeaderSchedule(ctx, &first, &identity)
		if err != nil {
			return nil, err
		}
		maps.Copy(all, some)
	}
	return n.source(all, epoch, only...)
}

// source takes what the node answered as the schedule of an epoch.
func (n *bookNode) source(answer noderpc.Leaders, epoch uint64, limitedTo ...schedule.Pubkey) (leaders.Source, error) {
	o, err := schedulefile.FromRPC(answer, n.es.SlotsIn(epoch))
	if err != nil {
		return nil, fmt.Errorf("%s: epoch %d: %w", n.client.Address(), epoch, err)
	}
	return leaders.FromObserved(o, epoch, n.es, limitedTo...)
}

// voteSource has a schedule by vote account beside that by identity. A node that
// does not know schedules by vote account answers those by identity again.
func (n *bookNode) voteSource(byIdentity leaders.Source, identities, votes noderpc.Leaders, epoch uint64) (leaders.Source, error) {
	for vote := range votes {
		if _, same := identities[vote]; same {
			return byIdentity, nil
		}
	}
	byVote, err := n.source(votes, epoch)
	if err != nil {
		return nil, err
	}
	return voteSource{byIdentity, byVote, identities, votes}, nil
}

// A voteSource is a schedule of which it is known for whom slots were drawn, from
// another answer than who leads them.
type voteSource struct {
	leaders.Source                // by identity
	byVote         leaders.Source // with vote accounts in the place of identities
	identities     noderpc.Leaders
	votes          noderpc.Leaders
}

// Runs implements [leaders.Source].
func (s voteSource) Runs(key leaders.Key, from schedule.Slot) iter.Seq[leaders.Run] {
	_, identity := s.identities[key.Pubkey]
	_, vote := s.votes[key.Pubkey]
	switch {
	case key.Vote && identity:
		return s.unknown(from, "it is an identity in the schedule, no vote account")
	case !key.Vote && vote:
		return s.unknown(from, "it is a vote account in the schedule, no identity")
	case key.Vote:
		return s.byVote.Runs(leaders.Identity(key.Pubkey), from)
	}
	return s.Source.Runs(key, from)
}

func (s voteSource) unknown(from schedule.Slot, why string) iter.Seq[leaders.Run] {
	return func(yield func(leaders.Run) bool) {
		last := s.FirstSlot() + schedule.Slot(s.Slots()-1)
		if from <= last {
			yield(leaders.Run{First: max(from, s.FirstSlot()), Last: last, Unknown: why})
		}
	}
}

// checkKinds asks whether keys are what their flags say. A schedule by identity
// does not tell: a vote account is not in it, and would seem to lead nothing. Keys
// that the node has no account of are missing. The error of the call itself is a *noderpc.CallError.
func (n *bookNode) checkKinds(ctx context.Context, keys []leaders.Key) (missing []leaders.Key, err error) {
	addresses := make([]schedule.Pubkey, len(keys))
	for i, key := range keys {
		addresses[i] = key.Pubkey
	}
	accounts, err := n.client.Accounts(ctx, addresses, 0, 0)
	if err != nil {
		return nil, err
	}
	for i, a := range accounts {
		switch {
		case a == nil:
			missing = append(missing, keys[i])
		case !keys[i].Vote && voteaccount.IsOwner(a.Owner):
			return nil, fmt.Errorf("%s: it is a vote account on %s, give --vote, or its identity", nameOf(keys[i]), n.client.Address())
		case keys[i].Vote && !voteaccount.IsOwner(a.Owner):
			return nil, fmt.Errorf("%s: it is no vote account on %s, its owner is %v", nameOf(keys[i]), n.client.Address(), a.Owner)
		}
	}
	return missing, nil
}
