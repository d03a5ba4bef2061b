package slotfeed

import (
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/schedgen/schedgen/schedule"
)

// step is a report some seconds after the one before.
type step struct {
	after float64
	slot  schedule.Slot
	want  verdict
}

func TestLine(t *testing.T) {
	const settle = 15 * time.Second
	for _, c := range []struct {
		name  string
		steps []step
		slot  schedule.Slot // at the end
	}{
		{"goes on", []step{{0, 1000, rose}, {1, 1002, rose}, {1, 1002, stood}, {1, 1007, rose}}, 1007},
		{"catches up", []step{{0, 1000, rose}, {1, 1080, rose}}, 1080},
		{"after a stall", []step{{0, 1000, rose}, {3600, 9000, rose}}, 9000},
		{"one that is too far", []step{{0, 1000, rose}, {1, 1105, ignored}, {1, 1005, rose}}, 1005},
		{"one lie", []step{{0, 1000, rose}, {1, 1 << 39, ignored}, {1, 1005, rose}, {60, 1 << 39, ignored}}, 1005},
		{"beyond all slots", []step{{0, 1000, rose}, {1, math.MaxUint64, ignored}, {20, math.MaxUint64, ignored},
			{20, math.MaxUint64, ignored}, {20, math.MaxUint64, ignored}}, 1000},
		{"a lie at first", []step{{0, math.MaxUint64, ignored}, {1, 1000, rose}}, 1000},
		{"a node that lags among others", []step{{0, 1000, rose}, {5, 990, ignored}, {5, 1020, rose}, {5, 1010, ignored},
			{5, 1050, rose}, {5, 1040, ignored}}, 1050},
		{"rolled back", []step{{0, 1000, rose}, {1, 400, ignored}, {7, 401, ignored}, {7, 402, ignored}, {1, 403, switched}, {1, 404, rose}}, 404},
		{"rolled back and halted", []step{{0, 1000, rose}, {1, 400, ignored}, {8, 400, ignored}, {8, 400, switched}}, 400},
		{"back for too short", []step{{0, 1000, rose}, {1, 400, ignored}, {14, 401, ignored}, {0.5, 1020, rose}, {1, 402, ignored}}, 1020},
		{"back by few reports", []step{{0, 1000, rose}, {1, 400, ignored}, {60, 402, ignored}, {1, 404, switched}}, 404},
		{"a jump that stays", []step{{0, 1000, rose}, {1, 500_000, ignored}, {10, 500_020, ignored}, {10, 500_040, switched}}, 500_040},
		{"other lies each time", []step{{0, 1000, rose}, {9, 500_000, ignored}, {9, 900_000, ignored}, {9, 500_000, ignored},
			{9, 5, ignored}, {9, 900_000, ignored}}, 1000},
		{"the line stands, the rival goes on", []step{{0, 1000, rose}, {5, 400, ignored}, {5, 1000, stood}, {5, 410, ignored},
			{5, 1000, stood}, {5, 420, switched}}, 420},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := line{settle: settle}
			at := noon
			for i, s := range c.steps {
				at = at.Add(time.Duration(s.after * float64(time.Second)))
				if got := l.report(s.slot, at); got != s.want {
					t.Fatalf("report %d, slot %d: verdict %d, want %d", i, s.slot, got, s.want)
				}
			}
			if l.tip.slot != c.slot {
				t.Errorf("slot %d, want %d", l.tip.slot, c.slot)
			}
		})
	}
}

func TestLineCommits(t *testing.T) {
	l := line{settle: time.Second}
	check := func(what string, slot, confirmed, finalized schedule.Slot) {
		t.Helper()
		if l.tip.slot != slot || l.confirmed != confirmed || l.finalized != finalized {
			t.Errorf("%s: %d, %d, %d, want %d, %d, %d", what, l.tip.slot, l.confirmed, l.finalized, slot, confirmed, finalized)
		}
	}
	l.commit(5, 5)
	if l.committed {
		t.Error("committed without a slot")
	}
	l.report(1000, noon)
	l.commit(998, 968)
	check("first", 1000, 998, 968)
	l.commit(999, 967)
	check("finalized never falls", 1000, 999, 968)
	l.commit(1003, 970)
	check("confirmed of a node that is ahead", 1000, 1000, 970)
	l.commit(1<<40, 1<<40)
	check("a lie", 1000, 1000, 970)
	l.commit(math.MaxUint64, 1000)
	check("a great lie", 1000, 1000, 970)
	l.commit(5, 5)
	check("a low lie", 1000, 1000, 970)
	at := noon
	for l.report(500, at) != switched {
		at = at.Add(time.Second)
	}
	check("rolled back", 500, 500, 500)
	l.commit(499, 468)
	check("asked again", 500, 499, 468)
}

// Whatever a node says: commitments keep their order, and a slot falls or leaps
// only when the node has kept to it.
func TestLineAlways(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := line{settle: 10 * time.Second}
		at := noon
		slot := rapid.OneOf(
			rapid.Uint64Range(900, 1200), rapid.Uint64Range(0, 1<<41), rapid.Uint64(),
		)
		for range rapid.IntRange(1, 60).Draw(t, "reports") {
			at = at.Add(time.Duration(rapid.Int64Range(0, int64(4*time.Second)).Draw(t, "after")))
			was, since := l.tip.slot, at.Sub(l.tip.rose)
			first := !l.known
			s := schedule.Slot(slot.Draw(t, "slot"))
			switch v := l.report(s, at); {
			case v == rose && first:
			case v == rose && (l.tip.slot != s || s <= was || uint64(s-was) > uint64(since/time.Second)*fastest+fastest+slack):
				t.Fatalf("from %d to %d within %v", was, l.tip.slot, since)
			case v == switched && since < l.settle && s > was:
				t.Fatalf("switched from %d to %d after %v", was, s, since)
			case (v == stood || v == ignored) && l.tip.slot != was:
				t.Fatalf("verdict %d moves %d to %d", v, was, l.tip.slot)
			}
			if rapid.Bool().Draw(t, "commits") {
				l.commit(schedule.Slot(slot.Draw(t, "confirmed")), schedule.Slot(slot.Draw(t, "finalized")))
			}
			if l.finalized > l.confirmed || l.confirmed > l.tip.slot || l.tip.slot > maxSlot {
				t.Fatalf("%d, %d, %d", l.tip.slot, l.confirmed, l.finalized)
			}
		}
	})
}
