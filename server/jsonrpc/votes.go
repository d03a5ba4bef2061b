package jsonrpc

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
)

// A voteTable is what getVoteAccounts answers in an epoch, but for the slots.
type voteTable struct {
	stakes, leads *list.List // what it is made of
	entries       []voteEntry
}

// A voteEntry is the text of an account: before, between and after the two slots.
type voteEntry struct {
	vote    schedule.Pubkey
	staked  bool
	a, b, c string
}

// getVoteAccounts answers from the stakes that are held, as a node does: the stake
// of each account is that of the bank's epoch, which is what the schedule of the
// next epoch is drawn from; epochVoteAccount says that the account is among the
// stakes that the schedule of the bank's epoch was drawn from. Where only one of
// the two epochs is held, both are that one's.
//
// Stakes do not tell who votes, so that every account with stake is current and
// has voted for the bank's slot, commission is 0 and epochCredits empty. One
// without stake counts as delinquent, and is left out as nodes do unless it is
// asked for.
func getVoteAccounts(w *work, params value) *rpcError {
	args, err := upTo(1, params)
	if err != nil {
		return err
	}
	c, err := readConfig(args[0], votesShape)
	if err != nil {
		return err
	}
	var only *schedule.Pubkey
	if c.votePubkey != nil {
		key, err := readPubkey(*c.votePubkey)
		if err != nil {
			return err
		}
		only = &key
	}
	slot, err := w.slotAt(c.commitment)
	if err != nil {
		return err
	}
	es, err := w.epochSchedule()
	if err != nil {
		return err
	}
	epoch, _ := es.EpochOf(slot)
	table, err := w.h.voteTable(epoch)
	if err != nil {
		return err
	}
	finalized, err := w.slotAt("")
	if err != nil {
		return err
	}
	root := min(finalized, slot)
	w.out = append(w.out, `{"current":[`...)
	w.voteAccounts(table, true, only, slot, root)
	w.out = append(w.out, `],"delinquent":[`...)
	if c.keepUnstaked != nil && *c.keepUnstaked {
		w.voteAccounts(table, false, only, slot, root)
	}
	w.out = append(w.out, `]}`...)
	return nil
}

func (w *work) voteAccounts(table *voteTable, staked bool, only *schedule.Pubkey, voted, root schedule.Slot) {
	if !staked {
		voted, root = 0, 0
	}
	var votedText, rootText [20]byte
	v, r := strconv.AppendUint(votedText[:0], uint64(voted), 10), strconv.AppendUint(rootText[:0], uint64(root), 10)
	first := true
	for i := range table.entries {
		e := &table.entries[i]
		if e.staked != staked || only != nil && *only != e.vote {
			continue
		}
		if !first {
			w.out = append(w.out, ',')
		}
		first = false
		w.out = append(w.out, e.a...)
		w.out = append(w.out, v...)
		w.out = append(w.out, e.b...)
		w.out = append(w.out, r...)
		w.out = append(w.out, e.c...)
	}
}

// voteTable returns the table of an epoch, which is kept until another is asked for.
func (h *Handler) voteTable(n uint64) (*voteTable, *rpcError) {
	leads, err := h.optional(n)
	if err != nil {
		return nil, err
	}
	stakes, err := h.optional(n + 1)
	switch {
	case err != nil:
		return nil, err
	case leads == nil && stakes == nil:
		return nil, errInvalidRequest
	case stakes == nil:
		stakes = leads
	case leads == nil:
		leads = stakes
	}
	table := h.votes.Load()
	if table != nil && table.stakes == stakes.List() && table.leads == leads.List() {
		return table, nil
	}
	table = newVoteTable(stakes, leads)
	h.votes.Store(table)
	return table, nil
}

// optional returns an epoch, or nil when it is not held.
func (h *Handler) optional(n uint64) (Epoch, *rpcError) {
	epoch, err := h.epochs.Epoch(n)
	if errors.Is(err, schedule.ErrUnknownEpoch) {
		return nil, nil
	}
	if err != nil {
		h.o.Log.Error("an epoch cannot be told", "epoch", n, "error", err)
		return nil, errInternal
	}
	return epoch, nil
}

func newVoteTable(stakes, leads Epoch) *voteTable {
	drawn := drawnFrom(leads)
	table := &voteTable{stakes: stakes.List(), leads: leads.List()}
	entries := stakes.List().Entries
	seen := make(map[schedule.Pubkey]bool, len(entries))
	table.entries = make([]voteEntry, 0, len(entries))
	for _, e := range entries {
		if seen[e.Key] {
			continue
		}
		seen[e.Key] = true
		node := e.Node
		if node.IsZero() {
			node = e.Key
		}
		table.entries = append(table.entries, voteEntry{
			vote: e.Key, staked: e.Stake > 0,
			a: fmt.Sprintf(`{"activatedStake":%d,"commission":0,"epochCredits":[],"epochVoteAccount":%t,"lastVote":`, e.Stake, drawn[e.Key]),
			b: fmt.Sprintf(`,"nodePubkey":"%v","rootSlot":`, node),
			c: fmt.Sprintf(`,"votePubkey":"%v"}`, e.Key),
		})
	}
	return table
}

// drawnFrom returns the accounts that a schedule was drawn from.
func drawnFrom(epoch Epoch) map[schedule.Pubkey]bool {
	drawn := map[schedule.Pubkey]bool{}
	if stakes := epoch.Schedule().Stakes(); stakes.Keying() == schedule.KeyedByVote {
		for _, e := range stakes.All() {
			drawn[e.Key] = true
		}
		return drawn
	}
	for _, e := range epoch.List().Entries { // the schedule knows identities alone
		if e.Stake > 0 {
			drawn[e.Key] = true
		}
	}
	return drawn
}
