package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/schedgen/schedgen/noderpc/rpctest"
	"github.com/schedgen/schedgen/schedule"
)

func TestNextFromNode(t *testing.T) {
	node := newNode(t)
	args := []string{"next", "--identity", nodeA.String(), "--rpc", node.URL, "--zone", "Europe/Berlin"}
	code, stdout, stderr := runAt(t, at330, "", args...)
	want := `identity  ` + nodeA.String() + `
now       slot 330, index 10 of epoch 5
schedule  epochs 5 and 6 from ` + node.URL + `, exact: the schedule that the node goes by
times     estimated, measured: 60 samples of 60 s, 400 ms a slot; ± is 95 %
          slots may get shorter at the start of an epoch (SIMD-0525), which is not in them

first slot  last slot  slots  epoch    in                   UTC              Europe/Berlin      ±
       340        343      4      5   4 s  2026-10-08T12:02:16Z  2026-10-08T14:02:16+02:00  2.0 s
       380        387      8      5  20 s  2026-10-08T12:02:32Z  2026-10-08T14:02:32+02:00  2.0 s
`
	if code != exitDone || stdout != want {
		t.Errorf("exit code %d, got\n%s\nwant\n%s", code, stdout, want)
	}
	// Two of five are known, which is said.
	if !strings.HasPrefix(stderr, "schedgen: note: 2 windows up to slot 447: the leader schedule of epoch 7 is not known ("+node.URL+" does not have it)") {
		t.Errorf("standard error %q", stderr)
	}
	// Only the slots of the key were asked for.
	for _, call := range node.Calls("getLeaderSchedule") {
		if !strings.Contains(call.Params, `"identity":"`+nodeA.String()+`"`) {
			t.Errorf("asked %s", call.Params)
		}
	}
	// A node of --schedule tells the time too.
	if code, other, _ := runAt(t, at330, "", "next", "--identity", nodeA.String(), "--schedule", node.URL, "--zone", "Europe/Berlin"); code != exitDone || other != want {
		t.Errorf("exit code %d, got\n%s\nwant\n%s", code, other, want)
	}
}

// In a window the slots that are left count.
func TestNextInProgress(t *testing.T) {
	node := newNode(t)
	node.Change(func(c *rpctest.Cluster) { c.Slot = 340 })
	args := []string{"next", "--identity", nodeA.String(), "--rpc", node.URL, "-n", "1", "--zone", "UTC"}
	stdout, stderr := wantAnswer(t, exitDone, timeOf(342), "", args)
	want := `
first slot  last slot  slots  epoch   in                   UTC      ±
       342        343      2      5  now  2026-10-08T12:02:16Z  2.0 s
`
	if !strings.HasSuffix(stdout, want) || stderr != "" {
		t.Errorf("got\n%s%s\nwant\n%s", stdout, stderr, want)
	}
}

// The slots of a vote account are those that were drawn for it.
func TestNextOfVoteAccounts(t *testing.T) {
	node := newNode(t)
	args := []string{"next", "--rpc", node.URL, "--zone", "UTC", "-n", "3", "--vote"}
	stdout, _ := wantAnswer(t, exitDone, at330, "", append(args, voteA.String(), "--identity", nodeB.String()))
	want := `
first slot  last slot  slots  epoch   in                   UTC      ±  key
       330        339     10      5  now  2026-10-08T12:02:12Z  2.0 s  ` + nodeB.String() + `
       340        343      4      5  4 s  2026-10-08T12:02:16Z  2.0 s  ` + voteA.String() + `
       344        379     36      5  5 s  2026-10-08T12:02:17Z  2.0 s  ` + nodeB.String() + `
`
	if !strings.HasSuffix(stdout, want) {
		t.Errorf("got\n%s\nwant\n%s", stdout, want)
	}
	// A node that does not know schedules by vote account answers others.
	node.Change(func(c *rpctest.Cluster) { c.Votes = nil })
	wantAnswer(t, exitError, at330, "", append(args, voteA.String()), "names no vote accounts", "--identity", "--stakes")
}

// More identities than are asked for one by one.
func TestNextOfManyIdentities(t *testing.T) {
	node := newNode(t)
	args := []string{"next", "--rpc", node.URL, "-n", "1", "--identity", nodeA.String()}
	for i := range byte(5) {
		args = append(args, "--identity", schedule.Pubkey{7, i}.String())
	}
	wantAnswer(t, exitDone, at330, "", append(args, "--identity", nodeA.String()), "340")
	if calls := node.Calls("getLeaderSchedule"); len(calls) != 2 || strings.Contains(calls[0].Params, "identity") {
		t.Errorf("asked %v", calls)
	}
}

// Times are told with their error, which grows with the distance.
func TestNextBandGrows(t *testing.T) {
	stakes := dataFile(t, "epoch-454-stakes.csv")
	const identity = "XkCriyrNwS3G4rzAXtG5B1nnvb5Ka1JtCku93VqeKAr"
	args := []string{"next", "--stakes", stakes, "--epochs", "454", "--identity", identity, "--anchor", "196128000@2023-05-23T12:00:00Z", "--slot-duration", "420ms",
		"--from", "196128000", "--format", "json", "-n", "3000"}
	stdout, _ := wantAnswer(t, exitDone, at330, "", args)
	var answer struct {
		Windows []struct {
			First  schedule.Slot
			Begins struct {
				UTC         time.Time
				BandSeconds float64
			}
		}
	}
	if err := json.Unmarshal([]byte(stdout), &answer); err != nil || len(answer.Windows) < 2000 {
		t.Fatalf("%v, %d windows", err, len(answer.Windows))
	}
	for i, w := range answer.Windows[1:] {
		if before := answer.Windows[i]; w.Begins.BandSeconds <= before.Begins.BandSeconds || w.Begins.UTC.Before(before.Begins.UTC) {
			t.Fatalf("slot %d: %+v after %+v", w.First, w, before)
		}
	}
	if first := answer.Windows[0]; first.First != 196128084 || !first.Begins.UTC.Equal(time.Date(2023, 5, 23, 12, 0, 35, 0, time.UTC)) {
		t.Errorf("%+v", first)
	}
}

// The duration of a slot is the node's, or the user's and then said to be assumed;
// without either there are no times, and no 400 ms in their place.
func TestNextTimesAreNotInvented(t *testing.T) {
	node := newNode(t)
	node.Change(func(c *rpctest.Cluster) {
		for i := range c.Samples {
			c.Samples[i].Slots = 200 // 300 ms
		}
	})
	wantAnswer(t, exitDone, at330, "", []string{"next", "--identity", nodeA.String(), "--rpc", node.URL}, "measured: 60 samples of 60 s, 300 ms a slot", " 3 s ")
	list := []string{"next", "--identity", keyNode, "--stakes", "-", "--slots", "64", "--epochs", "5", "--keyed-by", "vote", "-n", "1"}
	wantAnswer(t, exitDone, at330, votesList, append(list, "--anchor", "330@now", "--slot-duration", "250ms", "--from", "320"), "assumed: 250 ms a slot")
	stdout, _ := wantAnswer(t, exitDone, at330, votesList, append(list, "--from", "320"), "no times: --rpc URL tells them, or --anchor")
	if strings.Contains(stdout, "UTC") || strings.Contains(stdout, "ms a slot") {
		t.Errorf("times without a clock:\n%s", stdout)
	}
	// A node that tells no samples still tells which slot it is at.
	node.FailAlways("getRecentPerformanceSamples", rpctest.Status(403))
	stdout, _ = wantAnswer(t, exitDone, at330, "", []string{"next", "--identity", nodeA.String(), "--rpc", node.URL}, "no times: ", "getRecentPerformanceSamples", "now       slot 330")
	if strings.Contains(stdout, "UTC") {
		t.Errorf("times without a clock:\n%s", stdout)
	}
}

// Every time has its offset from UTC, also where it is none and where it changes
// between two windows.
func TestNextPrintsOffsets(t *testing.T) {
	list := []string{"next", "--identity", keyNode, "--identity", keyShort, "--stakes", "-", "--slots", "64", "--epochs", "5", "--keyed-by", "vote",
		"--anchor", "320@2026-10-25T00:58:00Z", "--slot-duration", "3s", "--from", "320", "-n", "9"}
	for zone, offsets := range map[string][]string{
		"Europe/Berlin": {"+02:00", "+01:00"}, "Asia/Kathmandu": {"+05:45"}, "America/St_Johns": {"-02:30"}, "Europe/London": {"+01:00", "2026-10-25T01:"},
	} {
		stdout, _ := wantAnswer(t, exitDone, at330, votesList, append(list, "--zone", zone), append(offsets, zone, "Z")...)
		for _, line := range strings.Split(strings.TrimSpace(rows(stdout)), "\n")[1:] {
			times := 0
			for _, text := range strings.Fields(line) {
				if _, err := time.Parse(time.RFC3339, text); err == nil {
					times++
				}
			}
			if times != 2 {
				t.Errorf("%s: %d times of RFC 3339 in %q", zone, times, line)
			}
		}
	}
}

// The last window of an epoch and the first of the next one are one answer, and
// both epochs can be asked about around the boundary.
func TestNextAcrossTheBoundary(t *testing.T) {
	node := newNode(t)
	for slot := schedule.Slot(376); slot < 390; slot++ {
		node.Change(func(c *rpctest.Cluster) { c.Slot, c.Ahead = slot, 0 })
		stdout, _ := wantAnswer(t, exitDone, timeOf(slot), "", []string{"next", "--identity", nodeB.String(), "--rpc", node.URL, "-n", "1", "--format", "json"})
		var answer struct {
			Now     struct{ Slot schedule.Slot }
			Windows []struct {
				First, Last schedule.Slot
				Epoch       uint64
			}
		}
		if err := json.Unmarshal([]byte(stdout), &answer); err != nil {
			t.Fatal(err)
		}
		first, last := slot, schedule.Slot(379)
		if slot >= 380 {
			first, last = max(slot, 388), 447
		}
		if w := answer.Windows[0]; answer.Now.Slot != slot || w.First != first || w.Last != last || w.Epoch != uint64(first/64) {
			t.Errorf("slot %d: %+v", slot, answer)
		}
	}
}

// Not to be on the schedule is an answer, and the reason is told.
func TestNextNotOnTheSchedule(t *testing.T) {
	node := newNode(t)
	stdout, stderr := wantAnswer(t, exitNo, at330, "", []string{"next", "--identity", stranger.String(), "--rpc", node.URL})
	want := "schedgen: note: --identity " + stranger.String() + ": " + node.URL + " has no such account: is the key right?\n" +
		"schedgen: identity " + stranger.String() + " is not on the schedule of epochs 5 and 6: the schedule does not tell who has stake; that of epoch 7 is not known\n"
	if stderr != want || !strings.Contains(stdout, stranger.String()) {
		t.Errorf("got %q, %q", stdout, stderr)
	}
	list := []string{"next", "--stakes", "-", "--slots", "64", "--epochs", "5", "--keyed-by", "vote", "--from", "320", "--identity"}
	wantAnswer(t, exitNo, at330, votesList, append(list, stranger.String()), "not on the schedule of epoch 5: no stake in the list", "epoch 6 is not known")
	poor := "vote_pubkey,node_pubkey,stake\n" + voteA.String() + "," + nodeA.String() + ",1\n" + voteB.String() + "," + nodeB.String() + ",1000000000\n"
	wantAnswer(t, exitNo, at330, poor, append(list, nodeA.String()), "it has stake, and no slot was drawn for it")
	wantAnswer(t, exitNo, at330, poor, append(list, nodeA.String(), "--identity", stranger.String()), "none of the 2 keys is on the schedule")
	stdout, _ = wantAnswer(t, exitNo, at330, poor, append(list, nodeA.String(), "--format", "json"))
	var answer struct{ Status, Reason string }
	if err := json.Unmarshal([]byte(stdout), &answer); err != nil || answer.Status != "absent" || answer.Reason != "staked, and not drawn" {
		t.Errorf("%v: %s", err, stdout)
	}
}

// A vote account that SIMD-0357 leaves out has stake and leads nothing.
func TestNextNotAdmitted(t *testing.T) {
	var b strings.Builder
	b.WriteString("vote_pubkey,node_pubkey,stake\n")
	for i := range 2001 {
		key := schedule.Pubkey{4, byte(i >> 8), byte(i)}
		node := schedule.Pubkey{5, byte(i >> 8), byte(i)}
		stake := "1000000"
		if i == 2000 {
			stake = "999999"
		}
		b.WriteString(key.String() + "," + node.String() + "," + stake + "\n")
	}
	args := []string{"next", "--stakes", "-", "--epochs", "1050", "--from", "453600000", "--admission", "top-2000"}
	last := schedule.Pubkey{5, 2000 >> 8, 2000 & 0xff}
	wantAnswer(t, exitNo, at330, b.String(), append(args, "--identity", last.String()), "SIMD-0357 does not admit it (outside the top 2000)")
	wantAnswer(t, exitDone, at330, b.String(), append(args, "--identity", schedule.Pubkey{5, 0, 7}.String()))
}

// What is not known is another answer: it names the epoch that it takes.
func TestNextUnknown(t *testing.T) {
	node := newNode(t)
	identity := []string{"next", "--identity", nodeA.String(), "--rpc", node.URL}
	// Its slots of the epoch are over, and the next epoch is not known.
	node.Change(func(c *rpctest.Cluster) { delete(c.Leaders, 6); c.Slot, c.Ahead = 382, 0 })
	stdout, stderr := wantAnswer(t, exitDone, timeOf(382), "", identity, "epoch 6 is not known")
	if strings.Count(rows(stdout), "\n") != 2 || strings.Count(stderr, "\n") != 1 {
		t.Errorf("got\n%s%s", stdout, stderr)
	}
	node.Change(func(c *rpctest.Cluster) { c.Slot = 350; c.Leaders[5][nodeA] = []schedule.Index{20, 21, 22, 23} })
	stdout, _ = wantAnswer(t, exitError, timeOf(350), "", identity, "no more slot up to slot 383", "epoch 6 is not known", node.URL+" does not have it", "--stakes", "snapshot of epoch 5", "--schedule")
	if stdout != "" {
		t.Errorf("standard output %q", stdout)
	}
	stdout, _ = wantAnswer(t, exitError, timeOf(350), "", append(identity, "--format", "json"))
	if !strings.Contains(stdout, `"status": "unknown"`) || !strings.Contains(stdout, `"epoch": 6`) {
		t.Errorf("got %s", stdout)
	}
	// Nothing is known at all: a null is no schedule without slots.
	node.Change(func(c *rpctest.Cluster) { c.Leaders = nil })
	wantAnswer(t, exitError, timeOf(350), "", identity, "the leader schedule of epoch 5 is not known")
	// Stakes of the next epoch do not tell the current one.
	wantAnswer(t, exitError, timeOf(350), "", append(identity, "--stakes", node.URL, "--keyed-by", "vote"), "epoch 5 is not known", node.URL+" has the stakes of epoch 6")
}

// A node that fails is an error with its address and what it said.
func TestNextNodeFails(t *testing.T) {
	for _, method := range []string{"getGenesisHash", "getEpochSchedule", "getEpochInfo", "getLeaderSchedule"} {
		for name, c := range map[string]struct {
			fault rpctest.Fault
			says  string
		}{
			"429":       {rpctest.Status(429), "429 Too Many Requests"},
			"429 long":  {rpctest.Status(429, "Retry-After", "3600"), "asks to wait 1h0m0s"},
			"500":       {rpctest.Status(500), "500"},
			"page":      {rpctest.Page(), "a page instead of JSON"},
			"truncated": {rpctest.Truncated(), "the connection closed within the reply"},
			"wrong":     {rpctest.Result(`"nonsense"`), method},
			"error":     {rpctest.Error(-32603, "Internal error"), "-32603"},
		} {
			node := newNode(t)
			node.FailAlways(method, c.fault)
			code, stdout, stderr := runAt(t, at330, "", "next", "--identity", nodeA.String(), "--rpc", node.URL)
			if code != exitError || stdout != "" || !strings.Contains(stderr, c.says) || !strings.Contains(stderr, node.URL) || strings.Count(stderr, "\n") != 1 {
				t.Errorf("%s of %s: exit code %d, %q, %q", name, method, code, stdout, stderr)
			}
		}
	}
	// One that is busy for a while is asked again.
	node := newNode(t)
	for _, method := range []string{"getEpochInfo", "getLeaderSchedule", "getRecentPerformanceSamples"} {
		node.Fail(method, rpctest.Status(429), rpctest.Status(503))
	}
	wantAnswer(t, exitDone, at330, "", []string{"next", "--identity", nodeA.String(), "--rpc", node.URL}, "340", "measured")
	// One that is silent is given up.
	silent := newNode(t)
	silent.FailAlways("getEpochInfo", rpctest.Silent())
	f := bookFlags{now: func() time.Time { return at330 }, options: quickly}
	f.options.Timeout, f.options.Retries = 50*time.Millisecond, -1
	if code, _, stderr := runWith(t, f, "", "next", "--identity", nodeA.String(), "--rpc", silent.URL); code != exitError || !strings.Contains(stderr, "no reply in time") {
		t.Errorf("exit code %d, %q", code, stderr)
	}
}

// A node whose epochs contradict themselves, and one that is behind.
func TestNextNodeIsOff(t *testing.T) {
	node := newNode(t)
	args := []string{"next", "--identity", nodeA.String(), "--rpc", node.URL, "-n", "1", "--zone", "UTC"}
	node.Fail("getEpochInfo", rpctest.Result(`{"absoluteSlot":330,"epoch":4,"slotIndex":10,"slotsInEpoch":64}`))
	wantAnswer(t, exitError, at330, "", args, "slot 330 is index 10 of epoch 4 there")
	// 20 seconds later the node still is at slot 330: slot 380 runs.
	stdout, _ := wantAnswer(t, exitDone, timeOf(380), "", args, node.URL+" is at slot 330, which began 20 s ago", "slot 380 is taken")
	if !strings.Contains(stdout, "now       slot 380") || !strings.Contains(rows(stdout), "380        387      8      5  now") {
		t.Errorf("got\n%s", stdout)
	}
	// This machine's clock is behind: a node is not ahead of its cluster.
	stdout, _ = wantAnswer(t, exitDone, timeOf(230), "", args, "this machine's clock is 39 s behind the blocks of "+node.URL)
	if !strings.Contains(stdout, "now       slot 330") || !strings.Contains(rows(stdout), " 4 s ") {
		t.Errorf("got\n%s", stdout)
	}
}

// Every warm-up epoch has its own length.
func TestNextInWarmUp(t *testing.T) {
	genesis := dataFile(t, "genesis-testnet.bin")
	// The single validator of the genesis leads every slot of its two epochs.
	leader := "5D1fNXzvv5NjV1ysLjirC4WY92RNsVH18vjmcszZd8on"
	stdout, _ := wantAnswer(t, exitDone, at330, "", []string{"next", "--stakes", genesis, "--identity", leader, "--from", "0"}, "epochs 0 and 1", "exact")
	if !strings.Contains(rows(stdout), "0         95     96      0\n") {
		t.Errorf("got\n%s", stdout)
	}
}

func TestNextOfTheExample(t *testing.T) {
	args := []string{"next", "--stakes", "example", "--epochs", "900..901", "--from", "389231900", "--identity", "7y4BJgNHFJaEGKRhRZevVZM5h9ew6MftL5a9UAALGnn5"}
	stdout, _ := wantAnswer(t, exitDone, at330, "", args, "epochs 900 and 901 from the example stake list, not known to be exact")
	if lines := strings.Split(strings.TrimSpace(rows(stdout)), "\n"); len(lines) != 6 || !strings.HasSuffix(lines[5], "901") {
		t.Errorf("got\n%s", stdout)
	}
}
