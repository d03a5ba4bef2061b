package slotclock

import (
	"math"
	"math/bits"
	"time"

	"github.com/schedgen/schedgen/schedule"
)

// A Clock says when a slot begins. The zero value and others whose PerSlot is
// not positive know nothing: all slots are at At, with the widest band.
type Clock struct {
	Slot    schedule.Slot // the anchor: a slot that began at At
	At      time.Time
	AtError time.Duration // standard error of At
	PerSlot time.Duration // mean duration of a slot
	// RelError is the standard error of PerSlot as a part of it: 0.002 for 0.2 %.
	RelError float64
	// Jitter is the standard deviation of the duration of one slot.
	Jitter time.Duration
	// Assumed says that PerSlot was not measured.
	Assumed bool
	// Basis says in a sentence what the clock rests on.
	Basis string
}

// An Estimate is when something happens: with 95 % confidence at most Band
// before or after Time, as long as slots go on as they did.
type Estimate struct {
	Time time.Time // UTC
	Band time.Duration
	// Capped says that the true time is outside of what Time can be, from 1970 to
	// 9999-12-31T00:00:00Z, and that Time is the nearer end.
	Capped bool
}

// Estimates end a day before the years that RFC 3339 can write do, so that every
// time zone can; no cluster is as old as Unix time.
const (
	earliest = 0
	latest   = 253402214400 // 9999-12-31T00:00:00Z

	nanosPerSecond = 1_000_000_000
)

// String returns the time as RFC 3339 has it, and the band.
func (e Estimate) String() string {
	band := e.Band
	for _, unit := range []time.Duration{time.Hour, time.Minute, time.Second, time.Millisecond} {
		if band >= 10*unit {
			band = band.Round(unit)
			break
		}
	}
	return e.Time.Format(time.RFC3339) + " ± " + band.String()
}

// TimeOf returns when a slot begins. The band grows with the distance from the
// anchor: with the distance itself, because the mean is not exact, and with its
// square root, because slots differ from each other.
func (c Clock) TimeOf(slot schedule.Slot) Estimate {
	e := Estimate{Band: c.band(distance(c.Slot, slot))}
	at, capped := seconds(c.At)
	if e.Capped = capped; capped || c.PerSlot <= 0 {
		e.Time = at.utc()
		return e
	}
	hi, lo := bits.Mul64(distance(c.Slot, slot), uint64(c.PerSlot))
	if slot >= c.Slot {
		e.Time, e.Capped = at.add(hi, lo)
	} else {
		e.Time, e.Capped = at.sub(hi, lo)
	}
	return e
}

// SlotAt returns the slot that runs at a time: the last one that has begun. It is
// the inverse of TimeOf, and 0 or 2^64-1 where no slot number is low or high
// enough. Times outside of 1970 to 9999 count as the nearer end.
func (c Clock) SlotAt(t time.Time) schedule.Slot {
	if c.PerSlot <= 0 {
		return c.Slot
	}
	at, _ := seconds(c.At)
	then, _ := seconds(t)
	hi, lo, before := then.since(at)
	if hi >= uint64(c.PerSlot) { // more slots than there are numbers
		if before {
			return 0
		}
		return math.MaxUint64
	}
	n, rest := bits.Div64(hi, lo, uint64(c.PerSlot))
	if !before {
		sum, carry := bits.Add64(uint64(c.Slot), n, 0)
		if carry != 0 {
			return math.MaxUint64
		}
		return schedule.Slot(sum)
	}
	less, borrow := bits.Sub64(uint64(c.Slot), n, 0)
	if borrow == 0 && rest > 0 {
		less, borrow = bits.Sub64(less, 1, 0)
	}
	if borrow != 0 {
		return 0
	}
	return schedule.Slot(less)
}

func distance(a, b schedule.Slot) uint64 {
	if a < b {
		return uint64(b - a)
	}
	return uint64(a - b)
}

// two-sided 95 % of a normal distribution
const confidence = 1.96

// band returns the half of a 95 % interval for a slot n slots away from the
// anchor. Rounding PerSlot to a nanosecond adds at most half of one a slot.
func (c Clock) band(n uint64) time.Duration {
	if c.PerSlot <= 0 {
		return math.MaxInt64
	}
	slots := float64(n)
	mean := slots * (float64(c.PerSlot)*c.RelError + 0.5)
	jitter := math.Sqrt(slots) * float64(c.Jitter)
	band := confidence * math.Hypot(float64(c.AtError), math.Hypot(mean, jitter))
	if !(band < math.MaxInt64) { // or NaN, from a RelError that is
		return math.MaxInt64
	}
	return time.Duration(band)
}
