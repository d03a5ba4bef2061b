package rpc

import (
	"context"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
	"github.com/schedgen/schedgen/stakes/voteaccount"
)

// addAccounts reads what the admission of SIMD-0357 looks at: balances and BLS
// keys. A node that does not tell them gives a list without; only the end of ctx
// is an error.
func addAccounts(ctx context.Context, c *noderpc.Client, l *list.List) error {
	keys := make([]schedule.Pubkey, len(l.Entries))
	for i, e := range l.Entries {
		keys[i] = e.Key
	}
	accounts, err := c.Accounts(ctx, keys, 0, voteaccount.HeadSize)
	switch {
	case ctx.Err() != nil:
		return err
	case err != nil:
		l.Provenance.Note("balances and BLS keys of vote accounts are not known: %v", err)
		return nil
	}
	l.Accounts = make([]list.Account, len(accounts))
	var gone, strange uint64
	low, high := *l.Provenance.Slot, *l.Provenance.Slot
	for i, a := range accounts {
		if a == nil {
			gone++
			continue
		}
		low, high = min(low, a.Slot), max(high, a.Slot)
		l.Accounts[i].Lamports = a.Lamports
		state, err := voteaccount.ParseHead(a.Data, a.Size)
		if err != nil || !voteaccount.IsOwner(a.Owner) {
			strange++
			continue
		}
		l.Accounts[i].BLS = state.HasBLS
	}
	if gone > 0 {
		l.Provenance.Note("%s closed since: without balance and BLS key", count(gone, "vote account"))
	}
	if strange > 0 {
		l.Provenance.Note("%s with stake that cannot be read as a vote account: without BLS key", count(strange, "account"))
	}
	if l.Provenance.Vintage == list.VintageExact && low != high {
		l.Provenance.Note("balances and BLS keys are those of slots %d to %d", low, high)
	}
	return nil
}
