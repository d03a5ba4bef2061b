package noderpc

import (
	"context"
	"encoding/json"

	"github.com/schedgen/schedgen/schedule"
)

// A VoteAccount is an element of the result of getVoteAccounts.
type VoteAccount struct {
	Vote  schedule.Pubkey
	Node  schedule.Pubkey // its identity now
	Stake uint64          // lamports, effective in the bank's epoch
	// LastVote is the last slot that it voted on, 0 when there is none.
	LastVote   schedule.Slot
	Delinquent bool // LastVote is more than 128 slots back
	// InEpochStakes says that it has stake in the epoch's recorded stakes: it may
	// lead in the bank's epoch.
	InEpochStakes bool
}

type voteAccount struct {
	Vote          *schedule.Pubkey `json:"votePubkey"`
	Node          *schedule.Pubkey `json:"nodePubkey"`
	Stake         *uint64          `json:"activatedStake"`
	LastVote      schedule.Slot    `json:"lastVote"`
	InEpochStakes bool             `json:"epochVoteAccount"`
}

// VoteAccounts asks getVoteAccounts of the finalized bank: all vote accounts, the
// current ones and then the delinquent ones, as the node orders them. Nodes leave
// out delinquent ones without stake.
func (c *Client) VoteAccounts(ctx context.Context) ([]VoteAccount, error) {
	const method = "getVoteAccounts"
	var r struct {
		Current    *[]json.RawMessage `json:"current"`
		Delinquent *[]json.RawMessage `json:"delinquent"`
	}
	if err := c.rpc.RPCCallForInto(ctx, &r, method, at(Finalized)); err != nil {
		return nil, err
	}
	if r.Current == nil || r.Delinquent == nil {
		return nil, c.call.fail(method, replyError("want current and delinquent"))
	}
	accounts := make([]VoteAccount, 0, len(*r.Current)+len(*r.Delinquent))
	seen := make(map[schedule.Pubkey]bool, cap(accounts))
	add := func(where string, array []json.RawMessage, delinquent bool) error {
		list, err := elements[voteAccount](where, array)
		if err != nil {
			return err
		}
		for i, a := range list {
			switch {
			case a.Vote == nil || a.Node == nil || a.Stake == nil:
				return replyError("%s[%d]: want votePubkey, nodePubkey and activatedStake", where, i)
			case seen[*a.Vote]:
				return replyError("%s[%d]: vote account %v is there twice", where, i, *a.Vote)
			}
			seen[*a.Vote] = true
			accounts = append(accounts, VoteAccount{*a.Vote, *a.Node, *a.Stake, a.LastVote, delinquent, a.InEpochStakes})
		}
		return nil
	}
	if err := add("current", *r.Current, false); err != nil {
		return nil, c.call.fail(method, err)
	}
	if err := add("delinquent", *r.Delinquent, true); err != nil {
		return nil, c.call.fail(method, err)
	}
	return accounts, nil
}
