package rpc

import (
	"context"
	"errors"
	"fmt"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
)

// Errors are wrapped with the node's address and what it said; test for them with
// errors.Is. Failed calls are a *noderpc.CallError.
var (
	// ErrEpochTurned: each time the stakes were read, the epoch turned meanwhile.
	ErrEpochTurned = errors.New("the epoch turned while the stakes were read")
	// ErrEpochs: the node's epoch and the epoch schedule do not fit together.
	ErrEpochs = errors.New("epoch and epoch schedule contradict each other")
)

// attempts is how often stakes are read before ErrEpochTurned. An epoch lasts
// longer than a read, so that one more is enough, unless several nodes answer.
const attempts = 3

// Read asks a node for the stakes of its finalized bank: one list, of the epoch
// whose schedule they lead, without the vote accounts that have no stake.
//
// All is asked at the commitment "finalized". A finalized slot has one block for
// ever, and the finalized slot of a node never goes back: when it is the same
// before and after the stakes were read, it is theirs. A processed or confirmed
// slot may be there in two forks. The address must be one node's for that.
func Read(ctx context.Context, c *noderpc.Client) (*list.Set, error) {
	genesis, err := c.GenesisHash(ctx)
	if err != nil {
		return nil, err
	}
	es, err := c.EpochSchedule(ctx)
	if err != nil {
		return nil, err
	}
	r, err := readOneEpoch(ctx, c, es)
	if err != nil {
		return nil, err
	}
	epoch, slot := es.LeaderScheduleEpoch(r.before.AbsoluteSlot), r.before.AbsoluteSlot
	l := list.List{HasVotes: true, Provenance: list.Provenance{
		Kind: list.KindRPC, Source: c.Address(),
		Cluster: list.ClusterOf(genesis), GenesisHash: &genesis, EpochSchedule: &es,
		Epoch: &epoch, Slot: &slot,
	}}
	l.Provenance.Vintage, l.Provenance.Reason = vintage(es, r.before.AbsoluteSlot, r.after.AbsoluteSlot)
	if r.after.AbsoluteSlot < r.before.AbsoluteSlot {
		l.Provenance.Note("slot %d was answered after slot %d: several nodes share the address", r.after.AbsoluteSlot, r.before.AbsoluteSlot)
	}
	addEntries(&l, r.accounts)
	if len(l.Entries) == 0 {
		return nil, fmt.Errorf("%s: %w: none of %d vote accounts has any", c.Address(), schedule.ErrNoStake, len(r.accounts))
	}
	if err := addAccounts(ctx, c, &l); err != nil {
		return nil, err
	}
	return &list.Set{Lists: []list.List{l}}, nil
}

// A reading is vote accounts, and where the node was before and after they were
// read: in one epoch.
type reading struct {
	before, after noderpc.EpochInfo
	accounts      []noderpc.VoteAccount
}

func readOneEpoch(ctx context.Context, c *noderpc.Client, es schedule.EpochSchedule) (r reading, err error) {
	for range attempts {
		if r.before, err = epochInfo(ctx, c, es); err != nil {
			return r, err
		}
		if r.accounts, err = c.VoteAccounts(ctx); err != nil {
			return r, err
		}
		if r.after, err = epochInfo(ctx, c, es); err != nil {
			return r, err
		}
		if es.LeaderScheduleEpoch(r.before.AbsoluteSlot) == es.LeaderScheduleEpoch(r.after.AbsoluteSlot) && r.before.Epoch == r.after.Epoch {
			return r, nil
		}
	}
	return r, fmt.Errorf("%s: %w: from slot %d of epoch %d to slot %d of epoch %d, %d times; want the address of one node",
		c.Address(), ErrEpochTurned, r.before.AbsoluteSlot, r.before.Epoch, r.after.AbsoluteSlot, r.after.Epoch, attempts)
}

// epochInfo asks where the node is, and whether its epochs are those of es.
func epochInfo(ctx context.Context, c *noderpc.Client, es schedule.EpochSchedule) (noderpc.EpochInfo, error) {
	info, err := c.EpochInfo(ctx, noderpc.Finalized)
	if err != nil {
		return info, err
	}
	epoch, i := es.EpochOf(info.AbsoluteSlot)
	if slots := es.SlotsIn(epoch); epoch != info.Epoch || i != info.SlotIndex || slots != info.SlotsInEpoch {
		return info, fmt.Errorf("%s: %w: slot %d is index %d of %d in epoch %d by getEpochInfo, %d of %d in epoch %d by getEpochSchedule",
			c.Address(), ErrEpochs, info.AbsoluteSlot, info.SlotIndex, info.SlotsInEpoch, info.Epoch, i, slots, epoch)
	}
	return info, nil
}

// addEntries takes the vote accounts that have stake.
func addEntries(l *list.List, accounts []noderpc.VoteAccount) {
	var nobody uint64
	for _, a := range accounts {
		switch {
		case a.Stake == 0:
		case a.Node.IsZero():
			nobody++
		default:
			l.Entries = append(l.Entries, schedule.Entry{Key: a.Vote, Node: a.Node, Stake: a.Stake})
		}
	}
	if nobody > 0 {
		l.Provenance.Note("%s with stake and without an identity left out", count(nobody, "vote account"))
	}
}
