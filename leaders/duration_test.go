package leaders

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/slotclock"
)

var noon = time.Date(2026, 10, 8, 12, 0, 0, 0, time.UTC)

// The answer lasts at the short edge of the band even without the slot that is
// running, and one slot less does not.
func TestMinSlots(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 1000 {
		c := slotclock.Clock{
			Slot: schedule.Slot(r.Uint64()), At: noon, AtError: time.Duration(r.Int64N(int64(time.Hour))),
			PerSlot: time.Duration(1 + r.Int64N(int64(time.Second))), RelError: r.Float64() * 0.4,
		}
		c.Jitter = time.Duration(r.Float64() * float64(c.PerSlot))
		d := time.Duration(r.Int64N(int64(100 * time.Hour)))
		n, err := MinSlots(c, d)
		if err != nil {
			t.Fatalf("%+v, %v: %v", c, d, err)
		}
		shortest := func(n uint64) time.Duration {
			e := slotclock.Clock{At: noon, PerSlot: c.PerSlot, RelError: c.RelError, Jitter: c.Jitter}.TimeOf(schedule.Slot(n))
			return e.Time.Sub(noon) - e.Band
		}
		if shortest(n-1) < d || n >= 2 && shortest(n-2) > d {
			t.Fatalf("%+v: %d slots for %v, last at least %v", c, n, d, shortest(n))
		}
	}
}

func TestMinSlotsKnown(t *testing.T) {
	exact := slotclock.Clock{PerSlot: 400 * time.Millisecond}
	for _, c := range []struct {
		clock slotclock.Clock
		d     time.Duration
		want  uint64
	}{
		{exact, 0, 0},
		{exact, time.Nanosecond, 2},
		{exact, 399 * time.Millisecond, 2},
		{exact, 401 * time.Millisecond, 3},
		{exact, 10*time.Minute - time.Millisecond, 1501},
		// 5 %, 1.96 times: at least 360.8 ms a slot.
		{slotclock.Clock{PerSlot: 400 * time.Millisecond, RelError: 0.05}, 10*time.Minute - time.Second, 1662},
		{slotclock.Assume(5, noon, 400*time.Millisecond), 10*time.Minute - time.Second, 1663},
	} {
		if got, err := MinSlots(c.clock, c.d); err != nil || got != c.want {
			t.Errorf("%v with %+v: %d, %v, want %d", c.d, c.clock, got, err, c.want)
		}
	}
}

func TestMinSlotsImpossible(t *testing.T) {
	for _, c := range []struct {
		clock slotclock.Clock
		d     time.Duration
	}{
		{slotclock.Clock{PerSlot: time.Second}, -1},
		{slotclock.Clock{}, 1},
		{slotclock.Clock{PerSlot: -1}, 1},
		{slotclock.Clock{PerSlot: time.Second, RelError: 0.6}, 1},
		{slotclock.Clock{PerSlot: time.Second, RelError: math.NaN()}, 1},
		{slotclock.Clock{PerSlot: time.Second}, math.MaxInt64},
		{slotclock.Clock{PerSlot: math.MaxInt64}, math.MaxInt64},
		{slotclock.Clock{PerSlot: time.Second, RelError: 0.1}, math.MaxInt64 - 1},
	} {
		if got, err := MinSlots(c.clock, c.d); !errors.Is(err, ErrDuration) {
			t.Errorf("%v with %+v: %d, %v", c.d, c.clock, got, err)
		}
	}
}
