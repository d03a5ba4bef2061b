package slotfeed

import (
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/slotclock"
)

var _, _ Feed = (*Anchor)(nil), (*Node)(nil)

var noon = time.Date(2026, 10, 8, 12, 0, 0, 0, time.UTC)

const perSlot = 400 * time.Millisecond

func TestAnchorNow(t *testing.T) {
	at := noon
	a, err := NewAnchor(slotclock.Assume(1000, noon, perSlot), func() time.Time { return at })
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		after           time.Duration
		slot, finalized schedule.Slot
	}{
		{0, 1000, 968},
		{perSlot - 1, 1000, 968},
		{perSlot, 1001, 969},
		{time.Hour, 10_000, 9968},
		{-perSlot, 999, 967}, // the wall clock was set back
		{-399 * time.Second, 2, 0},
		{-time.Hour, 0, 0},
	} {
		at = noon.Add(c.after)
		now, ok := a.Now()
		if !ok || now.Slot != c.slot || now.Confirmed != c.slot || now.Finalized != c.finalized || now.Stale || !now.At.Equal(at) {
			t.Errorf("after %v: %+v, %v", c.after, now, ok)
		}
		if now.SlotAt(noderpc.Processed) != c.slot || now.SlotAt(noderpc.Confirmed) != c.slot ||
			now.SlotAt(noderpc.Finalized) != c.finalized || now.SlotAt("") != c.finalized {
			t.Errorf("after %v: commitments of %+v", c.after, now)
		}
		if want := "anchor, assumed: 400 ms a slot"; now.Source != want {
			t.Errorf("source %q, want %q", now.Source, want)
		}
	}
}

func TestAnchorNeedsDuration(t *testing.T) {
	for _, d := range []time.Duration{0, -1} {
		if _, err := NewAnchor(slotclock.Assume(1, noon, d), nil); !errors.Is(err, ErrClock) {
			t.Errorf("%v a slot: got %v", d, err)
		}
	}
}

// collect takes n ticks.
func collect(t *testing.T, ticks <-chan Tick, n int) (slots []schedule.Slot) {
	t.Helper()
	for range n {
		tick, ok := <-ticks
		if !ok {
			t.Fatalf("closed after %v", slots)
		}
		if tick.Parent != tick.Slot-1 || tick.Root != before(tick.Slot, FinalizedLag) {
			t.Errorf("tick %+v", tick)
		}
		slots = append(slots, tick.Slot)
	}
	return slots
}

func TestAnchorTicks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, err := NewAnchor(slotclock.Assume(1000, time.Now(), perSlot), nil)
		if err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		one, cancelOne := a.Subscribe()
		two, cancelTwo := a.Subscribe()
		if got := collect(t, one, 3); !slices.Equal(got, []schedule.Slot{1001, 1002, 1003}) {
			t.Errorf("got %v", got)
		}
		if got := time.Since(begun); got != 3*perSlot {
			t.Errorf("slot 1003 came after %v", got)
		}
		cancelOne()
		cancelOne()
		if _, ok := <-one; ok {
			t.Error("a tick after cancel")
		}
		if got := collect(t, two, 4); !slices.Equal(got, []schedule.Slot{1001, 1002, 1003, 1004}) {
			t.Errorf("got %v", got)
		}
		cancelTwo() // ends the goroutine, or the bubble would not end
		time.Sleep(time.Hour)
		three, cancelThree := a.Subscribe()
		defer cancelThree()
		if got := collect(t, three, 1); got[0] != 1000+(1600+3_600_000)/400+1 {
			t.Errorf("an hour later: got %v", got)
		}
		a.Close()
		if _, ok := <-three; ok {
			t.Error("a tick after Close")
		}
		if late, cancel := a.Subscribe(); len(late) != 0 {
			t.Error("a tick of a closed feed")
		} else if cancel(); true {
			if _, ok := <-late; ok {
				t.Error("a tick of a closed feed")
			}
		}
		a.Close()
	})
}

// A wall clock that is set sets the slots.
func TestAnchorClockIsSet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var shift atomic.Int64
		a, err := NewAnchor(slotclock.Assume(1000, time.Now(), perSlot), func() time.Time { return time.Now().Add(time.Duration(shift.Load())) })
		if err != nil {
			t.Fatal(err)
		}
		ticks, cancel := a.Subscribe()
		defer cancel()
		collect(t, ticks, 2)
		synctest.Wait()
		shift.Store(int64(-40 * time.Second))
		if got := collect(t, ticks, 2); !slices.Equal(got, []schedule.Slot{903, 904}) {
			t.Errorf("set back: got %v", got)
		}
		synctest.Wait()
		shift.Store(int64(time.Hour))
		if got := collect(t, ticks, 1); got[0] != 1000+9000+5 {
			t.Errorf("set forward: got %v", got)
		}
	})
}

// A reader that sleeps finds the newest ticks.
func TestSlowSubscriber(t *testing.T) {
	var h hub
	ticks, cancel := h.subscribe()
	defer cancel()
	for slot := range schedule.Slot(1000) {
		h.send(Tick{Slot: slot})
	}
	for want := schedule.Slot(1000 - tickBuffer); want < 1000; want++ {
		if got := <-ticks; got.Slot != want {
			t.Fatalf("slot %d, want %d", got.Slot, want)
		}
	}
	h.close()
	h.send(Tick{Slot: 1})
	if _, ok := <-ticks; ok {
		t.Error("a tick of a closed hub")
	}
}
