package rpctest_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/gagliardetto/solana-go/rpc/jsonrpc"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/noderpc/rpctest"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/slotclock"
)

func key(n byte) schedule.Pubkey { return schedule.Pubkey{n} }

// cluster is one whose schedules of epochs 2 and 3 are derived from its stakes.
func cluster(t *testing.T) (rpctest.Cluster, *schedule.Schedule) {
	t.Helper()
	entries := []schedule.Entry{
		{Key: key(1), Node: key(11), Stake: 500}, {Key: key(2), Node: key(12), Stake: 300}, {Key: key(3), Node: key(11), Stake: 200},
	}
	stakes, err := schedule.NewStakes(entries, schedule.KeyedByVote)
	if err != nil {
		t.Fatal(err)
	}
	es := schedule.EpochSchedule{SlotsPerEpoch: 64, LeaderScheduleSlotOffset: 64}
	c := rpctest.Cluster{
		Genesis: key(99), EpochSchedule: es, Slot: 140, Ahead: 2,
		VoteAccounts: rpctest.VoteAccountsOf(entries, 139),
		Leaders:      map[uint64]noderpc.Leaders{}, Votes: map[uint64]noderpc.Leaders{},
		Samples:   []slotclock.Sample{{Slot: 140, Slots: 150, Seconds: 60}},
		BlockTime: func(slot schedule.Slot) (time.Time, bool) { return time.Unix(int64(slot), 0), slot != 131 },
		Accounts:  map[schedule.Pubkey]noderpc.Account{key(1): rpctest.VoteAccountData(key(11), true, 7)},
	}
	var last *schedule.Schedule
	for epoch := range uint64(4) {
		if last, err = schedule.Derive(stakes, schedule.Params{Epoch: epoch, FirstSlot: es.FirstSlot(epoch), Slots: 64}); err != nil {
			t.Fatal(err)
		}
		if epoch >= 2 {
			c.Leaders[epoch], c.Votes[epoch] = rpctest.LeadersOf(last), rpctest.VotesOf(last)
		}
	}
	return c, last
}

// What the server says is what another client understands.
func TestAnotherClient(t *testing.T) {
	c, next := cluster(t)
	node := rpctest.New(t, c)
	client, ctx := rpc.New(node.URL), t.Context()
	defer client.Close()

	if got, err := client.GetSlot(ctx, rpc.CommitmentProcessed); err != nil || got != 142 {
		t.Errorf("getSlot: %d, %v", got, err)
	}
	if got, err := client.GetHealth(ctx); err != nil || got != "ok" {
		t.Errorf("getHealth: %q, %v", got, err)
	}
	if got, err := client.GetVersion(ctx); err != nil || got.SolanaCore == "" {
		t.Errorf("getVersion: %+v, %v", got, err)
	}
	if got, err := client.GetGenesisHash(ctx); err != nil || schedule.Pubkey(got) != key(99) {
		t.Errorf("getGenesisHash: %v, %v", got, err)
	}
	info, err := client.GetEpochInfo(ctx, rpc.CommitmentFinalized)
	if err != nil || info.Epoch != 2 || info.SlotIndex != 12 || info.SlotsInEpoch != 64 || info.AbsoluteSlot != 140 {
		t.Errorf("getEpochInfo: %+v, %v", info, err)
	}
	es, err := client.GetEpochSchedule(ctx)
	if err != nil || es.SlotsPerEpoch != 64 || es.LeaderScheduleSlotOffset != 64 || es.Warmup {
		t.Errorf("getEpochSchedule: %+v, %v", es, err)
	}
	votes, err := client.GetVoteAccounts(ctx, nil)
	if err != nil || len(votes.Current) != 3 || len(votes.Delinquent) != 0 || votes.Current[1].ActivatedStake != 300 || votes.Current[1].LastVote != 139 {
		t.Errorf("getVoteAccounts: %+v, %v", votes, err)
	}

	slot, identity, unknown := uint64(192), solana.PublicKey(key(11)), uint64(0)
	leaders, err := client.GetLeaderScheduleWithOpts(ctx, &rpc.GetLeaderScheduleOpts{Epoch: &slot})
	if err != nil || len(leaders) != 2 {
		t.Fatalf("getLeaderSchedule: %v, %v", leaders, err)
	}
	for leader, indices := range leaders {
		for _, i := range indices {
			if want, _ := next.Leader(schedule.Index(i)); want != schedule.Pubkey(leader) {
				t.Errorf("slot index %d: %v, want %v", i, leader, want)
			}
		}
	}
	if one, err := client.GetLeaderScheduleWithOpts(ctx, &rpc.GetLeaderScheduleOpts{Identity: &identity}); err != nil || len(one) != 1 {
		t.Errorf("getLeaderSchedule, configuration first: %v, %v", one, err)
	}
	if _, err := client.GetLeaderScheduleWithOpts(ctx, &rpc.GetLeaderScheduleOpts{Epoch: &unknown}); !errors.Is(err, rpc.ErrNotFound) {
		t.Errorf("getLeaderSchedule of an unknown epoch: %v", err)
	}
	list, err := client.GetSlotLeaders(ctx, 190, 4)
	if err != nil || len(list) != 4 {
		t.Fatalf("getSlotLeaders: %v, %v", list, err)
	}
	for i, leader := range list[2:] {
		if want, _ := next.Leader(schedule.Index(i)); want != schedule.Pubkey(leader) {
			t.Errorf("slot %d: %v, want %v", 192+i, leader, want)
		}
	}
	if one, err := client.GetSlotLeader(ctx, ""); err != nil || one.IsZero() {
		t.Errorf("getSlotLeader: %v, %v", one, err)
	}
	if at, err := client.GetBlockTime(ctx, 130); err != nil || *at != 130 {
		t.Errorf("getBlockTime: %v, %v", at, err)
	}
	samples, err := client.GetRecentPerformanceSamples(ctx, nil)
	if err != nil || len(samples) != 1 || samples[0].NumSlots != 150 || samples[0].SamplePeriodSecs != 60 {
		t.Errorf("getRecentPerformanceSamples: %v, %v", samples, err)
	}
	accounts, err := client.GetMultipleAccounts(ctx, solana.PublicKey(key(1)), solana.PublicKey(key(2)))
	if err != nil || len(accounts.Value) != 2 || accounts.Value[1] != nil {
		t.Fatalf("getMultipleAccounts: %+v, %v", accounts, err)
	}
	if a := accounts.Value[0]; a.Lamports != 7 || a.Owner != solana.VoteProgramID || len(a.Data.GetBinary()) != 3762 {
		t.Errorf("getMultipleAccounts: %+v", a)
	}
	if calls := node.Calls(""); len(calls) != 15 || len(node.Calls("getSlot")) != 1 {
		t.Errorf("%d calls", len(calls))
	}
}

func TestVotesOf(t *testing.T) {
	_, s := cluster(t)
	votes, n := rpctest.VotesOf(s), 0
	for vote, indices := range votes {
		for _, i := range indices {
			if want, _ := s.Vote(i); want != vote {
				t.Errorf("slot index %d: %v, want %v", i, vote, want)
			}
			n++
		}
	}
	if n != 64 {
		t.Errorf("%d slots", n)
	}
	byNode := map[schedule.Pubkey]int{}
	for leader, indices := range rpctest.LeadersOf(s) {
		byNode[leader] = len(indices)
	}
	if byNode[key(11)] != len(votes[key(1)])+len(votes[key(3)]) || byNode[key(12)] != len(votes[key(2)]) {
		t.Errorf("identities have %v slots", byNode)
	}
}

func TestErrors(t *testing.T) {
	c, _ := cluster(t)
	node := rpctest.New(t, c)
	client := jsonrpc.NewClient(node.URL)
	defer client.Close()
	for _, q := range []struct {
		method string
		params []any
		code   int
		says   string
	}{
		{"getLeader", nil, -32601, "Method not found"},
		{"getSlotLeaders", []any{1, 5001}, -32602, "Invalid limit; max 5000"},
		{"getSlotLeaders", []any{1}, -32602, "Invalid params"},
		{"getSlotLeaders", []any{254, 4}, -32602, "Invalid slot range: leader schedule for epoch 4 is unavailable"},
		{"getLeaderSchedule", []any{"x"}, -32602, "Invalid params"},
		{"getLeaderSchedule", []any{nil, map[string]any{"identity": "0"}}, -32602, "Invalid param"},
		{"getLeaderSchedule", []any{nil, map[string]any{"identity": 5}}, -32602, "Invalid params"},
		{"getRecentPerformanceSamples", []any{721}, -32602, "Invalid limit; max 720"},
		{"getMultipleAccounts", []any{make([]schedule.Pubkey, 101)}, -32602, "Too many inputs provided; max 100"},
		{"getMultipleAccounts", []any{"x"}, -32602, "Invalid param"},
		{"getBlockTime", nil, -32602, "Invalid params"},
		{"getBlockTime", []any{131}, -32007, "Slot 131 was skipped"},
		{"getBlockTime", []any{1000}, -32004, "Block not available for slot 1000"},
	} {
		var out any
		err := client.CallForInto(context.Background(), &out, q.method, q.params)
		var answer *jsonrpc.RPCError
		if !errors.As(err, &answer) || answer.Code != q.code || !strings.HasPrefix(answer.Message, q.says) {
			t.Errorf("%s %v: got %v", q.method, q.params, err)
		}
	}
}

func TestNoRequests(t *testing.T) {
	node := rpctest.New(t, rpctest.Cluster{})
	response, err := http.Get(node.URL)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("GET: status %d", response.StatusCode)
	}
	response, err = http.Post(node.URL, "application/json", strings.NewReader("{"))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if want := `{"error":{"code":-32700,"message":"Parse error"},"id":null,"jsonrpc":"2.0"}` + "\n"; err != nil || string(body) != want {
		t.Errorf("no JSON: %q, %v", body, err)
	}
}

// Faults come in their order, and then the lasting one.
func TestFaultOrder(t *testing.T) {
	node := rpctest.New(t, rpctest.Cluster{Slot: 5})
	node.FailAlways("getSlot", rpctest.Result("1"))
	node.Fail("getSlot", rpctest.Result("2"), nil)
	node.Fail("getSlot", rpctest.Then(func(c *rpctest.Cluster) { c.Slot = 7 }), nil)
	client := rpc.New(node.URL)
	defer client.Close()
	var got []uint64
	for range 6 {
		slot, err := client.GetSlot(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, slot)
	}
	if want := []uint64{2, 5, 5, 7, 1, 1}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
