package main

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/schedgen/schedgen/noderpc/rpctest"
	"github.com/schedgen/schedgen/schedule"
)

// A script runs a watcher on a time of its own, and what it asks between two ticks.
type script struct {
	t     *testing.T
	node  *rpctest.Server
	nanos atomic.Int64 // the time, as of Unix
	out   strings.Builder
	w     *watcher
	ticks chan time.Time
	ended chan error
}

// newScript watches an identity on a node at slot 330.
func newScript(t *testing.T, identity schedule.Pubkey, width func() int) *script {
	t.Helper()
	s := &script{t: t, node: newNode(t), ticks: make(chan time.Time), ended: make(chan error, 1)}
	s.set(330)
	f := bookFlags{now: s.now, options: quickly, identities: pubkeys{identity}}
	f.options.Retries = -1
	f.rpc = s.node.URL
	cmd := &cobra.Command{}
	cmd.SetContext(t.Context())
	cmd.SetErr(io.Discard)
	f.addTimed(cmd)
	f.rpc = s.node.URL // which addTimed sets to its default
	shelf, err := f.openShelf(cmd)
	if err != nil {
		t.Fatal(err)
	}
	look := func(ctx context.Context) (watched, error) { return shelf.look(cmd, ctx) }
	first, err := look(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s.w = &watcher{
		out: &s.out, keys: shelf.keys, zone: zoned{time.UTC, "UTC"}, now: f.now, width: width, refresh: look,
		background: func(f func()) { f() }, at: first, since: at330,
	}
	return s
}

// run starts the watcher; a tick then draws once.
func (s *script) run(ctx context.Context) {
	go func() { s.ended <- s.w.run(ctx, s.ticks) }()
}

func (s *script) now() time.Time { return time.Unix(0, s.nanos.Load()).UTC() }

// set lets the time be that of a slot.
func (s *script) set(slot schedule.Slot) { s.nanos.Store(timeOf(slot).UnixNano()) }

// tickAt is a tick at the time of a slot.
func (s *script) tickAt(slot schedule.Slot) {
	s.set(slot)
	s.ticks <- s.now()
}

// steps runs the watcher through slots, each of which a change goes before.
func (s *script) steps(slots []schedule.Slot, before func(slot schedule.Slot)) string {
	s.t.Helper()
	for _, slot := range slots {
		s.set(slot)
		if before != nil {
			before(slot)
		}
		s.step()
	}
	return s.out.String()
}

// step does what the loop of run does between two ticks.
func (s *script) step() {
	s.t.Helper()
	if s.w.results == nil {
		s.w.results = make(chan refreshed, 1)
	}
	s.w.ask(s.t.Context())
	select {
	case r := <-s.w.results:
		s.w.take(r)
	default:
	}
	if err := s.w.draw(); err != nil {
		s.t.Fatal(err)
	}
}

// Where there is no terminal, each change is a line.
func TestWatchPrintsChanges(t *testing.T) {
	s := newScript(t, nodeA, nil)
	got := s.steps([]schedule.Slot{330, 333, 340, 342, 343, 344, 350, 380, 384}, func(slot schedule.Slot) {
		s.node.Change(func(c *rpctest.Cluster) { c.Slot, c.Ahead = slot, 0 })
	})
	want := `2026-10-08T12:02:12Z  next in 4 s: slots 340 to 343 of epoch 5, 2026-10-08T12:02:16Z ± 2.0 s, now slot 330
2026-10-08T12:02:16Z  LEADING for 1 s: slot 340 to 343, next in 16 s
2026-10-08T12:02:17Z  next in 14 s: slots 380 to 387 of epoch 5, 2026-10-08T12:02:32Z ± 2.0 s, now slot 344
2026-10-08T12:02:32Z  LEADING for 3 s: slot 380 to 387
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	// Which slot it is was asked every ten seconds, and nothing that is known.
	if n := len(s.node.Calls("getLeaderSchedule")); n > 5 {
		t.Errorf("asked %d times for schedules", n)
	}
	if n := len(s.node.Calls("getEpochInfo")); n != 2 {
		t.Errorf("asked %d times where it is", n)
	}
}

// A node that fails leaves the countdown as it is, marked stale until it answers.
func TestWatchSurvivesTheNode(t *testing.T) {
	s := newScript(t, nodeA, nil)
	got := s.steps([]schedule.Slot{330, 344, 346, 356, 376, 379, 410}, func(slot schedule.Slot) {
		s.node.Change(func(c *rpctest.Cluster) { c.Slot, c.Ahead = slot, 0 })
		switch slot {
		case 344:
			s.node.FailAlways("getEpochInfo", rpctest.Status(503))
		case 376:
			s.node.FailAlways("getEpochInfo", rpctest.Truncated())
		case 410:
			s.node.FailAlways("getEpochInfo", nil)
		}
	})
	for _, part := range []string{
		"12:02:17Z  next in 14 s: slots 380", // nobody was asked by then
		"[stale for 10 s] next in 9 s: slots 380 to 387", "503 Service Unavailable)",
	} {
		if !strings.Contains(got, part) {
			t.Errorf("no %q in\n%s", part, got)
		}
	}
	last := got[strings.LastIndex(strings.TrimSpace(got), "\n")+1:]
	if strings.Contains(last, "stale") || !strings.Contains(last, "epoch 7 is not known") {
		t.Errorf("got\n%s", got)
	}
}

// On a terminal one line is drawn again and again, within its width.
func TestWatchOnATerminal(t *testing.T) {
	s := newScript(t, nodeA, func() int { return 30 })
	ctx, cancel := context.WithCancel(t.Context())
	s.run(ctx)
	s.tickAt(331)
	s.tickAt(332)
	s.tickAt(332) // by now the one before is drawn
	cancel()
	if err := <-s.ended; err != nil {
		t.Errorf("ended with %v", err)
	}
	lines := strings.Split(s.out.String(), "\r\x1b[K")
	if len(lines) < 4 || lines[0] != "" || !strings.HasSuffix(s.out.String(), "\n") || strings.Count(s.out.String(), "\n") != 1 {
		t.Fatalf("drew %q", lines)
	}
	for _, line := range lines[1:] {
		if line = strings.TrimSuffix(line, "\n"); len([]rune(line)) != 29 || !strings.HasPrefix(line, "next in ") || !strings.HasSuffix(line, "…") {
			t.Errorf("drew %q", line)
		}
	}
}

// When the node learns of the next epoch, so does the countdown.
func TestWatchLearnsTheNextEpoch(t *testing.T) {
	s := newScript(t, nodeA, nil)
	s.node.Change(func(c *rpctest.Cluster) { delete(c.Leaders, 7) })
	got := s.steps([]schedule.Slot{330, 389, 440, 475}, func(slot schedule.Slot) {
		s.node.Change(func(c *rpctest.Cluster) {
			c.Slot, c.Ahead = slot, 0
			if slot == 475 {
				c.Leaders[7] = map[schedule.Pubkey][]schedule.Index{nodeA: {40}}
			}
		})
	})
	if !strings.Contains(got, "slot 389, identity "+nodeA.String()+" has no more slot up to slot 447") || !strings.HasSuffix(got, "next in 5 s: slots 488 to 488 of epoch 7, 2026-10-08T12:03:15Z ± 2.0 s, now slot 475\n") {
		t.Errorf("got\n%s", got)
	}
}

// Without a node the end of what is known is the end of the countdown.
func TestWatchEndsWithWhatIsKnown(t *testing.T) {
	list := []string{"next", "--watch", "--stakes", "-", "--slots", "64", "--epochs", "5", "--keyed-by", "vote", "--slot-duration", "400ms", "--anchor", "330@" + at330.Format(time.RFC3339), "--identity"}
	wantAnswer(t, exitNo, at330, votesList, append(list, stranger.String()), "not on the schedule of epoch 5: no stake in the list")
	wantAnswer(t, exitError, timeOf(400), votesList, append(list, keyNode), "epoch 6 is not known")
	node := newNode(t)
	node.FailAlways("getRecentPerformanceSamples", rpctest.Status(403))
	wantAnswer(t, exitError, at330, "", []string{"next", "--watch", "--identity", nodeA.String(), "--rpc", node.URL}, "--watch needs to know how long slots take", "getRecentPerformanceSamples")
}

// Ctrl-C ends the countdown as it should end; so does a reader that went away.
func TestWatchIsInterrupted(t *testing.T) {
	s := newScript(t, nodeA, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	s.run(ctx)
	if err := <-s.ended; err != nil {
		t.Errorf("ended with %v", err)
	}
	s = newScript(t, nodeA, nil)
	s.w.out = stdoutWriter{&brokenWriter{err: io.ErrClosedPipe}}
	s.run(t.Context())
	if err := <-s.ended; !errors.Is(err, errStdoutClosed) {
		t.Errorf("ended with %v", err)
	}
	if w := terminalWidth(os.Stdin); w != nil && w() <= 0 {
		t.Error("a terminal without columns")
	}
}
