package jsonrpc

import (
	"net/http/httptest"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/schedule"
)

// solana-go's client reads what every method answers.
func TestSolanaGo(t *testing.T) {
	f := smallCluster(t)
	server := httptest.NewServer(New(Of(f), feedAt(45, 44, 40), Options{}))
	defer server.Close()
	c, ctx := rpc.New(server.URL), t.Context()
	fail := func(method string, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", method, err)
		}
	}

	whole, err := c.GetLeaderSchedule(ctx)
	fail("getLeaderSchedule", err)
	for leader, slots := range f.held[1].s.Leaders() {
		got := whole[solana.PublicKey(leader)]
		i := 0
		for index := range slots {
			if i >= len(got) || got[i] != uint64(index) {
				t.Fatalf("%v: %v", leader, got)
			}
			i++
		}
	}
	identity := solana.MustPublicKeyFromBase58(identityC)
	one, err := c.GetLeaderScheduleWithOpts(ctx, &rpc.GetLeaderScheduleOpts{Identity: &identity})
	fail("getLeaderSchedule", err)
	if len(one) != 1 || len(one[identity]) != 4 {
		t.Errorf("%v", one)
	}
	late := uint64(96)
	if _, err := c.GetLeaderScheduleWithOpts(ctx, &rpc.GetLeaderScheduleOpts{Epoch: &late}); err != rpc.ErrNotFound {
		t.Errorf("an epoch that is not held: %v", err)
	}

	leader, err := c.GetSlotLeader(ctx, rpc.CommitmentProcessed)
	fail("getSlotLeader", err)
	leaders, err := c.GetSlotLeaders(ctx, 45, 3)
	fail("getSlotLeaders", err)
	if leader.String() != identityB || len(leaders) != 3 || leaders[0] != leader {
		t.Errorf("%v, %v", leader, leaders)
	}
	info, err := c.GetEpochInfo(ctx, rpc.CommitmentConfirmed)
	fail("getEpochInfo", err)
	if info.AbsoluteSlot != 44 || info.Epoch != 1 || info.SlotIndex != 12 || info.SlotsInEpoch != 32 || info.TransactionCount != nil {
		t.Errorf("%+v", info)
	}
	es, err := c.GetEpochSchedule(ctx)
	fail("getEpochSchedule", err)
	if es.SlotsPerEpoch != 32 {
		t.Errorf("%+v", es)
	}
	slot, err := c.GetSlot(ctx, rpc.CommitmentFinalized)
	fail("getSlot", err)
	votes, err := c.GetVoteAccounts(ctx, nil)
	fail("getVoteAccounts", err)
	version, err := c.GetVersion(ctx)
	fail("getVersion", err)
	health, err := c.GetHealth(ctx)
	fail("getHealth", err)
	genesis, err := c.GetGenesisHash(ctx)
	fail("getGenesisHash", err)
	if slot != 40 || len(votes.Current) != 1 || version.SolanaCore != WireVersion || health != "ok" || schedule.Pubkey(genesis) != *f.genesis {
		t.Errorf("%d, %+v, %+v, %s, %v", slot, votes, version, health, genesis)
	}
}

// What this module reads of a node, it reads of itself.
func TestNoderpc(t *testing.T) {
	f := smallCluster(t)
	server := httptest.NewServer(New(Of(f), feedAt(45, 44, 40), Options{}))
	defer server.Close()
	c, err := noderpc.Dial(server.URL, noderpc.Options{Retries: -1})
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	slot := schedule.Slot(40)
	for _, byVote := range []bool{false, true} {
		asked := c.LeaderSchedule
		if byVote {
			asked = c.VoteSchedule
		}
		leaders, err := asked(ctx, &slot, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := range schedule.Index(32) {
			key, _ := f.held[1].s.Leader(i)
			if byVote {
				key, _ = f.held[1].s.Vote(i)
			}
			found := false
			for _, index := range leaders[key] {
				found = found || index == i
			}
			if !found {
				t.Errorf("by vote %v: slot %d is not %v's", byVote, i, key)
			}
		}
	}
	votes, err := c.VoteAccounts(ctx)
	if err != nil || len(votes) != 1 || votes[0].Stake != 70 || !votes[0].InEpochStakes {
		t.Errorf("%+v, %v", votes, err)
	}
	if es, err := c.EpochSchedule(ctx); err != nil || es != f.es {
		t.Errorf("%+v, %v", es, err)
	}
	if info, err := c.EpochInfo(ctx, noderpc.Processed); err != nil || info.FirstSlot() != 32 || info.AbsoluteSlot != 45 {
		t.Errorf("%+v, %v", info, err)
	}
	if hash, err := c.GenesisHash(ctx); err != nil || hash != *f.genesis {
		t.Errorf("%v, %v", hash, err)
	}
}
