package leaders

import (
	"fmt"
	"math"
	"time"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/slotclock"
)

// MinSlots returns the least number of slots that surely last for d: at the short
// edge of the clock's 95 % band for as many slots, and one more, because the slot
// that is running when one asks may be about to end. Whoever is away for d from the
// first slot of a quiet window of so many is back before it closes.
//
// A clock knows the slots that it was measured on. Where they are about to become
// shorter (SIMD-0525), the answer is too low: take a clock of the shorter ones.
//
// The error is an ErrDuration when d is negative, or so long, or the clock so
// uncertain, that no number of slots is enough.
func MinSlots(c slotclock.Clock, d time.Duration) (uint64, error) {
	if d < 0 || c.PerSlot <= 0 {
		return 0, fmt.Errorf("%w: %v with %v a slot", ErrDuration, d, c.PerSlot)
	}
	if d == 0 {
		return 0, nil
	}
	// How long slots last does not depend on when they are.
	c.Slot, c.AtError = 0, 0
	lasts := func(n uint64) bool {
		band := c.TimeOf(schedule.Slot(n)).Band
		return time.Duration(n)*c.PerSlot-band > d // not >=: bands are rounded down
	}
	// The duration less its band is a convex function of n and begins at 0, so that
	// it stays above d once it is. Durations end at 2^63 nanoseconds.
	few, enough := uint64(0), uint64(math.MaxInt64/int64(c.PerSlot))
	if !lasts(enough) {
		return 0, fmt.Errorf("%w: %v with %s", ErrDuration, d, c.Basis)
	}
	for enough-few > 1 {
		if mid := few + (enough-few)/2; lasts(mid) {
			enough = mid
		} else {
			few = mid
		}
	}
	return enough + 1, nil
}
