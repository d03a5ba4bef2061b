package noderpc_test

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/noderpc/rpctest"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/slotclock"
)

func key(n byte) schedule.Pubkey { return schedule.Pubkey{0: n, 31: 1} }

// small is a cluster with epochs of 64 slots, in epoch 2.
func small() rpctest.Cluster {
	return rpctest.Cluster{
		Genesis:       key(99),
		EpochSchedule: schedule.EpochSchedule{SlotsPerEpoch: 64, LeaderScheduleSlotOffset: 64},
		Slot:          130,
		Ahead:         5,
		VoteAccounts: []noderpc.VoteAccount{
			{Vote: key(1), Node: key(11), Stake: math.MaxUint64, LastVote: 129, InEpochStakes: true},
			{Vote: key(2), Node: key(12), Stake: 1<<53 + 1, LastVote: 1, Delinquent: true},
			{Vote: key(3), Node: key(13), Stake: 0, LastVote: 128},
		},
		Leaders: map[uint64]noderpc.Leaders{
			2: {key(11): {0, 1, 2, 3, 8}, key(12): {4, 5, 6, 7}},
			3: {key(12): {0}},
		},
		Samples:   []slotclock.Sample{{Slot: 130, Slots: 65, Seconds: 60}, {Slot: 65, Slots: 65, Seconds: 60}},
		BlockTime: func(slot schedule.Slot) (time.Time, bool) { return time.Unix(1_000_000+int64(slot), 0), slot%4 != 3 },
		Accounts: map[schedule.Pubkey]noderpc.Account{
			key(1): {Lamports: math.MaxUint64, Owner: key(42), Data: []byte("0123456789")},
			key(2): {Lamports: 5, Owner: key(42)},
		},
	}
}

// quick does not wait.
var quick = noderpc.Options{Timeout: 30 * time.Second, Retries: 2, RetryWait: time.Millisecond, MaxRetryWait: 2 * time.Millisecond}

func dial(t testing.TB, node *rpctest.Server, o noderpc.Options) *noderpc.Client {
	t.Helper()
	c, err := noderpc.Dial(node.URL, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func TestEpochs(t *testing.T) {
	node := rpctest.New(t, small())
	c, ctx := dial(t, node, quick), t.Context()
	info, err := c.EpochInfo(ctx, noderpc.Finalized)
	if want := (noderpc.EpochInfo{AbsoluteSlot: 130, Epoch: 2, SlotIndex: 2, SlotsInEpoch: 64}); err != nil || info != want {
		t.Errorf("got %+v, %v, want %+v", info, err, want)
	}
	if info.FirstSlot() != 128 {
		t.Errorf("first slot %d", info.FirstSlot())
	}
	if info, err := c.EpochInfo(ctx, noderpc.Processed); err != nil || info.AbsoluteSlot != 135 {
		t.Errorf("processed: got %+v, %v", info, err)
	}
	if slot, err := c.Slot(ctx, noderpc.Confirmed); err != nil || slot != 135 {
		t.Errorf("slot: got %d, %v", slot, err)
	}
	if es, err := c.EpochSchedule(ctx); err != nil || es != small().EpochSchedule {
		t.Errorf("epoch schedule: got %+v, %v", es, err)
	}
	if hash, err := c.GenesisHash(ctx); err != nil || hash != key(99) {
		t.Errorf("genesis: got %v, %v", hash, err)
	}
	for _, cluster := range schedule.Clusters() {
		want, err := schedule.ClusterSchedule(cluster)
		if err != nil {
			t.Fatal(err)
		}
		node.Change(func(c *rpctest.Cluster) { c.EpochSchedule = want })
		if es, err := c.EpochSchedule(ctx); err != nil || es != want {
			t.Errorf("%s: got %+v, %v", cluster, es, err)
		}
	}
}

func TestVoteAccounts(t *testing.T) {
	node := rpctest.New(t, small())
	c := dial(t, node, quick)
	got, err := c.VoteAccounts(t.Context())
	want := small().VoteAccounts
	want[1], want[2] = want[2], want[1] // the delinquent one is last
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	if calls := node.Calls("getVoteAccounts"); len(calls) != 1 || calls[0].Params != `[{"commitment":"finalized"}]` {
		t.Errorf("asked %+v", calls)
	}
	node.Change(func(c *rpctest.Cluster) { c.VoteAccounts = nil })
	if got, err := c.VoteAccounts(t.Context()); err != nil || len(got) != 0 {
		t.Errorf("none: got %+v, %v", got, err)
	}
}

func TestLeaderSchedule(t *testing.T) {
	node := rpctest.New(t, small())
	c, ctx := dial(t, node, quick), t.Context()
	next, past := schedule.Slot(192), schedule.Slot(0)
	one, nobody := key(12), key(77)
	for _, q := range []struct {
		name     string
		slot     *schedule.Slot
		identity *schedule.Pubkey
		want     map[schedule.Pubkey][]schedule.Index
		params   string
	}{
		{"current", nil, nil, small().Leaders[2], `[]`},
		{"next", &next, nil, small().Leaders[3], `[192]`},
		{"one", nil, &one, noderpc.Leaders{one: {4, 5, 6, 7}}, `[null,{"identity":"` + one.String() + `"}]`},
		{"one next", &next, &one, noderpc.Leaders{one: {0}}, `[192,{"identity":"` + one.String() + `"}]`},
		{"nobody", nil, &nobody, noderpc.Leaders{}, `[null,{"identity":"` + nobody.String() + `"}]`},
	} {
		got, err := c.LeaderSchedule(ctx, q.slot, q.identity)
		if err != nil || !reflect.DeepEqual(map[schedule.Pubkey][]schedule.Index(got), q.want) {
			t.Errorf("%s: got %v, %v, want %v", q.name, got, err, q.want)
		}
		if calls := node.Calls(""); calls[len(calls)-1].Params != q.params {
			t.Errorf("%s: asked %s, want %s", q.name, calls[len(calls)-1].Params, q.params)
		}
	}
	before := len(node.Calls(""))
	_, err := c.LeaderSchedule(ctx, &past, nil)
	if !errors.Is(err, noderpc.ErrUnavailable) || !strings.Contains(err.Error(), "the epoch of slot 0") {
		t.Errorf("past: got %v, want ErrUnavailable", err)
	}
	if n := len(node.Calls("")) - before; n != 1 {
		t.Errorf("asked %d times for what is not there", n)
	}
}

func TestVoteSchedule(t *testing.T) {
	node := rpctest.New(t, small())
	c, ctx := dial(t, node, quick), t.Context()
	old, err := c.VoteSchedule(ctx, nil, nil)
	if err != nil || !reflect.DeepEqual(old, small().Leaders[2]) {
		t.Errorf("a node without the option: got %v, %v", old, err)
	}
	votes := noderpc.Leaders{key(1): {0, 1, 2, 3}, key(2): {4, 5, 6, 7}}
	node.Change(func(c *rpctest.Cluster) { c.Votes = map[uint64]noderpc.Leaders{2: votes} })
	if got, err := c.VoteSchedule(ctx, nil, nil); err != nil || !reflect.DeepEqual(got, votes) {
		t.Errorf("got %v, %v", got, err)
	}
	one := key(12)
	if got, err := c.VoteSchedule(ctx, nil, &one); err != nil || !reflect.DeepEqual(got, noderpc.Leaders{key(2): {4, 5, 6, 7}}) {
		t.Errorf("one: got %v, %v", got, err)
	}
	if calls := node.Calls(""); calls[1].Params != `[null,{"keyByVoteAccount":true}]` {
		t.Errorf("asked %s", calls[1].Params)
	}
}

func TestSlotLeaders(t *testing.T) {
	node := rpctest.New(t, small())
	c, ctx := dial(t, node, quick), t.Context()
	node.Change(func(c *rpctest.Cluster) { c.Leaders[2][key(12)] = append(c.Leaders[2][key(12)], 63) })
	got, err := c.SlotLeaders(ctx, 128+63, 2)
	if want := []schedule.Pubkey{key(12), key(12)}; err != nil || !slices.Equal(got, want) {
		t.Errorf("across epochs: got %v, %v", got, err)
	}
	got, err = c.SlotLeaders(ctx, 128+3, 3)
	if want := []schedule.Pubkey{key(11), key(12), key(12)}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v", got, err)
	}
	var answer *noderpc.RPCError
	if _, err := c.SlotLeaders(ctx, 256, 1); !errors.As(err, &answer) || answer.Code != -32602 {
		t.Errorf("unknown epoch: got %v", err)
	}
	if _, err := c.SlotLeaders(ctx, 128, 5001); !errors.As(err, &answer) || answer.Message != "Invalid limit; max 5000" {
		t.Errorf("5001: got %v", err)
	}
	node.Fail("getSlotLeaders", rpctest.Result(`[]`))
	if _, err := c.SlotLeaders(ctx, 128, 1); !errors.Is(err, noderpc.ErrReply) {
		t.Errorf("too few: got %v", err)
	}
}

func TestAccounts(t *testing.T) {
	node := rpctest.New(t, small())
	c, ctx := dial(t, node, quick), t.Context()
	got, err := c.Accounts(ctx, []schedule.Pubkey{key(1), key(9), key(2)}, 2, 3)
	if err != nil || len(got) != 3 || got[1] != nil {
		t.Fatalf("got %v, %v", got, err)
	}
	if a := got[0]; a.Lamports != math.MaxUint64 || a.Owner != key(42) || string(a.Data) != "234" || a.Size != 10 || a.Slot != 130 {
		t.Errorf("got %+v", a)
	}
	if a := got[2]; a.Lamports != 5 || len(a.Data) != 0 {
		t.Errorf("got %+v", a)
	}
	// 300 keys are three calls.
	many := make([]schedule.Pubkey, 300)
	for i := range many {
		many[i] = key(9)
	}
	many[299] = key(2)
	before := len(node.Calls(""))
	got, err = c.Accounts(ctx, many, 0, 0)
	if err != nil || len(got) != 300 || got[299] == nil || got[0] != nil || len(node.Calls(""))-before != 3 {
		t.Errorf("%d accounts in %d calls, %v", len(got), len(node.Calls(""))-before, err)
	}
	if got, err := c.Accounts(ctx, nil, 0, 10); err != nil || len(got) != 0 {
		t.Errorf("none: got %v, %v", got, err)
	}
	for _, bad := range []string{
		`{"context":{"slot":1},"value":[]}`,
		`{"context":{},"value":[null]}`,
		`{"value":[null]}`,
		`{"context":{"slot":1},"value":[{"owner":"` + key(1).String() + `","data":["","base64"]}]}`,
		`{"context":{"slot":1},"value":[{"lamports":1,"owner":"` + key(1).String() + `","data":["","base58"]}]}`,
		`{"context":{"slot":1},"value":[{"lamports":1,"owner":"` + key(1).String() + `","data":["!","base64"]}]}`,
		`{"context":{"slot":1},"value":[{"lamports":1,"owner":"` + key(1).String() + `","data":["AAAA","base64"]}]}`,
		`{"context":{"slot":1},"value":[{"lamports":1.5,"owner":"` + key(1).String() + `","data":["","base64"]}]}`,
	} {
		node.Fail("getMultipleAccounts", rpctest.Result(bad))
		if _, err := c.Accounts(ctx, []schedule.Pubkey{key(1)}, 0, 2); !errors.Is(err, noderpc.ErrReply) {
			t.Errorf("%s: got %v, want ErrReply", bad, err)
		}
	}
}

func TestTimes(t *testing.T) {
	node := rpctest.New(t, small())
	c, ctx := dial(t, node, quick), t.Context()
	samples, err := c.PerformanceSamples(ctx, 720)
	if err != nil || !slices.Equal(samples, small().Samples) {
		t.Errorf("got %v, %v", samples, err)
	}
	if samples, err := c.PerformanceSamples(ctx, 1); err != nil || len(samples) != 1 {
		t.Errorf("one: got %v, %v", samples, err)
	}
	if at, err := c.BlockTime(ctx, 130); err != nil || at.Unix() != 1_000_130 {
		t.Errorf("got %v, %v", at, err)
	}
	var answer *noderpc.RPCError
	if _, err := c.BlockTime(ctx, 131); !errors.As(err, &answer) || answer.Code != -32007 {
		t.Errorf("skipped slot: got %v", err)
	}
	clock, err := c.Clock(ctx)
	if err != nil || clock.Slot != 130 || clock.At.Unix() != 1_000_130 || clock.Assumed {
		t.Errorf("clock %+v, %v", clock, err)
	}
	node.Change(func(c *rpctest.Cluster) { c.BlockTime = nil })
	if _, err := c.BlockTime(ctx, 130); !errors.Is(err, noderpc.ErrUnavailable) {
		t.Errorf("no times: got %v", err)
	}
	before := time.Now()
	clock, err = c.Clock(ctx)
	if err != nil || clock.Slot != 135 || clock.At.Before(before.Add(-time.Second)) || clock.At.After(time.Now()) {
		t.Errorf("clock of a node without times: %+v, %v", clock, err)
	}
	node.Change(func(c *rpctest.Cluster) { c.Samples = nil })
	if _, err := c.Clock(ctx); !errors.Is(err, slotclock.ErrNoSamples) {
		t.Errorf("no samples: got %v", err)
	}
	node.FailAlways("getRecentPerformanceSamples", rpctest.Result("[null]"))
	if _, err := c.Clock(ctx); !errors.Is(err, noderpc.ErrReply) {
		t.Errorf("null sample: got %v", err)
	}
}

// What replies lack or contradict is found, and never asked for again.
func TestInconsistentReplies(t *testing.T) {
	k, l := key(1).String(), key(2).String()
	node := rpctest.New(t, small())
	c, ctx := dial(t, node, quick), t.Context()
	calls := map[string]func() error{
		"getEpochInfo":                func() error { _, err := c.EpochInfo(ctx, ""); return err },
		"getEpochSchedule":            func() error { _, err := c.EpochSchedule(ctx); return err },
		"getGenesisHash":              func() error { _, err := c.GenesisHash(ctx); return err },
		"getSlot":                     func() error { _, err := c.Slot(ctx, ""); return err },
		"getVoteAccounts":             func() error { _, err := c.VoteAccounts(ctx); return err },
		"getLeaderSchedule":           func() error { _, err := c.LeaderSchedule(ctx, nil, nil); return err },
		"getRecentPerformanceSamples": func() error { _, err := c.PerformanceSamples(ctx, 1); return err },
		"getBlockTime":                func() error { _, err := c.BlockTime(ctx, 1); return err },
	}
	for method, results := range map[string][]string{
		"getEpochInfo": {
			`null`, `[]`, `{}`, `"x"`,
			`{"absoluteSlot":130,"epoch":2,"slotIndex":2}`,
			`{"absoluteSlot":130,"epoch":2,"slotIndex":64,"slotsInEpoch":64}`,
			`{"absoluteSlot":1,"epoch":2,"slotIndex":2,"slotsInEpoch":64}`,
			`{"absoluteSlot":-1,"epoch":2,"slotIndex":2,"slotsInEpoch":64}`,
			`{"absoluteSlot":1e3,"epoch":2,"slotIndex":2,"slotsInEpoch":64}`,
			`{"absoluteSlot":18446744073709551616,"epoch":2,"slotIndex":2,"slotsInEpoch":64}`,
		},
		"getEpochSchedule": {
			`null`, `{}`,
			`{"slotsPerEpoch":0,"leaderScheduleSlotOffset":0,"warmup":false,"firstNormalEpoch":0,"firstNormalSlot":0}`,
			`{"slotsPerEpoch":64,"leaderScheduleSlotOffset":0,"warmup":true,"firstNormalEpoch":1,"firstNormalSlot":33}`,
			`{"slotsPerEpoch":64,"leaderScheduleSlotOffset":0,"warmup":true,"firstNormalEpoch":1}`,
		},
		"getGenesisHash": {`null`, `"0"`, `"` + k[:20] + `"`, `5`, `{}`},
		"getSlot":        {`null`, `"5"`, `-5`, `5.5`, `18446744073709551616`},
		"getVoteAccounts": {
			`null`, `{}`, `[]`, `{"current":[]}`, `{"current":null,"delinquent":[]}`, `{"current":[null],"delinquent":[]}`,
			`{"current":[{"nodePubkey":"` + k + `","activatedStake":1}],"delinquent":[]}`,
			`{"current":[],"delinquent":[{"votePubkey":"` + k + `","activatedStake":1}]}`,
			`{"current":[{"votePubkey":"` + k + `","nodePubkey":"` + k + `"}],"delinquent":[]}`,
			`{"current":[{"votePubkey":"` + k + `","nodePubkey":"` + k + `","activatedStake":-1}],"delinquent":[]}`,
			`{"current":[{"votePubkey":"` + k + `","nodePubkey":"` + k + `","activatedStake":1.0}],"delinquent":[]}`,
			`{"current":[{"votePubkey":"` + k + `","nodePubkey":"` + k + `","activatedStake":"1"}],"delinquent":[]}`,
			`{"current":[{"votePubkey":"` + k + `","nodePubkey":"` + k + `","activatedStake":18446744073709551616}],"delinquent":[]}`,
			`{"current":[{"votePubkey":"0","nodePubkey":"` + k + `","activatedStake":1}],"delinquent":[]}`,
			`{"current":[{"votePubkey":"` + k + `","nodePubkey":"` + k + `","activatedStake":1}],
			  "delinquent":[{"votePubkey":"` + k + `","nodePubkey":"` + l + `","activatedStake":1}]}`,
		},
		"getLeaderSchedule": {
			`[]`, `"x"`, `5`, `{"x":[1]}`, `{"` + k + `":null}`, `{"` + k + `":5}`, `{"` + k + `":[1.5]}`, `{"` + k + `":[-1]}`,
			`{"` + k + `":["1"]}`, `{"` + k + `":[2,1]}`, `{"` + k + `":[1,1]}`, `{"` + k + `":[1],"` + l + `":[1]}`,
			`{"` + k + `":[1],"` + k + `":[2]}`, `{"` + k + `":[18446744073709551616]}`, `{"":[1]}`,
		},
		"getRecentPerformanceSamples": {`null`, `{}`, `[null]`, `[{"slot":-1}]`},
		"getBlockTime":                {`"x"`, `1.5`},
	} {
		for _, result := range results {
			before := len(node.Calls(""))
			node.Fail(method, rpctest.Result(result))
			err := calls[method]()
			wantLine(t, method+" "+result, err, node.URL+": "+method+": ")
			if !errors.Is(err, noderpc.ErrReply) && !(method == "getLeaderSchedule" && errors.Is(err, schedule.ErrPubkeySize)) {
				t.Errorf("%s %s: got %v, want ErrReply", method, result, err)
			}
			if n := len(node.Calls("")) - before; n != 1 {
				t.Errorf("%s %s: asked %d times", method, result, n)
			}
		}
		if err := calls[method](); err != nil {
			t.Errorf("%s: %v", method, err)
		}
	}
}

// wantLine wants an error of one line that is not too long and names its place.
func wantLine(t *testing.T, what string, err error, begin string) {
	t.Helper()
	if err == nil {
		t.Errorf("%.200s: no error", what)
		return
	}
	if text := err.Error(); !strings.HasPrefix(text, begin) || strings.ContainsAny(text, "\n\r") || len(text) > 500 {
		t.Errorf("%.200s: %q is no line that begins with %q", what, text, begin)
	}
	var call *noderpc.CallError
	if !errors.As(err, &call) {
		t.Errorf("%.200s: %T is no CallError", what, err)
	}
}
