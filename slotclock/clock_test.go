package slotclock

import (
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/schedgen/schedgen/schedule"
)

var noon = time.Date(2026, 10, 8, 12, 0, 0, 0, time.UTC)

// wantTime is TimeOf by arbitrary precision.
func wantTime(c Clock, slot schedule.Slot) (nanos *big.Int) {
	n := new(big.Int).SetUint64(uint64(slot))
	n.Sub(n, new(big.Int).SetUint64(uint64(c.Slot)))
	n.Mul(n, big.NewInt(int64(c.PerSlot)))
	return n.Add(n, bigNanos(c.At))
}

func bigNanos(t time.Time) *big.Int {
	n := big.NewInt(t.Unix())
	n.Mul(n, big.NewInt(nanosPerSecond))
	return n.Add(n, big.NewInt(int64(t.Nanosecond())))
}

func drawClock(t *rapid.T) Clock {
	return Clock{
		Slot:     schedule.Slot(rapid.Uint64().Draw(t, "anchor")),
		At:       time.Unix(rapid.Int64Range(earliest, latest-1).Draw(t, "at"), rapid.Int64Range(0, 999_999_999).Draw(t, "nanos")),
		PerSlot:  time.Duration(rapid.Int64Range(1, math.MaxInt64).Draw(t, "per slot")),
		RelError: 0.01,
	}
}

func TestTimeOfIsExact(t *testing.T) {
	first, last := big.NewInt(earliest), new(big.Int).Mul(big.NewInt(latest), big.NewInt(nanosPerSecond))
	rapid.Check(t, func(t *rapid.T) {
		c := drawClock(t)
		slot := schedule.Slot(rapid.Uint64().Draw(t, "slot"))
		if rapid.Bool().Draw(t, "near") {
			slot = c.Slot + schedule.Slot(rapid.Int64Range(-1<<32, 1<<32).Draw(t, "distance"))
			c.PerSlot = 1 + c.PerSlot%time.Minute
		}
		want := wantTime(c, slot)
		capped := true
		switch {
		case want.Cmp(first) < 0:
			want = first
		case want.Cmp(last) > 0:
			want = last
		default:
			capped = false
		}
		e := c.TimeOf(slot)
		if bigNanos(e.Time).Cmp(want) != 0 || e.Capped != capped || e.Time.Location() != time.UTC {
			t.Fatalf("%v capped %v, want %v ns, %v", e.Time, e.Capped, want, capped)
		}
		if e.Band < 0 {
			t.Fatalf("band %v", e.Band)
		}
		for _, zone := range []int{-12, 14} {
			if _, err := json.Marshal(e.Time.In(time.FixedZone("", zone*3600))); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestSlotAtIsTheInverse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawClock(t)
		slot := schedule.Slot(rapid.Uint64().Draw(t, "slot"))
		if rapid.Bool().Draw(t, "near") {
			slot = c.Slot + schedule.Slot(rapid.Int64Range(-1<<32, 1<<32).Draw(t, "distance"))
			c.PerSlot = 1 + c.PerSlot%time.Minute
		}
		e := c.TimeOf(slot)
		if e.Capped {
			return
		}
		if got := c.SlotAt(e.Time); got != slot {
			t.Fatalf("slot at %v is %d, want %d", e.Time, got, slot)
		}
		if slot > 0 {
			if got := c.SlotAt(e.Time.Add(-1)); got != slot-1 {
				t.Fatalf("slot before %v is %d, want %d", e.Time, got, slot-1)
			}
		}
		if end := c.TimeOf(slot + 1); slot < math.MaxUint64 && !end.Capped {
			if got := c.SlotAt(end.Time.Add(-1)); got != slot {
				t.Fatalf("slot before %v is %d, want %d", end.Time, got, slot)
			}
		}
	})
}

func TestEnds(t *testing.T) {
	c := Assume(450_000_000, noon, 400*time.Millisecond)
	far := c.TimeOf(math.MaxUint64)
	if !far.Capped || far.Time.Year() != 9999 || far.Band != math.MaxInt64 {
		t.Errorf("last slot: %v, capped %v", far, far.Capped)
	}
	if got := far.Time.Format(time.RFC3339); got != "9999-12-31T00:00:00Z" {
		t.Error(got)
	}
	end := Assume(7, time.Unix(latest, 0), 1)
	if e := end.TimeOf(7); e.Capped || e.Time.Unix() != latest {
		t.Errorf("at the end: %v, capped %v", e, e.Capped)
	}
	if e := end.TimeOf(8); !e.Capped || e.Time.Unix() != latest || e.Time.Nanosecond() != 0 {
		t.Errorf("past the end: %v, capped %v", e, e.Capped)
	}
	young := Assume(math.MaxUint64, noon, time.Hour)
	if e := young.TimeOf(0); !e.Capped || e.Time.Unix() != 0 {
		t.Errorf("first slot: %v, capped %v", e, e.Capped)
	}
	const zero = 62135596800 // seconds from the year 1 to 1970: time.Time counts from there
	ever := time.Unix(math.MaxInt64-zero, 0)
	never := time.Unix(math.MinInt64, 0)
	fast := Assume(1<<63, noon, 1)
	for _, got := range []schedule.Slot{fast.SlotAt(ever), fast.SlotAt(time.Date(20000, 1, 1, 0, 0, 0, 0, time.UTC))} {
		if got != math.MaxUint64 {
			t.Errorf("late: slot %d", got)
		}
	}
	if got := Assume(5, noon, time.Second).SlotAt(never); got != 0 {
		t.Errorf("early: slot %d", got)
	}
	if got := Assume(5, noon, time.Second).SlotAt(noon.Add(-5*time.Second - 1)); got != 0 {
		t.Errorf("just before slot 0: slot %d", got)
	}
	if e := Assume(5, ever, time.Second).TimeOf(5); !e.Capped || e.Time.Unix() != latest {
		t.Errorf("anchor beyond all times: %v, capped %v", e, e.Capped)
	}
}

func TestUselessClocks(t *testing.T) {
	for _, c := range []Clock{{}, {Slot: 7, At: noon}, {Slot: 7, At: noon, PerSlot: -1}, Assume(7, noon, math.MinInt64)} {
		if e := c.TimeOf(9); e.Band != math.MaxInt64 {
			t.Errorf("band %v", e.Band)
		}
		if got := c.SlotAt(noon.Add(time.Hour)); got != c.Slot {
			t.Errorf("slot %d, want the anchor", got)
		}
	}
	for _, rel := range []float64{math.NaN(), math.Inf(1)} {
		if e := (Clock{At: noon, PerSlot: 1, RelError: rel}).TimeOf(1); e.Band != math.MaxInt64 {
			t.Errorf("error %v: band %v", rel, e.Band)
		}
	}
}

func TestBandGrows(t *testing.T) {
	c := Clock{Slot: 1000, At: noon, AtError: time.Second, PerSlot: 400 * time.Millisecond, RelError: 0.01, Jitter: 100 * time.Millisecond}
	near := func(what string, got time.Duration, want float64) {
		if math.Abs(got.Seconds()-want) > 0.001*want {
			t.Errorf("%s: band %v, want %g s", what, got, want)
		}
	}
	near("anchor", c.TimeOf(1000).Band, 1.96)
	near("10,000 slots", c.TimeOf(11_000).Band, 1.96*math.Sqrt(1+40*40+10*10))
	near("1,000 slots before", c.TimeOf(0).Band, 1.96*math.Sqrt(1+4*4+10))
	c.RelError = 0
	near("jitter alone", c.TimeOf(1_001_000).Band, 1.96*math.Sqrt(1+100*100))
	near("rounding alone", Clock{PerSlot: 1}.TimeOf(1e9).Band, 1.96*0.5)
	for d := schedule.Slot(1); d < 1<<40; d *= 4 {
		if c.TimeOf(1000+d).Band <= c.TimeOf(1000+d/4).Band {
			t.Errorf("band does not grow at %d slots", d)
		}
	}
}

func TestString(t *testing.T) {
	for want, band := range map[string]time.Duration{
		"2026-10-08T12:00:00Z ± 0s":      0,
		"2026-10-08T12:00:00Z ± 1.235s":  1234567890,
		"2026-10-08T12:00:00Z ± 12s":     12345 * time.Millisecond,
		"2026-10-08T12:00:00Z ± 12m0s":   12*time.Minute + 3*time.Second,
		"2026-10-08T12:00:00Z ± 10h0m0s": 10*time.Hour + time.Minute,
	} {
		if got := (Estimate{Time: noon, Band: band}).String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestParseAnchor(t *testing.T) {
	for _, c := range []struct {
		text string
		slot schedule.Slot
		unix int64
	}{
		{"450000000@2026-10-08T12:00:00Z", 450_000_000, noon.Unix()},
		{"450000000@2026-10-08T14:00:00.5+02:00", 450_000_000, noon.Unix()},
		{" 18446744073709551615@1791460800\n", math.MaxUint64, noon.Unix()},
		{"0@0", 0, 0},
	} {
		slot, at, err := ParseAnchor(c.text)
		if err != nil || slot != c.slot || at.Unix() != c.unix || at.Location() != time.UTC {
			t.Errorf("%q: %d at %v, %v", c.text, slot, at, err)
		}
	}
	before := time.Now()
	if _, at, err := ParseAnchor("7@now"); err != nil || at.Before(before.Round(0)) || at.After(time.Now()) {
		t.Errorf("now: %v, %v", at, err)
	}
	for _, text := range []string{
		"", "7", "@now", "7@", "x@now", "-1@now", "18446744073709551616@now", "7@-1", "7@253402300800", "7@noon",
		"7@2026-10-08", "7@2026-10-08T12:00:00", "7@1969-12-31T23:59:59Z", "7@9999-12-31T23:59:59Z", "7@7@7",
		"7@" + strings.Repeat("9", 1000), strings.Repeat("x", 1000),
	} {
		_, _, err := ParseAnchor(text)
		if !errors.Is(err, ErrAnchor) || strings.Contains(err.Error(), "\n") || len(err.Error()) > 300 {
			t.Errorf("%.40q: got %v", text, err)
		}
	}
}

func FuzzParseAnchor(f *testing.F) {
	for _, seed := range []string{"450000000@2026-10-08T12:00:00Z", "1@1791460800", "1@now", "@", "1@1e9"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		slot, at, err := ParseAnchor(text)
		if err != nil {
			if !errors.Is(err, ErrAnchor) {
				t.Fatal(err)
			}
			return
		}
		c := Assume(slot, at, 400*time.Millisecond)
		if e := c.TimeOf(slot); e.Capped || !e.Time.Equal(at) {
			t.Fatalf("%v, want %v", e, at)
		}
	})
}
