package slotfeed

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/slotclock"
)

// A script is a validator whose answers follow from the time since it began.
type script struct {
	mu    sync.Mutex
	begun time.Time
	slot  func(since time.Duration) (schedule.Slot, error) // processed
	clock error
	calls []time.Duration // of the first question of each round
}

func (s *script) Address() string { return "http://node" }

func (s *script) Slot(ctx context.Context, c noderpc.Commitment) (schedule.Slot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	since := time.Since(s.begun)
	if c == noderpc.Finalized {
		s.calls = append(s.calls, since)
	}
	slot, err := s.slot(since)
	if errors.Is(err, errSilent) {
		s.mu.Unlock()
		<-ctx.Done()
		s.mu.Lock()
		return 0, ctx.Err()
	}
	switch c {
	case noderpc.Finalized:
		return before(slot, 32), err
	case noderpc.Confirmed:
		return before(slot, 2), err
	}
	return slot, err
}

func (s *script) Clock(context.Context) (slotclock.Clock, error) {
	if s.clock != nil {
		return slotclock.Clock{}, s.clock
	}
	return slotclock.Clock{PerSlot: 250 * time.Millisecond, RelError: 0.002, Basis: "measured: 250 ms a slot"}, nil
}

var errSilent = errors.New("no answer")

// running is the slot of a node that goes on.
func running(since time.Duration) schedule.Slot {
	return 1000 + schedule.Slot(since/(250*time.Millisecond))
}

// follow runs a feed of a script in a bubble of made-up time.
func follow(t *testing.T, slot func(time.Duration) (schedule.Slot, error), check func(s *script, n *Node, log *bytes.Buffer)) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{begun: time.Now(), slot: slot}
		var log bytes.Buffer
		n := NewNode(s, NodeOptions{Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
		if _, ok := n.Now(); ok {
			t.Error("a slot before anything was asked")
		}
		ctx, cancel := context.WithCancelCause(t.Context())
		ended := make(chan error)
		go func() { ended <- n.Run(ctx) }()
		synctest.Wait()
		check(s, n, &log)
		ticks, _ := n.Subscribe()
		enough := errors.New("enough")
		cancel(enough)
		if err := <-ended; err != enough {
			t.Errorf("Run returns %v", err)
		}
		for range ticks {
		}
	})
}

// at sleeps until a time after the start and returns what the feed knows.
func at(t *testing.T, s *script, n *Node, since time.Duration) Now {
	t.Helper()
	time.Sleep(since - time.Since(s.begun))
	synctest.Wait()
	now, ok := n.Now()
	if !ok {
		t.Fatalf("after %v: nothing known", since)
	}
	return now
}

func TestNodePolls(t *testing.T) {
	follow(t, func(since time.Duration) (schedule.Slot, error) { return running(since), nil }, func(s *script, n *Node, log *bytes.Buffer) {
		ticks, cancel := n.Subscribe()
		defer cancel()
		now := at(t, s, n, 10*time.Second+time.Millisecond)
		if now.Slot != 1040 || now.Confirmed != 1038 || now.Finalized != 1008 || now.Stale || now.Behind != 0 {
			t.Errorf("%+v", now)
		}
		if want := "http://node, getSlot every 1s"; now.Source != want {
			t.Errorf("source %q, want %q", now.Source, want)
		}
		if c := now.Clock; c.PerSlot != 250*time.Millisecond || c.Assumed || c.Basis != "measured: 250 ms a slot" {
			t.Errorf("clock %+v", c)
		}
		if off := now.Clock.TimeOf(1041).Time.Sub(s.begun.Add(41 * 250 * time.Millisecond)); off.Abs() > 250*time.Millisecond {
			t.Errorf("next slot is off by %v", off)
		}
		for i := range 10 {
			if got, want := <-ticks, (Tick{1004 + 4*schedule.Slot(i), 1003 + 4*schedule.Slot(i), 972 + 4*schedule.Slot(i)}); got != want {
				t.Errorf("tick %+v, want %+v", got, want)
			}
		}
		if log.Len() > 0 {
			t.Errorf("logged %s", log)
		}
	})
}

func TestNodeStalls(t *testing.T) {
	follow(t, func(since time.Duration) (schedule.Slot, error) {
		if since > time.Minute && since < 2*time.Minute {
			since = time.Minute
		}
		return running(since), nil
	}, func(s *script, n *Node, log *bytes.Buffer) {
		if now := at(t, s, n, 79*time.Second); now.Stale || now.Slot != 1240 {
			t.Errorf("%+v", now)
		}
		now := at(t, s, n, 90*time.Second)
		if !now.Stale || now.Slot != 1240 || now.Behind < 118 || now.Behind > 122 {
			t.Errorf("%+v", now)
		}
		if now := at(t, s, n, 121*time.Second); now.Stale || now.Slot != 1484 || now.Behind != 0 {
			t.Errorf("%+v", now)
		}
		checkLog(t, log, "slots do not rise", "slots rise again")
	})
}

func TestNodeLies(t *testing.T) {
	follow(t, func(since time.Duration) (schedule.Slot, error) {
		switch since / time.Second % 10 {
		case 3:
			return 1 << 62, nil
		case 5:
			return running(since) + 100_000, nil
		case 7:
			return 3, nil
		}
		return running(since), nil
	}, func(s *script, n *Node, log *bytes.Buffer) {
		last := Now{}
		for since := time.Second; since < 5*time.Minute; since += 100 * time.Millisecond {
			now := at(t, s, n, since)
			if now.Slot > running(since) || now.Slot+8 < running(since) || now.Stale {
				t.Fatalf("after %v: %+v", since, now)
			}
			if now.Confirmed > now.Slot || now.Finalized > now.Confirmed || now.Finalized < last.Finalized || now.Confirmed < last.Confirmed {
				t.Fatalf("after %v: %+v, before %+v", since, now, last)
			}
			last = now
		}
	})
}

func TestNodeRollsBack(t *testing.T) {
	follow(t, func(since time.Duration) (schedule.Slot, error) {
		if since > time.Minute {
			return running(since) - 200, nil
		}
		return running(since), nil
	}, func(s *script, n *Node, log *bytes.Buffer) {
		if now := at(t, s, n, 70*time.Second); now.Slot != 1240 || now.Finalized != 1208 {
			t.Errorf("%+v", now)
		}
		if now := at(t, s, n, 80*time.Second); now.Slot != 1120 || now.Confirmed != 1118 || now.Finalized != 1088 || now.Stale {
			t.Errorf("%+v", now)
		}
		checkLog(t, log, "a slot that does not follow", "believed now")
	})
}

func TestNodeFails(t *testing.T) {
	follow(t, func(since time.Duration) (schedule.Slot, error) {
		switch {
		case since > 10*time.Minute && since < 20*time.Minute:
			return 0, errors.New("the connection is refused")
		case since > 30*time.Minute && since < 31*time.Minute:
			return 0, errSilent
		}
		return running(since), nil
	}, func(s *script, n *Node, log *bytes.Buffer) {
		s.mu.Lock()
		s.clock = errors.New("no samples")
		s.mu.Unlock()
		if now := at(t, s, n, 15*time.Minute); !now.Stale || now.Slot != 1000+2400 {
			t.Errorf("%+v", now)
		}
		if now := at(t, s, n, 25*time.Minute); now.Stale || now.Slot+8 < running(25*time.Minute) {
			t.Errorf("%+v", now)
		}
		if now := at(t, s, n, 32*time.Minute); now.Stale || now.Slot+120 < running(32*time.Minute) {
			t.Errorf("%+v", now)
		}
		checkLog(t, log, "is not measured", "does not tell its slot", "slots do not rise", "tells its slot again", "slots rise again")
		tries, longest, last := 0, time.Duration(0), time.Duration(0)
		for _, since := range s.calls {
			if since > 10*time.Minute && since < 20*time.Minute {
				tries++
				longest = max(longest, since-last)
			}
			last = since
		}
		if tries < 20 || tries > 60 || longest > 30*time.Second || longest < 15*time.Second {
			t.Errorf("%d tries in ten minutes, the longest wait %v", tries, longest)
		}
	})
}

// checkLog looks for messages, each before the next, and none of them twice in a row.
func checkLog(t *testing.T, log *bytes.Buffer, messages ...string) {
	t.Helper()
	rest := log.String()
	for _, m := range messages {
		_, after, ok := strings.Cut(rest, m)
		if !ok {
			t.Fatalf("no %q in\n%s", m, rest)
		}
		rest = after
	}
	if lines := strings.Count(log.String(), "\n"); lines > 3*len(messages) {
		t.Errorf("%d lines logged:\n%s", lines, log)
	}
}

func TestNodeUntilMeasured(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{begun: time.Now(), clock: errors.New("no samples"), slot: func(since time.Duration) (schedule.Slot, error) { return running(since), nil }}
		n := NewNode(s, NodeOptions{PerSlot: 300 * time.Millisecond})
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- n.Run(ctx) }()
		if c := at(t, s, n, time.Minute).Clock; !c.Assumed || c.PerSlot != 300*time.Millisecond || c.Basis != "assumed: 300 ms a slot" {
			t.Errorf("%+v", c)
		}
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if _, ok := n.Now(); !ok {
			t.Error("the last slot is forgotten")
		}
	})
}

func Example() {
	anchor, err := NewAnchor(slotclock.Assume(450_000_000, noon, 400*time.Millisecond), func() time.Time { return noon.Add(time.Hour) })
	if err != nil {
		fmt.Println(err)
		return
	}
	now, _ := anchor.Now()
	fmt.Println(now.Slot, now.Finalized, now.Stale)
	fmt.Println(now.Source)
	fmt.Println(now.Clock.TimeOf(now.Slot + 1000))
	// Output:
	// 450009000 450008968 false
	// anchor, assumed: 400 ms a slot
	// 2026-10-08T13:06:40Z ± 6m32s
}
