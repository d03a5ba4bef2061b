package rpctest

import (
	"time"

	"github.com/gagliardetto/solana-go"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/slotclock"
)

// A Cluster is what the node knows.
type Cluster struct {
	Genesis       schedule.Pubkey // hash
	EpochSchedule schedule.EpochSchedule
	Slot          schedule.Slot // of the finalized bank
	Ahead         schedule.Slot // slots from there to the processed and confirmed bank
	VoteAccounts  []noderpc.VoteAccount
	// Leaders are the schedules that the node keeps, by epoch and identity.
	Leaders map[uint64]noderpc.Leaders
	// Votes are the same by vote account. A node without any is one that does not
	// know keyByVoteAccount.
	Votes   map[uint64]noderpc.Leaders
	Samples []slotclock.Sample // newest first
	// BlockTime tells the time of a slot's block, and false for a slot without one;
	// nil is a node that keeps no times.
	BlockTime func(schedule.Slot) (time.Time, bool)
	// Accounts are what getMultipleAccounts finds, beside nothing.
	Accounts map[schedule.Pubkey]noderpc.Account
}

// VoteAccountsOf returns vote accounts with the stakes of a list, all of which
// voted on a slot.
func VoteAccountsOf(entries []schedule.Entry, voted schedule.Slot) []noderpc.VoteAccount {
	accounts := make([]noderpc.VoteAccount, len(entries))
	for i, e := range entries {
		if e.Node.IsZero() {
			e.Node = e.Key
		}
		accounts[i] = noderpc.VoteAccount{Vote: e.Key, Node: e.Node, Stake: e.Stake, LastVote: voted, InEpochStakes: e.Stake > 0}
	}
	return accounts
}

// VoteAccountData returns a vote account of version 4 with a balance in lamports,
// for Cluster.Accounts.
func VoteAccountData(node schedule.Pubkey, bls bool, lamports uint64) noderpc.Account {
	const size, version, nodeAt, blsAt = 3762, 3, 4, 144
	data := make([]byte, size)
	data[0] = version
	copy(data[nodeAt:], node[:])
	if bls {
		data[blsAt] = 1
		copy(data[blsAt+1:], "a key of forty-eight bytes, compressed, as it were")
	}
	return noderpc.Account{Lamports: lamports, Owner: schedule.Pubkey(solana.VoteProgramID), Data: data}
}

// LeadersOf returns the leader slots of a schedule as nodes tell them.
func LeadersOf(s *schedule.Schedule) noderpc.Leaders {
	leaders := noderpc.Leaders{}
	for leader, indices := range s.Leaders() {
		for i := range indices {
			leaders[leader] = append(leaders[leader], i)
		}
	}
	return leaders
}

// VotesOf is LeadersOf by vote account.
func VotesOf(s *schedule.Schedule) noderpc.Leaders {
	votes := noderpc.Leaders{}
	for _, e := range s.Stakes().All() {
		for slot := range s.SlotsOfVote(e.Key) {
			votes[e.Key] = append(votes[e.Key], schedule.Index(slot-s.FirstSlot()))
		}
	}
	return votes
}

func (c *Cluster) slot(commitment noderpc.Commitment) schedule.Slot {
	if commitment == noderpc.Processed || commitment == noderpc.Confirmed {
		return c.Slot + c.Ahead
	}
	return c.Slot
}
