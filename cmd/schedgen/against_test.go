package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/noderpc/rpctest"
	"github.com/schedgen/schedgen/schedule"
)

// askingOptions are how these tests ask nodes.
var askingOptions = noderpc.Options{Retries: 2, RetryWait: time.Millisecond, MaxRetryWait: time.Millisecond, Timeout: 10 * time.Second}

// runAsking runs verify or diff with quick retries.
func runAsking(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	root := newRootCommand()
	for _, c := range root.Commands() {
		if c.Name() == "verify" || c.Name() == "diff" {
			root.RemoveCommand(c)
		}
	}
	root.AddCommand((&verifyFlags{options: askingOptions}).command(), (&diffFlags{options: askingOptions}).command())
	var out, errs bytes.Buffer
	root.SetArgs(args)
	root.SetIn(strings.NewReader(stdin))
	root.SetOut(&out)
	root.SetErr(&errs)
	err := root.ExecuteContext(t.Context())
	if err == nil {
		return exitDone, out.String(), errs.String()
	}
	printError(&errs, err)
	var no answerError
	if errors.As(err, &no) {
		return exitNo, out.String(), errs.String()
	}
	return exitError, out.String(), errs.String()
}

// wantAsked checks an exit code and what is printed.
func wantAsked(t *testing.T, code int, stdin string, args []string, says ...string) (stdout, stderr string) {
	t.Helper()
	got, stdout, stderr := runAsking(t, stdin, args...)
	if got != code {
		t.Errorf("%v: exit code %d, want %d\n%s%s", args, got, code, stdout, stderr)
	}
	text := strings.Join(strings.Fields(stdout+stderr), " ")
	for _, part := range says {
		if !strings.Contains(text, part) {
			t.Errorf("%v: no %q in\n%s%s", args, part, stdout, stderr)
		}
	}
	if code == exitError && (stdout != "" || strings.Count(stderr, "\n") != 1+strings.Count(stderr, "note: ")) {
		t.Errorf("%v: not one line:\n%s%s", args, stdout, stderr)
	}
	return stdout, stderr
}

// exampleSchedule derives the short epoch, with the example list changed.
func exampleSchedule(t *testing.T, change func([]schedule.Entry)) *schedule.Schedule {
	t.Helper()
	list := exampleEntries(t)
	if change != nil {
		change(list)
	}
	st, err := schedule.NewStakes(list, schedule.KeyedByVote)
	if err != nil {
		t.Fatal(err)
	}
	s, err := schedule.Derive(st, schedule.Params{Epoch: 900, FirstSlot: firstOf900, Slots: 8192})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// exampleNode starts a node of a cluster with the example's stakes and epochs of
// 8,192 slots, at the first slot of epoch 899, that has the schedule of epoch 900.
func exampleNode(t *testing.T) *rpctest.Server {
	t.Helper()
	es, err := schedule.NewEpochSchedule(8192, 8192, false)
	if err != nil {
		t.Fatal(err)
	}
	s := exampleSchedule(t, nil)
	return rpctest.New(t, rpctest.Cluster{
		Genesis: schedule.Pubkey{7}, EpochSchedule: es, Slot: 899 * 8192,
		VoteAccounts: rpctest.VoteAccountsOf(exampleEntries(t), 899*8192-1),
		Leaders:      map[uint64]noderpc.Leaders{900: rpctest.LeadersOf(s)},
		Votes:        map[uint64]noderpc.Leaders{900: rpctest.VotesOf(s)},
	})
}

// against are the flags that compare the example with a node.
func against(node *rpctest.Server, more ...string) []string {
	return with([]string{"verify", "--stakes", "example", "--epoch", "900", "--keyed-by", "vote", "--against", node.URL}, more...)
}

func TestVerifyAgainstNode(t *testing.T) {
	node := exampleNode(t)
	stdout, stderr := wantAsked(t, exitDone, "", against(node))
	if !strings.HasPrefix(stdout, "equal: 8,192 slots, digest ") || stderr != "" {
		t.Errorf("got %s%s", stdout, stderr)
	}
	if calls := node.Calls("getLeaderSchedule"); len(calls) != 1 || calls[0].Params != "[7372800]" {
		t.Errorf("asked %v", calls)
	}
	wantAsked(t, exitDone, "", against(node, "--by-vote"), "equal: 8,192 slots", "vote accounts too")
	// The stakes of the same node, at the very slot at which they were recorded.
	args := against(node, "--exact")
	args[2] = node.URL
	wantAsked(t, exitDone, "", args, "equal: 8,192 slots")
	node.Change(func(c *rpctest.Cluster) { c.Votes = nil })
	wantAsked(t, exitError, "", against(node, "--by-vote"), "--by-vote", "by identity")
	wantAsked(t, exitError, "", against(node, "--by-vote", "--keyed-by", "identity"), "--by-vote", "keyed by identity")
}

// A whole schedule has some megabytes: the slots of few identities are asked for by
// themselves.
func TestVerifyAgainstNodeOneLeader(t *testing.T) {
	node := exampleNode(t)
	leader := derivedLeaders(t, "", short...)[0]
	wantAsked(t, exitDone, "", against(node, "--identity", leader, "--by-vote"), "84 of 8,192 slots compared, all of those that it is about")
	for _, call := range node.Calls("getLeaderSchedule") {
		if !strings.Contains(call.Params, `"identity":"`+leader+`"`) {
			t.Errorf("asked %s", call.Params)
		}
	}
	wantAsked(t, exitDone, "", against(node, "--identity", keyNode), "none of those that it is limited to leads")
	node.Change(func(c *rpctest.Cluster) {
		key, err := schedule.ParsePubkey(leader)
		if err != nil {
			t.Fatal(err)
		}
		c.Leaders[900][key] = c.Leaders[900][key][4:]
	})
	wantAsked(t, exitNo, "", against(node, "--identity", leader), "differs: 4 of 84 slots compared")
}

// Two answers, by identity and by vote account, tell a validator that changed its
// identity from one with another stake.
func TestTrapNodeMapsTodaysIdentities(t *testing.T) {
	node := exampleNode(t)
	today := exampleSchedule(t, func(list []schedule.Entry) { list[3].Node = stranger })
	node.Change(func(c *rpctest.Cluster) { c.Leaders[900] = rpctest.LeadersOf(today) })
	wantAsked(t, exitNo, "", against(node, "--by-vote", "--explain"), "vote accounts 8,192 of 8,192 slots agree", "other identities", "take a list with the identities of the epoch's record")
	node.Change(func(c *rpctest.Cluster) {
		c.Leaders[900] = rpctest.LeadersOf(exampleSchedule(t, nil))
		for vote := range c.Votes[900] {
			c.Votes[900][stranger] = c.Votes[900][vote]
			delete(c.Votes[900], vote)
			break
		}
	})
	wantAsked(t, exitNo, "", against(node, "--by-vote", "--explain"), "differs: the same leaders, and other vote accounts in", "mistakes are looked for in who leads")
}

// What a node makes of the wrong stakes is explained, and this side is told what to
// change.
func TestVerifyAgainstNodeExplained(t *testing.T) {
	node := exampleNode(t)
	node.Change(func(c *rpctest.Cluster) {
		s := exampleSchedule(t, nil)
		c.Leaders[900] = noderpc.Leaders{}
		for i := range schedule.Index(8192 - 100) {
			leader, _ := s.Leader(i + 100)
			c.Leaders[900][leader] = append(c.Leaders[900][leader], i)
		}
	})
	wantAsked(t, exitNo, "", against(node, "--explain"), "index +100", "see where its slots are counted from")
	code, stdout, _ := runAsking(t, "", against(node, "--explain", "--format", "json")...)
	var v struct {
		Against  struct{ Name, Format string }
		Remedies []remedy
	}
	if err := json.Unmarshal([]byte(stdout), &v); err != nil || code != exitNo || v.Against.Format != "getLeaderSchedule" || v.Against.Name != node.URL || len(v.Remedies) == 0 {
		t.Errorf("exit code %d, %v, %+v", code, err, v)
	}
}

func TestVerifyAgainstNodeUnavailable(t *testing.T) {
	node := exampleNode(t)
	args := against(node)
	args[4] = "905"
	wantAsked(t, exitError, "", args, node.URL, "slot 7413760", "not available from this node")
}

func TestVerifyAgainstOtherCluster(t *testing.T) {
	node, other := exampleNode(t), exampleNode(t)
	other.Change(func(c *rpctest.Cluster) { c.Genesis = schedule.Pubkey{8} })
	args := against(other)
	args[2] = node.URL
	wantAsked(t, exitError, "", args, "genesis hash", node.URL, other.URL)
	wantAsked(t, exitError, "", against(node, "--cluster", "testnet"), "--cluster testnet", node.URL)
	wantAsked(t, exitError, "", against(node, "--epoch-schedule", "4096"), "--epoch-schedule", "8192 slots")
	genesis := dataFile(t, "genesis-testnet.bin")
	wantAsked(t, exitError, "", []string{"verify", "--stakes", genesis, "--epoch", "1", "--keyed-by", "vote", "--against", node.URL}, "genesis hash")
	wantAsked(t, exitError, "", []string{"verify", "--stakes", "example", "--epoch", "900", "--against", node.URL}, "--keyed-by")
}

// Whatever a node answers, there is one line, and no verdict.
func TestVerifyAgainstFaultyNode(t *testing.T) {
	for name, c := range map[string]struct {
		fault rpctest.Fault
		says  string
	}{
		"null":          {rpctest.Result("null"), "not available"},
		"429":           {rpctest.Status(http.StatusTooManyRequests), "fewer requests"},
		"429 for hours": {rpctest.Status(http.StatusTooManyRequests, "Retry-After", "7200"), "2h0m0s"},
		"500":           {rpctest.Status(http.StatusInternalServerError), "500"},
		"403":           {rpctest.Status(http.StatusForbidden), "credentials"},
		"a page":        {rpctest.Page(), "bad reply"},
		"cut short":     {rpctest.Truncated(), "getLeaderSchedule"},
		"dropped":       {rpctest.Dropped(), "getLeaderSchedule"},
		"another's":     {rpctest.WrongID(), "bad reply"},
		"an error":      {rpctest.Error(-32602, "Invalid\nparam"), `Invalid\nparam`},
		"a list":        {rpctest.Result("[]"), "no object"},
		"no key":        {rpctest.Result(`{"x":[1]}`), "public key"},
		"two leaders":   {rpctest.Result(`{"` + keyNode + `":[1],"` + keyShort + `":[1]}`), "two leaders"},
		"beyond":        {rpctest.Result(`{"` + keyNode + `":[8192]}`), "index 8192"},
		"far beyond":    {rpctest.Result(`{"` + keyNode + `":[18446744073709551615]}`), "18446744073709551615"},
		"descending":    {rpctest.Result(`{"` + keyNode + `":[2,1]}`), "ascending"},
		"nobody":        {rpctest.Result(`{}`), "names nobody"},
		"redirect":      {rpctest.Redirect(http.StatusFound, "http://elsewhere/"), "redirect"},
	} {
		t.Run(name, func(t *testing.T) {
			node := exampleNode(t)
			node.FailAlways("getLeaderSchedule", c.fault)
			wantAsked(t, exitError, "", against(node), node.URL, c.says)
		})
	}
}

// Failures that pass are not the end.
func TestVerifyAgainstNodeRetries(t *testing.T) {
	node := exampleNode(t)
	node.Fail("getGenesisHash", rpctest.Status(http.StatusServiceUnavailable))
	node.Fail("getLeaderSchedule", rpctest.Truncated(), rpctest.Status(http.StatusTooManyRequests))
	wantAsked(t, exitDone, "", against(node), "equal: 8,192 slots")
}

// The key in an address stays out of all output.
func TestVerifyHidesCredentials(t *testing.T) {
	node := exampleNode(t)
	const secret = "a0123456789b0123456789"
	args := against(node)
	args[len(args)-1] = strings.Replace(node.URL, "://", "://user:"+secret+"@", 1) + "/" + secret + "?api-key=" + secret
	for range 2 {
		_, stdout, stderr := runAsking(t, "", append(args, "--format", "json")...)
		if strings.Contains(stdout+stderr, secret) {
			t.Errorf("%.300s%s", stdout, stderr)
		}
		node.FailAlways("getLeaderSchedule", rpctest.Page())
	}
}

// A node's answer that was saved, whole or its result alone.
func TestVerifyAgainstSavedAnswer(t *testing.T) {
	result, err := json.Marshal(rpctest.LeadersOf(exampleSchedule(t, nil)))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "answer.json")
	for _, text := range []string{string(result), `{"jsonrpc":"2.0","result":` + string(result) + `,"id":1}`} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, notes := wantEqual(t, "", with(short, "--against", path)...)
		if !strings.Contains(notes, "compared by index") {
			t.Errorf("notes %q", notes)
		}
	}
}
