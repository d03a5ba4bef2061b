package noderpc

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"slices"

	"github.com/gagliardetto/solana-go/rpc"

	"github.com/schedgen/schedgen/schedule"
)

// An Account is what a node holds at an address.
type Account struct {
	Lamports uint64 // balance
	Owner    schedule.Pubkey
	Data     []byte        // the part that was asked for, as far as there is one
	Size     uint64        // of all data, bytes; 0 from nodes that do not tell it
	Slot     schedule.Slot // of the bank that it was read from
}

type account struct {
	Lamports *uint64          `json:"lamports"`
	Owner    *schedule.Pubkey `json:"owner"`
	Data     []string         `json:"data"` // text, encoding
	Size     uint64           `json:"space"`
}

// maxAccounts is the most that nodes answer in one call.
const maxAccounts = 100

// Accounts asks getMultipleAccounts of the finalized bank for the bytes [offset,
// offset+length) of accounts, 100 a call. The result is parallel to keys, with
// nil where there is no account.
func (c *Client) Accounts(ctx context.Context, keys []schedule.Pubkey, offset, length uint64) ([]*Account, error) {
	all := make([]*Account, 0, len(keys))
	for some := range slices.Chunk(keys, maxAccounts) {
		accounts, err := c.accounts(ctx, some, offset, length)
		if err != nil {
			return nil, err
		}
		all = append(all, accounts...)
	}
	return all, nil
}

func (c *Client) accounts(ctx context.Context, keys []schedule.Pubkey, offset, length uint64) ([]*Account, error) {
	const method = "getMultipleAccounts"
	var r struct {
		Context struct {
			Slot *schedule.Slot `json:"slot"`
		} `json:"context"`
		Value []json.RawMessage `json:"value"`
	}
	params := []any{keys, rpc.M{
		"commitment": Finalized,
		"encoding":   "base64",
		"dataSlice":  rpc.M{"offset": offset, "length": length},
	}}
	if err := c.rpc.RPCCallForInto(ctx, &r, method, params); err != nil {
		return nil, err
	}
	if r.Context.Slot == nil || len(r.Value) != len(keys) {
		return nil, c.call.fail(method, replyError("%d accounts, want %d with the slot of their context", len(r.Value), len(keys)))
	}
	values, err := elements[*account]("value", r.Value)
	if err != nil {
		return nil, c.call.fail(method, err)
	}
	accounts := make([]*Account, len(keys))
	for i, a := range values {
		if a == nil {
			continue
		}
		if a.Lamports == nil || a.Owner == nil || len(a.Data) != 2 || a.Data[1] != "base64" {
			return nil, c.call.fail(method, replyError("value[%d]: want lamports, owner, and data in base64", i))
		}
		data, err := base64.StdEncoding.DecodeString(a.Data[0])
		if err != nil {
			return nil, c.call.fail(method, replyError("value[%d].data: %v", i, err))
		}
		if uint64(len(data)) > length {
			return nil, c.call.fail(method, replyError("value[%d].data: %d bytes, want at most the %d asked for", i, len(data), length))
		}
		accounts[i] = &Account{Lamports: *a.Lamports, Owner: *a.Owner, Data: data, Size: a.Size, Slot: *r.Context.Slot}
	}
	return accounts, nil
}
