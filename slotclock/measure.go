package slotclock

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/schedgen/schedgen/schedule"
)

// A Sample is what a node counted in a period of about a minute: an element of
// the result of getRecentPerformanceSamples.
type Sample struct {
	Slot    schedule.Slot // the highest at its end
	Slots   uint64        // by which the highest slot rose
	Seconds float64       // length of the period
}

const (
	// A slot outside of these bounds is a node that catches up or stands still.
	leastPerSlot = 0.01 // seconds
	mostPerSlot  = 60
	// So is a sample that is as far as this factor from the median.
	mostFactor = 2

	// A node ends a period when it wakes from the last of 120 sleeps and gives the
	// whole seconds of it, so that all periods are a little longer than they say.
	periodError = 0.1 // seconds
	// Means of different hours differ, however exactly each is measured.
	leastRelError = 0.001
	// Where one sample or none tells the spread.
	unknownRelError = 0.05
	unknownJitter   = 0.25 // of a slot

	// Times of blocks are whole seconds of a median of many clocks.
	timeError = time.Second
)

// Measure returns a clock from the time of a slot and a node's performance
// samples. Samples without slots or with absurd values are left out; when none
// is left the error is an [ErrNoSamples].
//
// PerSlot is all seconds by all slots. Its error follows from how much samples
// differ, and from how coarsely nodes measure their periods; it is never below
// 0.1 %. The time of the slot counts as known to a second; set AtError where
// that is not so.
func Measure(slot schedule.Slot, at time.Time, samples []Sample) (Clock, error) {
	good := usable(samples)
	if len(good) == 0 {
		return Clock{}, fmt.Errorf("%w among %d, want ones of at least one slot and %v to %v seconds a slot",
			ErrNoSamples, len(samples), leastPerSlot, mostPerSlot)
	}
	var slots, secs float64
	for _, s := range good {
		slots += float64(s.Slots)
		secs += s.Seconds
	}
	perSlot := secs / slots
	relError, jitter := spread(good, perSlot, slots, secs)
	c := Clock{
		Slot: slot, At: at, AtError: timeError,
		PerSlot:  time.Duration(math.Round(perSlot * nanosPerSecond)),
		RelError: relError,
		Jitter:   time.Duration(jitter * nanosPerSecond),
	}
	c.Basis = fmt.Sprintf("measured: %s of %s s, %s a slot",
		count(len(good), "sample"), tenths(secs/float64(len(good))), millis(c.PerSlot))
	if left := len(samples) - len(good); left > 0 {
		c.Basis += fmt.Sprintf(" (%s without meaning left out)", count(left, "sample"))
	}
	return c, nil
}

// usable returns the samples that say something about the duration of a slot.
func usable(samples []Sample) []Sample {
	good := make([]Sample, 0, len(samples))
	for _, s := range samples {
		if s.perSlot() >= leastPerSlot && s.perSlot() <= mostPerSlot {
			good = append(good, s)
		}
	}
	if len(good) < 3 { // no majority to tell who is wrong
		return good
	}
	each := make([]float64, len(good))
	for i, s := range good {
		each[i] = s.perSlot()
	}
	slices.Sort(each)
	median := each[len(each)/2]
	return slices.DeleteFunc(good, func(s Sample) bool {
		return s.perSlot() > median*mostFactor || s.perSlot() < median/mostFactor
	})
}

// perSlot is in seconds: infinite or no number without slots.
func (s Sample) perSlot() float64 { return s.Seconds / float64(s.Slots) }

// spread returns the relative standard error of the mean and the standard
// deviation of one slot in seconds.
func spread(samples []Sample, perSlot, slots, secs float64) (relError, jitter float64) {
	n := float64(len(samples))
	coarse := periodError * n / secs
	if len(samples) == 1 {
		return math.Hypot(unknownRelError, coarse), unknownJitter * perSlot
	}
	// The residuals of a ratio of sums: seconds that a sample took beyond what its
	// slots take in the mean.
	var squares, products, last float64
	for i, s := range samples {
		r := s.Seconds - perSlot*float64(s.Slots)
		squares += r * r
		if i > 0 {
			products += r * last
		}
		last = r
	}
	jitter = math.Sqrt(squares / (n - 1) / (slots / n))
	mean := math.Sqrt(squares*n/(n-1)) / secs
	if products > 0 {
		// Samples that follow their neighbours say less than as many free ones.
		rho := min(products/squares, 0.9)
		mean *= math.Sqrt((1 + rho) / (1 - rho))
	}
	return math.Hypot(leastRelError, math.Hypot(mean*student(n-1), coarse)), jitter
}

// student returns how much wider an interval is when its width was measured too,
// with few degrees of freedom: the quantile of Student's distribution by that of
// the normal one, and up to a tenth more.
func student(df float64) float64 { return 1 + 1.4/df + 1.5/(df*df) + 2.6/(df*df*df) }

// Between returns a clock from the times of two slots in any order, such as those
// of two blocks; the later one becomes the anchor. The error is an [ErrSpan] when
// time does not go on from the lower slot to the higher.
func Between(slotA schedule.Slot, a time.Time, slotB schedule.Slot, b time.Time) (Clock, error) {
	if slotA > slotB {
		slotA, a, slotB, b = slotB, b, slotA, a
	}
	from, cappedA := seconds(a)
	to, cappedB := seconds(b)
	hi, lo, before := to.since(from)
	switch {
	case slotA == slotB:
		return Clock{}, fmt.Errorf("%w: both are slot %d", ErrSpan, slotA)
	case cappedA || cappedB:
		return Clock{}, fmt.Errorf("%w: want times from 1970 to 9999", ErrSpan)
	case before || hi|lo == 0:
		return Clock{}, fmt.Errorf("%w: slot %d at %s is not before slot %d at %s",
			ErrSpan, slotA, from.utc().Format(time.RFC3339), slotB, to.utc().Format(time.RFC3339))
	}
	nanos := float64(hi)*math.Exp2(64) + float64(lo)
	slots := float64(slotB - slotA)
	perSlot := nanos / slots / nanosPerSecond
	if perSlot < leastPerSlot || perSlot > mostPerSlot {
		return Clock{}, fmt.Errorf("%w: %g s a slot from slot %d to %d, want %v to %v",
			ErrSpan, perSlot, slotA, slotB, leastPerSlot, mostPerSlot)
	}
	c := Clock{
		Slot: slotB, At: b, AtError: timeError,
		PerSlot:  time.Duration(math.Round(perSlot * nanosPerSecond)),
		RelError: math.Hypot(leastRelError, math.Sqrt2*float64(timeError)/nanos),
		Jitter:   time.Duration(perSlot * unknownJitter * nanosPerSecond),
	}
	c.Basis = fmt.Sprintf("measured: slots %d to %d, %s a slot", slotA, slotB, millis(c.PerSlot))
	return c, nil
}

// Assume returns a clock whose slots take a duration that nobody measured, with
// a standard error of 5 %.
func Assume(slot schedule.Slot, at time.Time, perSlot time.Duration) Clock {
	return Clock{
		Slot: slot, At: at, AtError: timeError,
		PerSlot: perSlot, RelError: unknownRelError, Jitter: time.Duration(float64(perSlot) * unknownJitter),
		Assumed: true,
		Basis:   fmt.Sprintf("assumed: %s a slot", millis(perSlot)),
	}
}

func millis(d time.Duration) string { return tenths(float64(d)/1e6) + " ms" }

// tenths prints a number to one digit after the point, and none where that is 0.
func tenths(x float64) string { return strconv.FormatFloat(math.Round(x*10)/10, 'f', -1, 64) }

func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}
