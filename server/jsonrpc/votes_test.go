package jsonrpc

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server/slotfeed"
)

// A voteInfo is an account as clients read it.
type voteInfo struct {
	VotePubkey, NodePubkey schedule.Pubkey
	ActivatedStake         uint64
	EpochVoteAccount       bool
	Commission             *uint8
	LastVote, RootSlot     uint64
	EpochCredits           [][3]uint64
}

func voteAccounts(t testing.TB, h *Handler) map[schedule.Pubkey]voteInfo {
	t.Helper()
	_, text := ask(t, h, `{"jsonrpc":"2.0","id":1,"method":"getVoteAccounts"}`)
	var reply struct {
		Result struct{ Current, Delinquent []voteInfo }
	}
	if err := json.Unmarshal([]byte(text), &reply); err != nil {
		t.Fatal(err)
	}
	if len(reply.Result.Delinquent) > 0 {
		t.Errorf("delinquent: %v", reply.Result.Delinquent)
	}
	accounts := map[schedule.Pubkey]voteInfo{}
	for _, v := range reply.Result.Current {
		if _, ok := accounts[v.VotePubkey]; ok {
			t.Errorf("%v is there twice", v.VotePubkey)
		}
		if v.Commission == nil || v.EpochCredits == nil {
			t.Errorf("%+v lacks something", v)
		}
		accounts[v.VotePubkey] = v
	}
	return accounts
}

// Stakes are those of the current epoch, which the schedule of the next is drawn
// from; who may lead now follows from the current schedule.
func TestVoteAccountsOfTwoEpochs(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	leads, stakes := randomEntries(r, 50), randomEntries(r, 50)
	copy(stakes[:30], leads[:30])
	for i := range 30 {
		stakes[i].Stake += uint64(i)
	}
	leads[7].Stake = 0
	stakes = append(stakes, stakes[3]) // a source may repeat a row
	f := &fakeEpochs{es: mustSchedule(t, 32, false)}
	f.put(t, 10, schedule.KeyedByVote, leads...)
	feed := feedAt(10*32+5, 10*32+4, 10*32+3)
	h := New(Of(f), feed, Options{})

	accounts := voteAccounts(t, h)
	if len(accounts) != 49 {
		t.Errorf("%d accounts of one epoch", len(accounts))
	}
	for _, e := range leads {
		if got := accounts[e.Key]; e.Stake > 0 && (got.ActivatedStake != e.Stake || !got.EpochVoteAccount || got.NodePubkey != e.Node || got.LastVote != 323 || got.RootSlot != 323) {
			t.Errorf("%+v", got)
		}
	}
	f.put(t, 11, schedule.KeyedByVote, stakes...) // the next epoch's arrive
	accounts = voteAccounts(t, h)
	if len(accounts) != 50 {
		t.Errorf("%d accounts", len(accounts))
	}
	for i, e := range stakes[:50] {
		if got := accounts[e.Key]; got.ActivatedStake != e.Stake || got.EpochVoteAccount != (i < 30 && i != 7) {
			t.Errorf("account %d: %+v", i, got)
		}
	}
	feed.set(slotfeed.Now{Slot: 11 * 32, Confirmed: 11 * 32, Finalized: 11 * 32}, true)
	for i, got := range voteAccounts(t, h) {
		if !got.EpochVoteAccount || got.LastVote != 352 {
			t.Errorf("next epoch: account %v: %+v", i, got)
		}
	}
	feed.set(slotfeed.Now{Slot: 9 * 32, Confirmed: 9 * 32, Finalized: 9 * 32}, true)
	if got := voteAccounts(t, h); len(got) != 49 {
		t.Errorf("the epoch before: %d accounts", len(got))
	}
}

func TestVoteAccountsByIdentity(t *testing.T) {
	f := smallCluster(t)
	h := New(Of(f), feedAt(130, 130, 130), Options{})
	accounts := voteAccounts(t, h)
	if got := accounts[mustKey(t, identityA)]; len(accounts) != 1 || got.ActivatedStake != 5 || got.NodePubkey != got.VotePubkey || !got.EpochVoteAccount {
		t.Errorf("%+v", accounts)
	}
}

func randomEntries(r *rand.Rand, n int) []schedule.Entry {
	entries := make([]schedule.Entry, n)
	for i := range entries {
		for j := range 32 {
			entries[i].Key[j], entries[i].Node[j] = byte(r.Uint32()), byte(r.Uint32())
		}
		if i > 0 && r.IntN(8) == 0 {
			entries[i].Node = entries[i-1].Node
		}
		entries[i].Stake = 1 + r.Uint64N(1<<50)
	}
	return entries
}
