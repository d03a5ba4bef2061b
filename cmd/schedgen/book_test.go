package main

import (
	"bytes"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/noderpc/rpctest"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/slotclock"
)

// Keys of the made-up cluster of newNode.
var (
	nodeA, nodeB   = schedule.Pubkey{1, 1}, schedule.Pubkey{1, 2} // identities
	voteA, voteB   = schedule.Pubkey{2, 1}, schedule.Pubkey{2, 2}
	stranger       = schedule.Pubkey{3}
	genesisOfNode  = schedule.Pubkey{9}
	slotDuration   = 400 * time.Millisecond
	timeOfSlotZero = time.Date(2026, 10, 8, 12, 0, 0, 0, time.UTC)
)

// timeOf is when slots of the made-up cluster begin.
func timeOf(slot schedule.Slot) time.Time {
	return timeOfSlotZero.Add(time.Duration(slot) * slotDuration)
}

// newNode starts a node of a cluster whose epochs have 64 slots, at slot 330 of
// epoch 5. It has the schedules of epochs 5 and 6, in which A leads slots 340 to
// 343, and from 380 over the end of epoch 5 to 387; B leads all others.
func newNode(t *testing.T) *rpctest.Server {
	t.Helper()
	es, err := schedule.NewEpochSchedule(64, 64, false)
	if err != nil {
		t.Fatal(err)
	}
	c := rpctest.Cluster{
		Genesis: genesisOfNode, EpochSchedule: es, Slot: 328, Ahead: 2,
		Leaders: map[uint64]noderpc.Leaders{}, Votes: map[uint64]noderpc.Leaders{},
		VoteAccounts: rpctest.VoteAccountsOf([]schedule.Entry{{Key: voteA, Node: nodeA, Stake: 5}, {Key: voteB, Node: nodeB, Stake: 95}}, 328),
		BlockTime:    func(slot schedule.Slot) (time.Time, bool) { return timeOf(slot), true },
		Accounts: map[schedule.Pubkey]noderpc.Account{
			voteA: rpctest.VoteAccountData(nodeA, true, 1<<40),
			voteB: rpctest.VoteAccountData(nodeB, true, 1<<40),
			nodeA: {Lamports: 1}, nodeB: {Lamports: 1},
		},
	}
	for range 60 {
		c.Samples = append(c.Samples, slotclock.Sample{Slot: 328, Slots: 150, Seconds: 60})
	}
	for epoch := uint64(5); epoch <= 6; epoch++ {
		c.Leaders[epoch], c.Votes[epoch] = noderpc.Leaders{}, noderpc.Leaders{}
		for i := range schedule.Index(64) {
			slot := es.FirstSlot(epoch) + schedule.Slot(i)
			node, vote := nodeB, voteB
			if slot >= 340 && slot <= 343 || slot >= 380 && slot <= 387 {
				node, vote = nodeA, voteA
			}
			c.Leaders[epoch][node] = append(c.Leaders[epoch][node], i)
			c.Votes[epoch][vote] = append(c.Votes[epoch][vote], i)
		}
	}
	return rpctest.New(t, c)
}

// quickly is how tests ask a node.
var quickly = noderpc.Options{RetryWait: time.Millisecond, MaxRetryWait: time.Millisecond, Timeout: 10 * time.Second}

// runAt runs next, windows or in-schedule at a time.
func runAt(t *testing.T, now time.Time, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	return runWith(t, bookFlags{now: func() time.Time { return now }, options: quickly}, stdin, args...)
}

// runWith runs them with other flags as defaults.
func runWith(t *testing.T, f bookFlags, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	next, windows, in := &nextFlags{bookFlags: f}, &windowsFlags{bookFlags: f}, &inScheduleFlags{bookFlags: f}
	root := newRootCommand()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "next", "windows", "in-schedule":
			root.RemoveCommand(c)
		}
	}
	root.AddCommand(next.command(), windows.command(), in.command())
	var out, errs bytes.Buffer
	root.SetArgs(args)
	root.SetIn(strings.NewReader(stdin))
	root.SetOut(&out)
	root.SetErr(&errs)
	err := root.ExecuteContext(t.Context())
	var no answerError
	switch {
	case err == nil:
		return exitDone, out.String(), errs.String()
	case errors.As(err, &no):
		code = exitNo
	default:
		code = exitError
	}
	printError(&errs, err)
	return code, out.String(), errs.String()
}

// at330 is when newNode is at slot 330.
var at330 = timeOf(330)

// wantAnswer checks an exit code and what is printed, with all of says on one of
// the outputs.
func wantAnswer(t *testing.T, code int, now time.Time, stdin string, args []string, says ...string) (stdout, stderr string) {
	t.Helper()
	got, stdout, stderr := runAt(t, now, stdin, args...)
	if got != code {
		t.Errorf("%v: exit code %d, want %d", args, got, code)
	}
	for _, part := range says {
		if !strings.Contains(stdout, part) && !strings.Contains(stderr, part) {
			t.Errorf("%v: no %q in\n%s%s", args, part, stdout, stderr)
		}
	}
	return stdout, stderr
}

func TestBookFlagsRefused(t *testing.T) {
	key := []string{"--identity", nodeA.String()}
	next := func(args ...string) []string { return append(append([]string{"next"}, key...), args...) }
	for _, c := range []struct {
		name string
		args []string
		says []string
	}{
		{"no key", []string{"next", "--stakes", "example"}, []string{"--identity", "--vote"}},
		{"no schedule", next("--from", "1"), []string{"--stakes", "--schedule", "--rpc"}},
		{"no now", next("--stakes", "example", "--epochs", "900"), []string{"--rpc", "--anchor", "--from"}},
		{"empty source", next("--schedule", "", "--from", "1"), []string{"--stakes"}},
		{"standard input twice", next("--stakes", "-", "--schedule", "-", "--from", "1"), []string{"once"}},
		{"no epoch", next("--stakes", "example", "--from", "1"), []string{"the example stake list", "--epochs A..B"}},
		{"too many epochs", next("--stakes", "example", "--from", "1", "--epochs", "0..1000"), []string{"0 to 1000", "at most 1000"}},
		{"no such file", next("--schedule", filepath.Join(t.TempDir(), "none.json"), "--from", "1"), []string{"--schedule", "none.json"}},
		{"no such node", next("--rpc", "http://127.0.0.1:1"), []string{"--rpc", "http://127.0.0.1:1"}},
		{"bad address", next("--rpc", "ftp://127.0.0.1"), []string{"--rpc"}},
		{"rpc and anchor", next("--rpc", "http://127.0.0.1:1", "--anchor", "1@now", "--slot-duration", "1s"), []string{"--rpc", "--anchor"}},
		{"anchor alone", next("--stakes", "example", "--epochs", "1", "--anchor", "1@now"), []string{"--slot-duration"}},
		{"admission", next("--stakes", "example", "--epochs", "1", "--admission", "top"), []string{"--admission"}},
		{"keying", next("--stakes", "example", "--epochs", "1", "--keyed-by", "name"), []string{"--keyed-by"}},
		{"exact", next("--stakes", "example", "--epochs", "1", "--exact", "--from", "432000"), []string{"--exact"}},
		{"zone", next("--stakes", "example", "--epochs", "1", "--from", "1", "--zone", "Europe/Nowhere"), []string{"--zone", "Europe/Nowhere", "Europe/Berlin"}},
		{"format", next("--stakes", "example", "--epochs", "1", "--from", "1", "--format", "xml"), []string{"--format", "xml"}},
		{"watch and json", next("--rpc", "http://127.0.0.1:1", "--watch", "--format", "json"), []string{"--watch", "--format"}},
		{"watch and from", next("--rpc", "http://127.0.0.1:1", "--watch", "--from", "1"), []string{"--watch", "--from"}},
		{"watch and no time", next("--stakes", "example", "--epochs", "1", "--watch"), []string{"--watch", "--rpc"}},
		{"count", next("--stakes", "example", "-n", "0"), []string{"-n", "from 1"}},
		{"epoch beyond", next("--stakes", "example", "--epochs", "18446744073709551615", "--from", "18446744073709551615"), []string{"18446744073709551615"}},
		{"windows without length", []string{"windows", "--vote", voteA.String(), "--stakes", "example"}, []string{"--min", "--min-slots"}},
		{"windows with both", []string{"windows", "--vote", voteA.String(), "--stakes", "example", "--min", "1m", "--min-slots", "3"}, []string{"--min", "--min-slots"}},
		{"windows and no time", []string{"windows", "--vote", voteA.String(), "--stakes", "example", "--min", "1m"}, []string{"--min", "--rpc"}},
		{"windows of no time", []string{"windows", "--vote", voteA.String(), "--stakes", "example", "--min", "0s"}, []string{"--min", "above 0"}},
		{"windows now and from", []string{"windows", "--vote", voteA.String(), "--stakes", "example", "--min-slots", "1", "--now", "--from", "3"}, []string{"--now", "--from"}},
		{"windows of ages", []string{"windows", "--vote", voteA.String(), "--stakes", "example", "--epochs", "1", "--min", "2500000h", "--anchor", "432000@now", "--slot-duration", "1s", "--from", "432000"}, []string{"--min"}},
		{"no epochs asked", []string{"in-schedule", "--vote", voteA.String(), "--stakes", "example"}, []string{"--epochs A..B"}},
		{"epochs asked", []string{"in-schedule", "--vote", voteA.String(), "--stakes", "example", "--epochs", "0..65536"}, []string{"65536"}},
		{"argument", []string{"windows", "KEY"}, []string{`"KEY"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, stdout, stderr := runAt(t, at330, "", c.args...)
			if code != exitError || stdout != "" || strings.Count(stderr, "\n") != 1 {
				t.Errorf("exit code %d, %q, %q", code, stdout, stderr)
			}
			for _, part := range c.says {
				if !strings.Contains(stderr, part) {
					t.Errorf("no %q in %q", part, stderr)
				}
			}
		})
	}
}

// Sources of two clusters are never mixed.
func TestBookRefusesOtherClusters(t *testing.T) {
	node := newNode(t)
	args := []string{"next", "--identity", nodeA.String(), "--rpc", node.URL}
	wantAnswer(t, exitError, at330, "", append(args, "--cluster", "testnet"), "--cluster testnet", node.URL)
	wantAnswer(t, exitError, at330, "", append(args, "--slots", "32"), "--slots", node.URL, "64 slots")
	wantAnswer(t, exitError, at330, "", append(args, "--stakes", dataFile(t, "genesis-mainnet-beta.bin")), node.URL, "genesis hash")
	wantAnswer(t, exitError, at330, "", []string{"next", "--identity", nodeA.String(), "--from", "0",
		"--stakes", dataFile(t, "genesis-testnet.bin"), "--stakes", dataFile(t, "genesis-mainnet-beta.bin")}, "different clusters")

	other := newNode(t)
	other.Change(func(c *rpctest.Cluster) { c.Genesis = stranger })
	wantAnswer(t, exitError, at330, "", append(args, "--schedule", other.URL), node.URL, other.URL, "genesis hash")
	longer := newNode(t)
	longer.Change(func(c *rpctest.Cluster) { c.EpochSchedule.SlotsPerEpoch = 128; c.Genesis = schedule.Pubkey{} })
	wantAnswer(t, exitError, at330, "", append(args, "--schedule", longer.URL), longer.URL)
	// A flag that says the same as the node is none to refuse.
	wantAnswer(t, exitDone, at330, "", append(args, "--slots", "64"))
}

// A vote account that is given as an identity, or the other way round, would seem
// to lead nothing.
func TestBookRefusesOtherKinds(t *testing.T) {
	node := newNode(t)
	for _, command := range [][]string{{"next"}, {"windows", "--min-slots", "1"}, {"in-schedule", "--epochs", "5"}} {
		rpc := append(command, "--rpc", node.URL)
		wantAnswer(t, exitError, at330, "", append(rpc, "--identity", voteA.String()), "--identity "+voteA.String(), "vote account")
		wantAnswer(t, exitError, at330, "", append(rpc, "--vote", nodeA.String()), "--vote "+nodeA.String(), "no vote account")
	}
	// By the stakes, whatever keys the epoch.
	for _, keying := range []string{"vote", "identity"} {
		list := []string{"next", "--stakes", "-", "--epochs", "5", "--slots", "64", "--from", "320", "--keyed-by", keying}
		wantAnswer(t, exitError, at330, votesList, append(list, "--identity", keyVote1), keyVote1, "vote account", keyNode, "--vote")
		wantAnswer(t, exitError, at330, votesList, append(list, "--vote", keyNode), keyNode, "identity", "--identity")
	}
	// Slots that were drawn by identity are no vote account's.
	wantAnswer(t, exitError, at330, votesList, []string{"next", "--stakes", "-", "--epochs", "5", "--slots", "64", "--from", "320", "--keyed-by", "identity", "--vote", keyVote1},
		"slots were drawn by identity, for no vote account: give --identity")
	// By the schedules, of a node that does not tell accounts.
	node.Change(func(c *rpctest.Cluster) { c.Accounts = nil })
	both := []string{"next", "--rpc", node.URL, "--vote", voteB.String()}
	wantAnswer(t, exitError, at330, "", append([]string{"next", "--rpc", node.URL, "-n", "9"}, "--vote", nodeA.String()), "it is an identity in the schedule", "--identity")
	wantAnswer(t, exitDone, at330, "", both)
	node.FailAlways("getMultipleAccounts", rpctest.Status(403))
	wantAnswer(t, exitDone, at330, "", both, "not known whether the keys are identities or vote accounts", "403")
}

// Where slots may be drawn by vote account, a list without vote accounts does not
// know identities: none of them is without stake for that.
func TestBookListWithoutVoteAccounts(t *testing.T) {
	list := keyNode + ",40\n" + keyShort + ",20\n"
	for _, cluster := range [][]string{
		{"--epochs", "900", "--from", "388800000"},
		{"--epochs", "5", "--from", "2160000", "--cluster", "devnet"},
	} {
		args := append([]string{"windows", "--stakes", "-", "--min-slots", "1"}, cluster...)
		wantAnswer(t, exitError, at330, list, append(args, "--identity", nodeA.String()), "vote_pubkey", "--keyed-by identity")
		wantAnswer(t, exitNo, at330, list, append(args, "--identity", nodeA.String(), "--keyed-by", "identity", "--min-slots", "1000000"), "no stake")
		next := append([]string{"next", "--stakes", "-"}, cluster...)
		wantAnswer(t, exitDone, at330, list, append(next, "--identity", keyNode), "has no vote accounts")
	}
	// Before SIMD-0180 the keys are identities.
	wantAnswer(t, exitNo, at330, list, []string{"next", "--stakes", "-", "--epochs", "5", "--from", "2160000", "--identity", nodeA.String()}, "no stake in the list")
}

// Of two sources of an epoch the network's own schedule is taken, and that is said.
func TestBookPrefersTheNetwork(t *testing.T) {
	node := newNode(t)
	args := []string{"next", "--identity", nodeA.String(), "--schedule", node.URL, "--stakes", node.URL, "--keyed-by", "vote"}
	stdout, _ := wantAnswer(t, exitDone, at330, "", args, "epoch 6: the schedule of "+node.URL+" is taken, not the schedule that follows from the stakes of "+node.URL)
	if !strings.Contains(stdout, "340") || !strings.Contains(stdout, "epochs 5 and 6 from "+node.URL+", exact") {
		t.Errorf("got\n%s", stdout)
	}
}

// Saved schedules in every format serve, each for its epoch.
func TestBookFromFiles(t *testing.T) {
	dir := t.TempDir()
	flags := []string{"--stakes", "-", "--slots", "64", "--keyed-by", "vote"}
	for _, format := range []string{"text", "json", "json-compact", "csv", "epoch-new", "rpc", "parquet"} {
		args := []string{"next", "--identity", keyNode, "--slots", "64", "--from", "320", "-n", "12"}
		for _, epoch := range []string{"5", "6"} {
			if format == "rpc" && epoch == "6" {
				continue // the format does not tell its epoch
			}
			path := filepath.Join(dir, epoch+"."+format)
			wantDone(t, votesList, append([]string{"derive", "--epoch", epoch, "--format", format, "-o", path}, flags...)...)
			args = append(args, "--schedule", path)
		}
		want := append([]string{"next", "--identity", keyNode, "--from", "320", "-n", "12", "--epochs", "5..6"}, flags...)
		if format == "rpc" {
			wantAnswer(t, exitError, at330, "", args, "5.rpc does not say which epoch it is of", "--epochs N")
			args, want = append(args, "--epochs", "5"), append(want, "--epochs", "5")
		}
		_, got, _ := runAt(t, at330, "", args...)
		_, derived, _ := runAt(t, at330, votesList, want...)
		if rows(got) != rows(derived) || !strings.Contains(got, "a saved schedule") {
			t.Errorf("%s: got\n%s\nwant\n%s", format, got, derived)
		}
	}
	wantAnswer(t, exitError, at330, "", []string{"next", "--identity", keyNode, "--slots", "64", "--from", "320", "--exact", "--schedule", filepath.Join(dir, "5.json")}, "--exact", "5.json")
	wantAnswer(t, exitError, at330, "", []string{"next", "--identity", keyNode, "--slots", "32", "--from", "160", "--schedule", filepath.Join(dir, "5.json")}, "5.json", "not those of the epoch")
	writeFile(t, filepath.Join(dir, "digest"), strings.Repeat("0", 64)+"\n")
	wantAnswer(t, exitError, at330, "", []string{"next", "--identity", keyNode, "--from", "0", "--schedule", filepath.Join(dir, "digest")}, "digest")
}

// rows are the lines of a table after its heading.
func rows(text string) string {
	_, table, _ := strings.Cut(text, "first slot")
	return table
}

// A schedule of some leaders does not tell about others: nobody is quiet for being
// left out of it.
func TestBookOfSomeLeaders(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mine.txt")
	wantDone(t, votesList, "derive", "--stakes", "-", "--epoch", "5", "--slots", "64", "--keyed-by", "vote", "--identity", keyShort, "-o", path)
	args := []string{"--slots", "64", "--from", "320", "--schedule", path, "--identity", keyNode}
	wantAnswer(t, exitError, at330, "", append([]string{"next"}, args...), "epoch 5", "no leader there")
	wantAnswer(t, exitError, at330, "", append([]string{"windows", "--min-slots", "1"}, args...), "no leader there")
	wantAnswer(t, exitError, at330, "", []string{"in-schedule", "--slots", "64", "--epochs", "5", "--schedule", path, "--identity", keyNode}, "no leader there")
}

// Each kind of source has its label, and approximate stakes are never quiet.
func TestBookLabels(t *testing.T) {
	snapshot := dataFile(t, "snapshot-100-HsFVd9m9URPdb2HpZXkxsnYMMrKU3nBFr1SCo2SoQS6W.tar.zst")
	stdout, _ := wantAnswer(t, exitDone, at330, "", []string{"next", "--stakes", snapshot, "--keyed-by", "vote", "--identity", "2a8YH1dXEubWL6TNDHwDxdzqeTPTC5Y5YtBgSWahosoR", "--from", "100"})
	if !strings.Contains(stdout, "epochs 0 and 1 from "+snapshot+", exact: ") || !strings.Contains(rows(stdout), "100     863999  863,900      0\n") {
		t.Errorf("got\n%s", stdout)
	}
	saved := dataFile(t, "mainnet-45-getVoteAccounts.json")
	const identity = "GdnSyH3YtwcxFvQrVVJMm1JhTS4QVX7MFsX56uJLUfiZ"
	args := []string{"--stakes", saved, "--cluster", "mainnet-beta", "--identity", identity, "--from", "19872000"}
	for _, command := range [][]string{{"next"}, {"windows", "--min-slots", "300"}} {
		stdout, stderr := wantAnswer(t, exitDone, at330, "", append(command, args...))
		if !strings.Contains(stdout, "epoch 46 from "+saved+", approximate: ") || !strings.Contains(stderr, "epoch 46 is approximate, the network's schedule is another one") {
			t.Errorf("got\n%s%s", stdout, stderr)
		}
		wantAnswer(t, exitError, at330, "", append(append(command, args...), "--exact"), "--exact", "approximate")
	}
	in := []string{"in-schedule", "--stakes", saved, "--cluster", "mainnet-beta", "--identity", identity, "--epochs"}
	wantAnswer(t, exitDone, at330, "", append(in, "46"), "   46  present  43,988  approximate")
	wantAnswer(t, exitError, at330, "", append(in, "45"), "epoch 45 is not known", saved+" has the stakes of epoch 46")
	wantAnswer(t, exitDone, at330, "", append(in, "45", "--force-epoch"), "approximate: the stakes are those of another epoch")
}
