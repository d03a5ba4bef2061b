package noderpc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/gagliardetto/solana-go/rpc"

	"github.com/schedgen/schedgen/schedule"
)

// Leaders are leader slots as getLeaderSchedule has them: the slot indices of
// each identity, ascending. No index has two leaders.
type Leaders map[schedule.Pubkey][]schedule.Index

// UnmarshalJSON refuses what encoding/json would take without a word: an
// identity that is there twice, and a null.
func (l *Leaders) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	if open, err := d.Token(); err != nil {
		return err
	} else if open != json.Delim('{') {
		return errors.New("it is no object of identities")
	}
	leaders := Leaders{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		// d has seen to it that it is a string.
		key, err := schedule.ParsePubkey(fmt.Sprint(name))
		if err != nil {
			return err
		}
		var indices []schedule.Index
		if err := d.Decode(&indices); err != nil {
			return fmt.Errorf("slots of %v: %w", key, jsonError(err))
		}
		if _, ok := leaders[key]; ok || indices == nil {
			return fmt.Errorf("slots of %v: want one list", key)
		}
		leaders[key] = indices
	}
	if _, err := d.Token(); err != nil {
		return err
	}
	if err := leaders.check(); err != nil {
		return err
	}
	*l = leaders
	return nil
}

// check looks for indices that do not ascend or have two leaders.
func (l Leaders) check() error {
	n := 0
	for key, indices := range l {
		for i := 1; i < len(indices); i++ {
			if indices[i] <= indices[i-1] {
				return fmt.Errorf("slots of %v: index %d follows %d, want them ascending", key, indices[i], indices[i-1])
			}
		}
		n += len(indices)
	}
	all := make([]schedule.Index, 0, n)
	for _, indices := range l {
		all = append(all, indices...)
	}
	slices.Sort(all)
	for i := 1; i < len(all); i++ {
		if all[i] == all[i-1] {
			return fmt.Errorf("index %d has two leaders", all[i])
		}
	}
	return nil
}

// LeaderSchedule asks getLeaderSchedule for the epoch of a slot, or for that of
// the bank when slot is nil, and for the slots of one identity when that is not
// nil. An identity without slots has none in the result; an epoch that the node
// does not know is an [ErrUnavailable].
func (c *Client) LeaderSchedule(ctx context.Context, slot *schedule.Slot, identity *schedule.Pubkey) (Leaders, error) {
	return c.leaders(ctx, slot, identity, rpc.M{})
}

// VoteSchedule is [Client.LeaderSchedule] by vote account instead of identity.
// identity still is one. A node older than this option answers by identity all
// the same, so that the keys must be held against the vote accounts.
func (c *Client) VoteSchedule(ctx context.Context, slot *schedule.Slot, identity *schedule.Pubkey) (Leaders, error) {
	return c.leaders(ctx, slot, identity, rpc.M{"keyByVoteAccount": true})
}

func (c *Client) leaders(ctx context.Context, slot *schedule.Slot, identity *schedule.Pubkey, config rpc.M) (Leaders, error) {
	const method = "getLeaderSchedule"
	if identity != nil {
		config["identity"] = identity.String()
	}
	var params []any
	switch {
	case len(config) > 0:
		params = []any{slot, config} // null for no slot
	case slot != nil:
		params = []any{slot}
	}
	var leaders Leaders
	err := c.rpc.RPCCallForInto(ctx, &leaders, method, params)
	if errors.Is(err, errNull) {
		epoch := "the current epoch"
		if slot != nil {
			epoch = fmt.Sprintf("the epoch of slot %d", *slot)
		}
		return nil, c.call.fail(method, fmt.Errorf("leader schedule of %s: %w from this node, which keeps the current, the next and a few past ones",
			epoch, ErrUnavailable))
	}
	return leaders, err
}

// MaxSlotLeaders is the most that nodes answer to [Client.SlotLeaders].
const MaxSlotLeaders = 5000

// SlotLeaders asks getSlotLeaders: who leads limit slots from start on, across
// epochs.
func (c *Client) SlotLeaders(ctx context.Context, start schedule.Slot, limit uint64) ([]schedule.Pubkey, error) {
	keys, err := c.rpc.GetSlotLeaders(ctx, uint64(start), limit)
	if err != nil {
		return nil, err
	}
	if uint64(len(keys)) != limit {
		return nil, c.call.fail("getSlotLeaders", replyError("%d leaders, want %d", len(keys), limit))
	}
	leaders := make([]schedule.Pubkey, len(keys))
	for i, key := range keys {
		leaders[i] = schedule.Pubkey(key)
	}
	return leaders, nil
}
