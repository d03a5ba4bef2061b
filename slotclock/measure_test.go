package slotclock

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/schedgen/schedgen/schedule"
)

func slotOf(n uint64) schedule.Slot { return schedule.Slot(n) }

func of(slots ...uint64) []Sample {
	var samples []Sample
	for _, n := range slots {
		samples = append(samples, Sample{Slots: n, Seconds: 60})
	}
	return samples
}

func TestMeasure(t *testing.T) {
	c, err := Measure(7, noon, append(of(150, 150, 150), Sample{Slots: 300, Seconds: 120}))
	if err != nil || c.PerSlot != 400*time.Millisecond || c.Slot != 7 || !c.At.Equal(noon) || c.Assumed {
		t.Fatalf("%+v, %v", c, err)
	}
	if c.Jitter != 0 {
		t.Errorf("jitter %v of samples that do not differ", c.Jitter)
	}
	if c.RelError < 0.001 || c.RelError > 0.01 {
		t.Errorf("error %v of periods that are known to a tenth of a second", c.RelError)
	}
	if want := "measured: 4 samples of 75 s, 400 ms a slot"; c.Basis != want {
		t.Errorf("%q, want %q", c.Basis, want)
	}
	// Seconds count, not samples: 60 s at 600 ms and 600 s at 300 ms.
	c, err = Measure(7, noon, []Sample{{Slots: 100, Seconds: 60}, {Slots: 2000, Seconds: 600}})
	if want := 660 * time.Second / 2100; err != nil || (c.PerSlot-want).Abs() > 1 {
		t.Errorf("weighted: %v, %v, want %v", c.PerSlot, err, want)
	}
	// 152 slots a minute, give or take 2 by turns: the spread of one slot is
	// 2*0.395 s * sqrt(n/(n-1)) / sqrt(152).
	c, err = Measure(7, noon, of(150, 154, 150, 154, 150, 154))
	want := 2 * 60.0 / 152 * math.Sqrt(6.0/5) / math.Sqrt(152)
	if err != nil || math.Abs(c.Jitter.Seconds()-want) > 1e-3*want {
		t.Errorf("jitter %v, %v, want %g s", c.Jitter, err, want)
	}
}

func TestMeasureLeavesOut(t *testing.T) {
	good := of(150, 151, 149, 150, 150)
	want, err := Measure(7, noon, good)
	if err != nil {
		t.Fatal(err)
	}
	bad := []Sample{
		{},
		{Slots: 150},
		{Slots: 150, Seconds: -60},
		{Slots: 150, Seconds: math.NaN()},
		{Slots: 150, Seconds: math.Inf(1)},
		{Slots: 0, Seconds: 60},
		{Slots: math.MaxUint64, Seconds: 60},
		{Slots: 1, Seconds: 60},
		{Slots: 70, Seconds: 60},
		{Slots: 310, Seconds: 60},
	}
	got, err := Measure(7, noon, append(append(bad[:5:5], good...), bad[5:]...))
	if err != nil || got.PerSlot != want.PerSlot || got.RelError != want.RelError {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	if !strings.Contains(got.Basis, "(10 samples without meaning left out)") {
		t.Errorf("basis %q", got.Basis)
	}
	for _, samples := range [][]Sample{nil, {}, bad[:7]} {
		_, err := Measure(7, noon, samples)
		if !errors.Is(err, ErrNoSamples) {
			t.Errorf("%v: got %v, want ErrNoSamples", samples, err)
		}
	}
}

// One sample tells a mean and no spread.
func TestMeasureOneSample(t *testing.T) {
	c, err := Measure(7, noon, of(150))
	if err != nil || c.PerSlot != 400*time.Millisecond || c.RelError < 0.05 || c.Jitter != 100*time.Millisecond {
		t.Errorf("%+v, %v", c, err)
	}
	if !strings.HasPrefix(c.Basis, "measured: 1 sample of 60 s,") {
		t.Errorf("basis %q", c.Basis)
	}
}

// Samples that drift up and down slowly say less than ones that alternate.
func TestMeasureSeesDrift(t *testing.T) {
	slow, err := Measure(7, noon, of(145, 145, 145, 145, 155, 155, 155, 155))
	if err != nil {
		t.Fatal(err)
	}
	quick, err := Measure(7, noon, of(145, 155, 145, 155, 145, 155, 145, 155))
	if err != nil {
		t.Fatal(err)
	}
	if slow.RelError < 1.5*quick.RelError {
		t.Errorf("error %v of drifting samples, %v of others", slow.RelError, quick.RelError)
	}
}

// simulate returns samples and the time that the next slots take, in a network
// whose slots last mean seconds in the mean. A node looks at its clock after
// sleeps of half a second, each up to a millisecond late.
func simulate(r *rand.Rand, minutes int, mean float64, next uint64) (samples []Sample, secs float64) {
	slot := func() float64 {
		if r.Float64() < 0.05 {
			return mean * (1 + r.Float64()) // late
		}
		return mean * (0.9 + 0.2*r.Float64() - 0.025/0.95)
	}
	var now, begin, change float64
	var slots uint64
	for len(samples) < minutes {
		now += 0.5 + r.Float64()/1000
		for ; change < now; change += slot() {
			slots++
		}
		if now-begin >= 60 {
			samples = append(samples, Sample{Slots: slots, Seconds: math.Floor(now - begin)})
			begin, slots = now, 0
		}
	}
	for range next {
		secs += slot()
	}
	return samples, secs
}

// Of networks with different slot times, nearly all keep within the band.
func TestBandCovers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const networks, ahead = 200, 2000
	for _, minutes := range []int{3, 15, 60} {
		within := 0
		for i := range networks {
			samples, secs := simulate(r, minutes, 0.2+0.3*float64(i)/networks, ahead)
			c, err := Measure(0, noon, samples)
			if err != nil {
				t.Fatal(err)
			}
			c.AtError = 0
			e := c.TimeOf(ahead)
			if off := (e.Time.Sub(noon).Seconds() - secs); math.Abs(off) <= e.Band.Seconds() {
				within++
			}
		}
		t.Logf("%d minutes: %d of %d", minutes, within, networks)
		if within < networks*94/100 {
			t.Errorf("%d minutes: %d of %d within a band of 95 %%", minutes, within, networks)
		}
	}
}

func TestBetween(t *testing.T) {
	later := noon.Add(40_000 * time.Second)
	for _, swap := range []bool{false, true} {
		a, at, b, bt := uint64(1000), noon, uint64(101_000), later
		if swap {
			a, at, b, bt = b, bt, a, at
		}
		c, err := Between(slotOf(a), at, slotOf(b), bt)
		if err != nil || c.PerSlot != 400*time.Millisecond || c.Slot != 101_000 || !c.At.Equal(later) {
			t.Fatalf("%+v, %v", c, err)
		}
		if c.RelError < 0.001 || c.RelError > 0.0011 {
			t.Errorf("error %v", c.RelError)
		}
		if want := "measured: slots 1000 to 101000, 400 ms a slot"; c.Basis != want {
			t.Errorf("%q, want %q", c.Basis, want)
		}
	}
	near, err := Between(1000, noon, 1010, noon.Add(4*time.Second))
	if err != nil || near.RelError < 0.3 {
		t.Errorf("error %v, %v: two seconds of four are unknown", near.RelError, err)
	}
	for _, c := range []struct {
		a  uint64
		at time.Time
		b  uint64
		bt time.Time
	}{
		{5, noon, 5, later},
		{5, noon, 6, noon},
		{5, later, 6, noon},
		{5, noon, 6, later},
		{0, noon, math.MaxUint64, later},
		{5, time.Unix(math.MinInt64, 0), 6, noon},
		{5, noon, 6, time.Unix(math.MaxInt64, 0)},
		{5, time.Time{}, 6, noon},
	} {
		if got, err := Between(slotOf(c.a), c.at, slotOf(c.b), c.bt); !errors.Is(err, ErrSpan) {
			t.Errorf("%v: got %+v, %v, want ErrSpan", c, got, err)
		}
	}
}

func TestAssume(t *testing.T) {
	c := Assume(7, noon, 350*time.Millisecond)
	if !c.Assumed || c.Basis != "assumed: 350 ms a slot" || c.TimeOf(8).Time != noon.Add(350*time.Millisecond) {
		t.Errorf("%+v", c)
	}
}
