package main

import (
	"encoding/json"
	"testing"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/noderpc/rpctest"
	"github.com/schedgen/schedgen/schedule"
)

func TestInSchedule(t *testing.T) {
	node := newNode(t)
	args := []string{"in-schedule", "--rpc", node.URL, "--epochs"}
	code, stdout, stderr := runAt(t, at330, "", append(args, "4..6", "--identity", nodeA.String())...)
	want := `identity  ` + nodeA.String() + `
schedule  epochs 5 and 6 from ` + node.URL + `, exact: the schedule that the node goes by

epoch           slots  schedule  why
    4  unknown      ?  missing   no source has it
    5  present      8  exact
    6  present      4  exact
`
	if code != exitDone || stdout != want || stderr != "" {
		t.Errorf("exit code %d, got\n%s%s\nwant\n%s", code, stdout, stderr, want)
	}
	code, stdout, _ = runAt(t, at330, "", append(args, "5", "--identity", nodeA.String(), "--identity", stranger.String())...)
	want = `identity  ` + nodeA.String() + `
identity  ` + stranger.String() + `
schedule  epoch 5 from ` + node.URL + `, exact: the schedule that the node goes by

epoch           slots  schedule  why                                              key
    5  present      8  exact                                                      ` + nodeA.String() + `
    5  absent       0  exact     not on the schedule, which does not tell stakes  ` + stranger.String() + `
`
	if code != exitDone || stdout != want {
		t.Errorf("exit code %d, got\n%s\nwant\n%s", code, stdout, want)
	}
}

// An epoch that no source has is unknown, which decides some questions and others
// not; it never counts as one in which a key is absent.
func TestInScheduleMissingEpoch(t *testing.T) {
	node := newNode(t)
	for _, c := range []struct {
		epochs, all string
		identity    schedule.Pubkey
		code        int
		says        string
	}{
		{"5..6", "", nodeA, exitDone, ""},
		{"5..6", "--all", nodeA, exitDone, ""},
		{"5..7", "", nodeA, exitDone, ""},
		{"5..7", "--all", nodeA, exitError, "1 of 3 epochs unknown: the leader schedule of epoch 7 is not known"},
		{"7..9", "", nodeA, exitError, "3 of 3 epochs unknown: the leader schedule of epoch 7 is not known"},
		{"5..6", "", stranger, exitNo, "absent from all of 2 epochs"},
		{"5..6", "--all", stranger, exitNo, "absent from 2 of 2 epochs"},
		{"5..7", "", stranger, exitError, "1 of 3 epochs unknown: the leader schedule of epoch 7 is not known"},
		{"5..7", "--all", stranger, exitNo, "absent from 2 of 3 epochs"},
	} {
		args := []string{"in-schedule", "--rpc", node.URL, "--epochs", c.epochs, "--identity", c.identity.String()}
		if c.all != "" {
			args = append(args, c.all)
		}
		wantAnswer(t, c.code, at330, "", args, c.says)
	}
	// The key that is not known is named, not one that is.
	node.Change(func(c *rpctest.Cluster) { c.Votes = nil })
	wantAnswer(t, exitError, at330, "", []string{"in-schedule", "--rpc", node.URL, "--epochs", "5", "--identity", stranger.String(), "--vote", voteA.String()},
		"1 of 1 epoch unknown: leader schedule of epoch 5 is not known for vote account "+voteA.String())
	// A past epoch that the node still has is asked for.
	node.Change(func(c *rpctest.Cluster) { c.Leaders[3] = noderpc.Leaders{nodeA: {7}} })
	wantAnswer(t, exitDone, at330, "", []string{"in-schedule", "--rpc", node.URL, "--epochs", "0..3", "--identity", nodeA.String()}, "    3  present      1  exact")
}

func TestInScheduleJSON(t *testing.T) {
	stdout, _ := wantAnswer(t, exitError, at330, "", []string{"in-schedule", "--stakes", dataFile(t, "genesis-mainnet-beta.bin"), "--epochs", "1..2", "--identity", stranger.String(), "--format", "json"},
		"has the stakes of epochs 0 and 1")
	var answer struct {
		Any, All  string
		Epochs    []struct{ Status, Vintage string }
		Schedules []struct{ Vintage, Reason, Source string }
		Cluster   string
	}
	if err := json.Unmarshal([]byte(stdout), &answer); err != nil || answer.Any != "unknown" || answer.All != "absent" || len(answer.Epochs) != 2 ||
		answer.Epochs[0].Status != "absent" || answer.Epochs[1].Status != "unknown" || len(answer.Schedules) != 1 || answer.Schedules[0].Vintage != "exact" || answer.Cluster != "mainnet-beta" {
		t.Errorf("%v: %s", err, stdout)
	}
}

// A trimmed schedule of the tracked identity is enough, around the boundary too.
func TestInScheduleAsksForItsKeysOnly(t *testing.T) {
	node := newNode(t)
	for slot := schedule.Slot(382); slot < 386; slot++ {
		node.Change(func(c *rpctest.Cluster) { c.Slot = slot })
		wantAnswer(t, exitDone, timeOf(slot), "", []string{"in-schedule", "--rpc", node.URL, "--epochs", "5..6", "--all", "--identity", nodeA.String()})
	}
	for _, call := range node.Calls("getLeaderSchedule") {
		if call.Params != `[320,{"identity":"`+nodeA.String()+`"}]` && call.Params != `[384,{"identity":"`+nodeA.String()+`"}]` {
			t.Errorf("asked %s", call.Params)
		}
	}
}
