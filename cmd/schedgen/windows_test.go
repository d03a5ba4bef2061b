package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/schedgen/schedgen/noderpc/rpctest"
	"github.com/schedgen/schedgen/schedule"
)

func TestWindowsFromNode(t *testing.T) {
	node := newNode(t)
	args := []string{"windows", "--identity", nodeA.String(), "--rpc", node.URL, "--min-slots", "20", "--zone", "UTC"}
	code, stdout, stderr := runAt(t, at330, "", args...)
	want := `identity    ` + nodeA.String() + `
now         slot 330, index 10 of epoch 5
schedule    epochs 5 and 6 from ` + node.URL + `, exact: the schedule that the node goes by
times       estimated, measured: 60 samples of 60 s, 400 ms a slot; ± is 95 %
            slots may get shorter at the start of an epoch (SIMD-0525), which is not in them
needed      20 slots
leads next  slot 340, in 4 s
open now    no
next        slots 344 to 379, 36 slots, 14 s
longest     slots 388 to 447, at least 60 slots, 24 s

first slot  last slot  slots  epoch  lasts    in                   UTC      ±
       344        379     36      5   14 s   5 s  2026-10-08T12:02:17Z  2.0 s
       388        447   ≥ 60      6   24 s  23 s  2026-10-08T12:02:35Z  2.0 s
`
	if code != exitDone || stdout != want {
		t.Errorf("exit code %d, got\n%s\nwant\n%s", code, stdout, want)
	}
	if stderr != "schedgen: note: identity "+nodeA.String()+" leads in 10 slots, 4 s: too soon to move an identity (--near 64)\n" {
		t.Errorf("standard error %q", stderr)
	}
}

// The exit code is for scripts: 0 there is a window, with --now only an open one;
// 1 there is none; 2 it is not known who leads.
func TestWindowsExitCode(t *testing.T) {
	node := newNode(t)
	args := []string{"windows", "--identity", nodeA.String(), "--rpc", node.URL}
	at := func(slot schedule.Slot) time.Time {
		node.Change(func(c *rpctest.Cluster) { c.Slot, c.Ahead = slot, 0 })
		return timeOf(slot)
	}
	for _, c := range []struct {
		slot schedule.Slot
		args string
		code int
		says string
	}{
		{350, "--min-slots 10 --now", exitDone, "open now    yes, slots 350 to 379, 30 slots"},
		{350, "--min 3s --now", exitDone, "yes"},
		{350, "--min-slots 30", exitDone, "not surely, it may be slot 345 to 354"},
		{350, "--min-slots 31 --now", exitNo, "no quiet window of 31 slots is surely open now, the next one begins at slot 388, in 15 s"},
		{341, "--min-slots 30 --now", exitNo, "no, leading"},
		{341, "--min-slots 30", exitDone, "leads now, up to slot 343"},
		// It may be that the last slot is not over yet.
		{345, "--min-slots 10 --now", exitNo, "not surely, it may be slot 340 to 349"},
		// It may be later than it seems: 5 slots of the 30 are not sure.
		{350, "--min-slots 26 --now", exitDone, "yes"},
		{350, "--min-slots 27 --now", exitNo, "not surely"},
		{389, "--min-slots 61", exitNo, "up to slot 447, the longest has 59 slots; the schedule of epoch 7 is not known"},
		{389, "--min 10m", exitNo, "no quiet window of 10 min (1,507 slots) up to slot 447"},
		{389, "--min 10m --now", exitNo, "surely open now, and none begins up to slot 447"},
	} {
		now := at(c.slot)
		wantAnswer(t, c.code, now, "", append(args, strings.Fields(c.args)...), c.says)
	}
	wantAnswer(t, exitError, at(448), "", append(args, "--min-slots", "1", "--now"), "epoch 7 is not known")
	node.Change(func(c *rpctest.Cluster) { c.Leaders = nil })
	wantAnswer(t, exitError, at(350), "", append(args, "--min-slots", "1"), "epoch 5 is not known")
	all := []string{"windows", "--stakes", "-", "--slots", "64", "--epochs", "5", "--keyed-by", "vote", "--from", "320", "--min-slots", "1", "--identity"}
	one := "vote_pubkey,node_pubkey,stake\n" + voteA.String() + "," + nodeA.String() + ",1\n"
	wantAnswer(t, exitNo, at330, one, append(all, nodeA.String()), "the keys lead every slot up to slot 383; the schedule of epoch 6 is not known")
}

// Who has no slots may restart at any time that is known, and is told why.
func TestWindowsWithoutSlots(t *testing.T) {
	node := newNode(t)
	args := []string{"windows", "--identity", stranger.String(), "--rpc", node.URL}
	wantAnswer(t, exitDone, at330, "", append(args, "--min", "30s", "--now"), "open now  yes, at any time", "none up to slot 447: the schedule does not tell who has stake")
	// What comes after the epochs that are known may be its slot.
	wantAnswer(t, exitNo, at330, "", append(args, "--min", "10m"), "not known to be, the schedule is known up to slot 447")
	wantAnswer(t, exitNo, at330, "", append(args, "--min", "10m", "--now"), "no quiet window of 10 min", "is known to be open: the schedule is known up to slot 447")

	list := []string{"windows", "--stakes", "-", "--slots", "64", "--epochs", "5", "--keyed-by", "vote", "--from", "320", "--min-slots", "64", "--identity"}
	wantAnswer(t, exitDone, at330, votesList, append(list, stranger.String()), "none up to slot 383: no stake in the list")
	poor := "vote_pubkey,node_pubkey,stake\n" + voteA.String() + "," + nodeA.String() + ",1\n" + voteB.String() + "," + nodeB.String() + ",1000000000\n"
	wantAnswer(t, exitDone, at330, poor, append(list, nodeA.String()), "none up to slot 383: it has stake, and no slot was drawn for it")

	stdout, _ := wantAnswer(t, exitDone, at330, poor, append(list, nodeA.String(), "--format", "json"))
	var answer struct {
		AnyTime bool
		Reason  string
		Windows []struct {
			First, Last schedule.Slot
			AtLeast     bool
		}
		OpenNow *bool
	}
	if err := json.Unmarshal([]byte(stdout), &answer); err != nil || !answer.AnyTime || answer.Reason != "staked, and not drawn" ||
		len(answer.Windows) != 1 || answer.Windows[0].Last != 383 || !answer.Windows[0].AtLeast || answer.OpenNow != nil {
		t.Errorf("%v: %s", err, stdout)
	}
}

// Before an identity is moved one should know how near its slots are.
func TestWindowsWarnNearLeading(t *testing.T) {
	node := newNode(t)
	args := []string{"windows", "--vote", voteA.String(), "--rpc", node.URL, "--min-slots", "1"}
	for near, warned := range map[int]bool{9: false, 10: true, 1000: true, 0: false} {
		_, stderr := wantAnswer(t, exitDone, at330, "", append(args, "--near", fmt.Sprint(near)))
		if got := strings.Contains(stderr, "vote account "+voteA.String()+" leads in 10 slots, 4 s"); got != warned {
			t.Errorf("--near %d: %q", near, stderr)
		}
	}
	node.Change(func(c *rpctest.Cluster) { c.Slot = 339 })
	wantAnswer(t, exitDone, timeOf(341), "", append(args, "--near", "0"), "leads now, up to slot 343")
}

// A duration counts at the short end of the error band: with a clock that is less
// sure, more slots are needed.
func TestWindowsAreConservative(t *testing.T) {
	node := newNode(t)
	args := []string{"windows", "--identity", nodeA.String(), "--min", "20s"}
	measured, _ := wantAnswer(t, exitDone, at330, "", append(args, "--rpc", node.URL))
	assumed, _ := wantAnswer(t, exitDone, at330, "", append(args, "--schedule", node.URL, "--anchor", "330@"+at330.Format(time.RFC3339), "--slot-duration", "400ms"))
	if !strings.Contains(measured, "20 s (52 slots)") || !strings.Contains(assumed, "20 s (58 slots)") {
		t.Errorf("got\n%s\n%s", measured, assumed)
	}
	// Half an epoch away from its anchor an assumed clock does not tell what is open.
	wantAnswer(t, exitNo, timeOf(360), "", []string{"windows", "--identity", nodeA.String(), "--schedule", node.URL, "--min-slots", "1", "--now",
		"--anchor", "0@" + timeOfSlotZero.Format(time.RFC3339), "--slot-duration", "400ms"}, "not surely, it may be slot")
}

// A window goes on over the end of an epoch, when the next one is known.
func TestWindowsAcrossTheBoundary(t *testing.T) {
	stakes := []string{"windows", "--stakes", "-", "--slots", "64", "--keyed-by", "vote", "--from", "320", "--min-slots", "100", "--identity", stranger.String()}
	stdout, _ := wantAnswer(t, exitDone, at330, votesList, append(stakes, "--epochs", "5..7"))
	if !strings.Contains(rows(stdout), "320        511  ≥ 192      5\n") {
		t.Errorf("got\n%s", stdout)
	}
	wantAnswer(t, exitNo, at330, votesList, append(stakes, "--epochs", "5"), "epoch 6 is not known")
	wantAnswer(t, exitNo, at330, votesList, append(stakes, "--epochs", "5..7", "--from", "448"), "the longest has 64 slots")
}

func TestWindowsOfEpoch454(t *testing.T) {
	args := []string{"windows", "--stakes", dataFile(t, "epoch-454-stakes.csv"), "--epochs", "454", "--identity", "XkCriyrNwS3G4rzAXtG5B1nnvb5Ka1JtCku93VqeKAr",
		"--anchor", "196130000@2026-10-08T12:00:00Z", "--slot-duration", "396ms", "--min", "3m", "-n", "1", "--zone", "UTC"}
	now := time.Date(2026, 10, 8, 12, 0, 0, 0, time.UTC)
	stdout, _ := wantAnswer(t, exitDone, now, "", args, "leads next  slot 196130144, in 57 s", "needed      3 min (507 slots)", "longest     slots 196225544 to 196227067, 1,524 slots, 10 min 03 s")
	want := `
first slot  last slot  slots  epoch       lasts           in                   UTC           ±
 196132992  196133571    580    454  3 min 49 s  19 min 44 s  2026-10-08T12:19:44Z  1 min 56 s
and 131 more up to slot 196559999
`
	if !strings.HasSuffix(stdout, want) {
		t.Errorf("got\n%s", stdout)
	}
	wantAnswer(t, exitNo, now, "", append(args, "--min", "3h"), "no quiet window of 3 h (", "the longest has 1,524 slots; the schedule of epoch 455 is not known")
}
