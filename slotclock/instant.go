package slotclock

import (
	"math/bits"
	"time"
)

// An instant is a time within [earliest, latest]; the arithmetic of time.Time
// ends at 292 years.
type instant struct {
	sec  uint64
	nano uint64 // below a second
}

// seconds returns t, or the nearer end of the range and true.
func seconds(t time.Time) (at instant, capped bool) {
	// Unix overflows for times that are too far, which Year and Before do not.
	switch {
	case t.Before(time.Unix(earliest, 0)):
		return instant{sec: earliest}, true
	case t.After(time.Unix(latest, 0)):
		return instant{sec: latest}, true
	}
	return instant{uint64(t.Unix()), uint64(t.Nanosecond())}, false
}

func (i instant) utc() time.Time { return time.Unix(int64(i.sec), int64(i.nano)).UTC() }

// nanos returns i in nanoseconds of Unix time, 128 bits.
func (i instant) nanos() (hi, lo uint64) {
	hi, lo = bits.Mul64(i.sec, nanosPerSecond)
	lo, carry := bits.Add64(lo, i.nano, 0)
	return hi + carry, lo
}

// ofNanos is the inverse of nanos.
func ofNanos(hi, lo uint64) (t time.Time, capped bool) {
	if hi >= nanosPerSecond {
		return instant{sec: latest}.utc(), true
	}
	sec, nano := bits.Div64(hi, lo, nanosPerSecond)
	if sec > latest || sec == latest && nano > 0 {
		return instant{sec: latest}.utc(), true
	}
	return instant{sec, nano}.utc(), false
}

// add returns the time a number of nanoseconds after i.
func (i instant) add(hi, lo uint64) (t time.Time, capped bool) {
	ihi, ilo := i.nanos()
	lo, carry := bits.Add64(lo, ilo, 0)
	hi, carry = bits.Add64(hi, ihi, carry)
	if carry != 0 {
		return instant{sec: latest}.utc(), true
	}
	return ofNanos(hi, lo)
}

// sub returns the time a number of nanoseconds before i.
func (i instant) sub(hi, lo uint64) (t time.Time, capped bool) {
	hi, lo, before := minus(i, hi, lo)
	if before {
		return instant{sec: earliest}.utc(), true
	}
	return ofNanos(hi, lo)
}

// since returns the nanoseconds between j and i, and whether i is before j.
func (i instant) since(j instant) (hi, lo uint64, before bool) {
	hi, lo = j.nanos()
	return minus(i, hi, lo)
}

// minus returns |i - nanoseconds|, and whether the difference is negative.
func minus(i instant, hi, lo uint64) (dhi, dlo uint64, negative bool) {
	ihi, ilo := i.nanos()
	dlo, borrow := bits.Sub64(ilo, lo, 0)
	dhi, borrow = bits.Sub64(ihi, hi, borrow)
	if borrow == 0 {
		return dhi, dlo, false
	}
	dlo, borrow = bits.Sub64(lo, ilo, 0)
	dhi, _ = bits.Sub64(hi, ihi, borrow)
	return dhi, dlo, true
}
