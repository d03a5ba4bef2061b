package rpc_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/noderpc/rpctest"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
	"github.com/schedgen/schedgen/stakes/rpc"
)

func key(n byte) schedule.Pubkey { return schedule.Pubkey{0: n, 31: 1} }

// first is the first slot of epoch 2 of the cluster.
const first = 128

// cluster has epochs of 64 slots and is in epoch 2.
func cluster(slot schedule.Slot) rpctest.Cluster {
	stolen := rpctest.VoteAccountData(key(15), true, 5)
	stolen.Owner = key(5)
	return rpctest.Cluster{
		Genesis:       key(99),
		EpochSchedule: schedule.EpochSchedule{SlotsPerEpoch: 64, LeaderScheduleSlotOffset: 64},
		Slot:          slot,
		VoteAccounts: []noderpc.VoteAccount{
			{Vote: key(1), Node: key(11), Stake: math.MaxUint64 - 1<<54, LastVote: slot},
			{Vote: key(2), Node: key(12), Stake: 1<<53 + 1, LastVote: 1, Delinquent: true},
			{Vote: key(3), Node: key(13), LastVote: slot},
			{Vote: key(4), Node: schedule.Pubkey{}, Stake: 5, LastVote: slot},
			{Vote: key(5), Node: key(15), Stake: 7, LastVote: slot},
		},
		Accounts: map[schedule.Pubkey]noderpc.Account{
			key(1): rpctest.VoteAccountData(key(11), true, 27_074_400),
			key(2): rpctest.VoteAccountData(key(12), false, math.MaxUint64),
			key(5): stolen,
		},
	}
}

var wantEntries = []schedule.Entry{
	{Key: key(1), Node: key(11), Stake: math.MaxUint64 - 1<<54},
	{Key: key(5), Node: key(15), Stake: 7},
	{Key: key(2), Node: key(12), Stake: 1<<53 + 1},
}

func dial(t *testing.T, node *rpctest.Server) *noderpc.Client {
	t.Helper()
	c, err := noderpc.Dial(node.URL, noderpc.Options{Retries: 2, RetryWait: time.Millisecond, MaxRetryWait: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func read(t *testing.T, node *rpctest.Server) *list.List {
	t.Helper()
	set, err := rpc.Read(t.Context(), dial(t, node))
	if err != nil {
		t.Fatal(err)
	}
	if len(set.Lists) != 1 {
		t.Fatalf("%d lists", len(set.Lists))
	}
	return &set.Lists[0]
}

func TestRead(t *testing.T) {
	node := rpctest.New(t, cluster(first+10))
	l := read(t, node)
	if !slices.Equal(l.Entries, wantEntries) || !l.HasVotes {
		t.Errorf("got %v, want %v", l.Entries, wantEntries)
	}
	if want := []list.Account{{Lamports: 27_074_400, BLS: true}, {Lamports: 5}, {Lamports: math.MaxUint64}}; !slices.Equal(l.Accounts, want) {
		t.Errorf("accounts %v, want %v", l.Accounts, want)
	}
	p := l.Provenance
	if p.Kind != list.KindRPC || p.Source != node.URL || p.Cluster != "" || *p.GenesisHash != key(99) ||
		*p.EpochSchedule != cluster(0).EpochSchedule || *p.Epoch != 3 || *p.Slot != first+10 || p.Vintage != list.VintageApproximate {
		t.Errorf("provenance %+v", p)
	}
	if want := "read 10 slots after slot 128, the first of epoch 2, where"; !strings.HasPrefix(p.Reason, want) {
		t.Errorf("reason %q", p.Reason)
	}
	want := []string{
		"1 vote account with stake and without an identity left out",
		"1 account with stake that cannot be read as a vote account: without BLS key",
	}
	if !slices.Equal(p.Notes, want) {
		t.Errorf("notes %q", p.Notes)
	}
	if q := node.Calls("getMultipleAccounts"); len(q) != 1 || !strings.Contains(q[0].Params, `"dataSlice":{"length":193,"offset":0}`) {
		t.Errorf("asked for accounts: %v", q)
	}
	for _, method := range []string{"getEpochInfo", "getVoteAccounts", "getMultipleAccounts"} {
		for _, q := range node.Calls(method) {
			if !strings.Contains(q.Params, `"commitment":"finalized"`) {
				t.Errorf("%s with %s", method, q.Params)
			}
		}
	}
}

// Only the first slot of an epoch gives what the network recorded.
func TestVintage(t *testing.T) {
	custom := schedule.EpochSchedule{SlotsPerEpoch: 64, LeaderScheduleSlotOffset: 16}
	warm, err := schedule.NewEpochSchedule(128, 128, true)
	if err != nil {
		t.Fatal(err)
	}
	move := func(to schedule.Slot) rpctest.Fault {
		return rpctest.Then(func(c *rpctest.Cluster) { c.Slot = to })
	}
	for _, c := range []struct {
		name   string
		es     *schedule.EpochSchedule
		slot   schedule.Slot
		fault  rpctest.Fault // of getVoteAccounts
		epoch  uint64
		want   list.Vintage
		reason string
	}{
		{"first slot", nil, first, nil, 3, list.VintageExact, "read at slot 128, the first of epoch 2, where"},
		{"slot 0", nil, 0, nil, 1, list.VintageExact, "read at slot 0, the first of epoch 0, where"},
		{"next slot", nil, first + 1, nil, 3, list.VintageApproximate, "read 1 slot after slot 128, the first of epoch 2, where"},
		{"last slot", nil, first + 63, nil, 3, list.VintageApproximate, "read 63 slots after slot 128,"},
		{"first slot, then on", nil, first, move(first + 3), 3, list.VintageApproximate, "read between 0 and 3 slots after slot 128,"},
		{"back to the first slot", nil, first + 3, move(first), 3, list.VintageApproximate, "read between 0 and 3 slots after slot 128,"},
		{"custom offset, before", &custom, first + 47, nil, 2, list.VintageApproximate, "read 63 slots after slot 112, where"},
		{"custom offset, at", &custom, first + 48, nil, 3, list.VintageExact, "read at slot 176, where"},
		{"custom offset, first slot", &custom, first, nil, 2, list.VintageApproximate, "read 16 slots after slot 112, where"},
		{"warm-up", &warm, 32, nil, 2, list.VintageExact, "read at slot 32, the first of epoch 1, where"},
		{"after warm-up", &warm, 224 + 7, nil, 4, list.VintageApproximate, "read 7 slots after slot 224, the first of epoch 3, where"},
	} {
		t.Run(c.name, func(t *testing.T) {
			made := cluster(c.slot)
			if c.es != nil {
				made.EpochSchedule = *c.es
			}
			node := rpctest.New(t, made)
			node.Fail("getVoteAccounts", c.fault)
			p := read(t, node).Provenance
			if *p.Epoch != c.epoch || *p.Slot != c.slot || p.Vintage != c.want || !strings.HasPrefix(p.Reason, c.reason) {
				t.Errorf("epoch %d, slot %d, %s: %s; want epoch %d, %s: %s", *p.Epoch, *p.Slot, p.Vintage, p.Reason, c.epoch, c.want, c.reason)
			}
			several := slices.ContainsFunc(p.Notes, func(note string) bool { return strings.Contains(note, "several nodes") })
			if several != (c.name == "back to the first slot") {
				t.Errorf("notes %q", p.Notes)
			}
		})
	}
}

func TestEpochTurns(t *testing.T) {
	node := rpctest.New(t, cluster(first+63))
	node.Fail("getVoteAccounts", rpctest.Then(func(c *rpctest.Cluster) {
		c.Slot = first + 64
		c.VoteAccounts = c.VoteAccounts[:1]
	}))
	l := read(t, node)
	if *l.Provenance.Epoch != 4 || len(l.Entries) != 1 || l.Provenance.Vintage != list.VintageExact {
		t.Errorf("got %+v", l)
	}
	if n := len(node.Calls("getVoteAccounts")); n != 2 {
		t.Errorf("%d reads", n)
	}

	// With another offset the latest recorded stakes are the same across the turn,
	// but not what getVoteAccounts says.
	made := cluster(first + 63)
	made.EpochSchedule.LeaderScheduleSlotOffset = 16
	custom := rpctest.New(t, made)
	custom.Fail("getVoteAccounts", rpctest.Then(func(c *rpctest.Cluster) { c.Slot++ }))
	if l := read(t, custom); *l.Provenance.Slot != first+64 || len(custom.Calls("getVoteAccounts")) != 2 {
		t.Errorf("custom offset: %d reads, got %+v", len(custom.Calls("getVoteAccounts")), l)
	}

	restless := rpctest.New(t, cluster(first))
	restless.FailAlways("getVoteAccounts", rpctest.Then(func(c *rpctest.Cluster) { c.Slot += 64 }))
	_, err := rpc.Read(t.Context(), dial(t, restless))
	if !errors.Is(err, rpc.ErrEpochTurned) || !strings.HasPrefix(err.Error(), restless.URL+": ") || strings.Contains(err.Error(), "\n") {
		t.Errorf("got %v, want ErrEpochTurned", err)
	}
}

func TestClusters(t *testing.T) {
	made := cluster(first)
	genesis, err := schedule.ParsePubkey("5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d")
	if err != nil {
		t.Fatal(err)
	}
	made.Genesis = genesis
	if got := read(t, rpctest.New(t, made)).Provenance.Cluster; got != "mainnet-beta" {
		t.Errorf("cluster %q", got)
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*rpctest.Cluster)
		method string
		fault  rpctest.Fault
		want   error
	}{
		{"no vote accounts", func(c *rpctest.Cluster) { c.VoteAccounts = nil }, "", nil, schedule.ErrNoStake},
		{"no stake", func(c *rpctest.Cluster) { c.VoteAccounts = c.VoteAccounts[2:3] }, "", nil, schedule.ErrNoStake},
		{"no epoch", nil, "getEpochInfo", rpctest.Result(`{}`), noderpc.ErrReply},
		{"other epochs", nil, "getEpochInfo", rpctest.Result(`{"absoluteSlot":130,"epoch":3,"slotIndex":2,"slotsInEpoch":64}`), rpc.ErrEpochs},
		{"longer epochs", nil, "getEpochInfo", rpctest.Result(`{"absoluteSlot":130,"epoch":2,"slotIndex":2,"slotsInEpoch":65}`), rpc.ErrEpochs},
		{"no genesis", nil, "getGenesisHash", rpctest.Page(), noderpc.ErrReply},
		{"no epoch schedule", nil, "getEpochSchedule", rpctest.Result("null"), noderpc.ErrReply},
		{"no stakes", nil, "getVoteAccounts", rpctest.Result("null"), noderpc.ErrReply},
	} {
		t.Run(c.name, func(t *testing.T) {
			node := rpctest.New(t, cluster(130))
			if c.change != nil {
				node.Change(c.change)
			}
			node.FailAlways(c.method, c.fault)
			set, err := rpc.Read(t.Context(), dial(t, node))
			if !errors.Is(err, c.want) || set != nil {
				t.Fatalf("got %v, %v, want %v", set, err, c.want)
			}
			if text := err.Error(); !strings.HasPrefix(text, node.URL+": ") || strings.Contains(text, "\n") {
				t.Errorf("%q is no line", text)
			}
		})
	}
}

// Stakes without what admission looks at are better than none.
func TestAccountsFail(t *testing.T) {
	node := rpctest.New(t, cluster(first))
	node.FailAlways("getMultipleAccounts", rpctest.Error(-32602, "Encoded binary (base 58) data should be less than 128 bytes"))
	l := read(t, node)
	if l.Accounts != nil || !slices.Equal(l.Entries, wantEntries) || l.Provenance.Vintage != list.VintageExact {
		t.Errorf("got %+v", l)
	}
	if notes := l.Provenance.Notes; len(notes) != 2 || !strings.Contains(notes[1], "are not known: "+node.URL+": getMultipleAccounts: the node answers error -32602") {
		t.Errorf("notes %q", notes)
	}

	ctx, cancel := context.WithCancel(t.Context())
	node.FailAlways("getMultipleAccounts", func(s *rpctest.Server, w http.ResponseWriter, r *http.Request, id json.RawMessage, reply []byte) {
		cancel()
		rpctest.Silent()(s, w, r, id, reply)
	})
	if set, err := rpc.Read(ctx, dial(t, node)); !errors.Is(err, context.Canceled) || set != nil {
		t.Errorf("ended: got %v, %v", set, err)
	}
}

func TestAccountsLater(t *testing.T) {
	node := rpctest.New(t, cluster(first))
	node.Change(func(c *rpctest.Cluster) {
		delete(c.Accounts, key(5))
		c.Accounts[key(2)] = noderpc.Account{Lamports: 3, Owner: c.Accounts[key(1)].Owner, Data: make([]byte, 3762)}
		c.VoteAccounts[3].Stake = 0
	})
	node.Fail("getEpochInfo", nil, rpctest.Then(func(c *rpctest.Cluster) { c.Slot += 9 }))
	l := read(t, node)
	if want := (list.Account{}); l.Accounts[1] != want || l.Provenance.Vintage != list.VintageExact {
		t.Errorf("got %+v", l)
	}
	want := []string{
		"1 vote account closed since: without balance and BLS key",
		"1 account with stake that cannot be read as a vote account: without BLS key",
		"balances and BLS keys are those of slots 128 to 137",
	}
	if !slices.Equal(l.Provenance.Notes, want) {
		t.Errorf("notes %q", l.Provenance.Notes)
	}
}

// The vote accounts of mainnet-beta as a node told them in epoch 45.
func TestRealVoteAccounts(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "data", "mainnet-45-getVoteAccounts.json"))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("no ../shared/data/mainnet-45-getVoteAccounts.json beside the repository: this check needs it")
	}
	if err != nil {
		t.Fatal(err)
	}
	var reply struct{ Result json.RawMessage }
	if err := json.Unmarshal(text, &reply); err != nil {
		t.Fatal(err)
	}
	made := cluster(0)
	if made.EpochSchedule, err = schedule.ClusterSchedule("mainnet-beta"); err != nil {
		t.Fatal(err)
	}
	made.Slot = 19_561_739
	node := rpctest.New(t, made)
	node.FailAlways("getVoteAccounts", rpctest.Result(string(reply.Result)))
	l := read(t, node)
	if *l.Provenance.Epoch != 46 {
		t.Errorf("epoch %d", *l.Provenance.Epoch)
	}
	stakes, err := schedule.NewStakes(l.Entries, schedule.KeyedByVote)
	if err != nil {
		t.Fatal(err)
	}
	// Counted in the file with another program.
	if stakes.Len() != 97 || stakes.Total() != 34_802_679_176_409_892 {
		t.Errorf("%d vote accounts with %d lamports", stakes.Len(), stakes.Total())
	}
}
