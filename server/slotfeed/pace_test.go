package slotfeed

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/slotclock"
)

// Reports that come up to 300 ms late leave the clock within their mean, and its
// error says so.
func TestPaceFollows(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	p := pace{clock: slotclock.Assume(0, time.Time{}, perSlot)}
	p.measured(slotclock.Clock{PerSlot: 390 * time.Millisecond, RelError: 0.002, Basis: "measured"})
	begin := func(slot schedule.Slot) time.Time { return noon.Add(time.Duration(slot-1000) * 390 * time.Millisecond) }
	for slot := schedule.Slot(1000); slot < 3000; slot += 1 + schedule.Slot(r.IntN(3)) {
		p.saw(slot, begin(slot).Add(time.Duration(r.IntN(300))*time.Millisecond))
		off := p.clock.TimeOf(slot + 100).Time.Sub(begin(slot + 100))
		if slot > 1100 && (off < 40*time.Millisecond || off > 260*time.Millisecond) {
			t.Fatalf("slot %d: off by %v", slot, off)
		}
		if e := p.clock.AtError; slot > 1100 && (e < 30*time.Millisecond || e > 200*time.Millisecond) {
			t.Fatalf("slot %d: error %v", slot, e)
		}
	}
	if p.clock.Assumed || p.clock.Basis != "measured" {
		t.Errorf("clock %+v", p.clock)
	}
	// After a stall, slots begin where they do.
	late := begin(3100).Add(time.Hour)
	p.saw(3100, late)
	if got := p.clock.TimeOf(3100).Time; !got.Equal(late) {
		t.Errorf("after a stall: %v, want %v", got, late)
	}
}
