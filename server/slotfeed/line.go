package slotfeed

import (
	"time"

	"github.com/schedgen/schedgen/schedule"
)

// A line tells the slots that go on from each other among the reports of a node,
// or of the several nodes behind one address.
//
// A report continues the line when its slot is not below the line's and not
// farther ahead than slots can have run meanwhile. Others are a rival line: a node
// that lags, a lie, or the truth after a lie. The rival takes over when it went on
// for the time of settle in at least settleReports reports while the line did not
// rise, so that a node that was set back, or that jumped to a newer snapshot, is
// believed in the end.
type line struct {
	settle time.Duration

	known bool // there is a tip
	tip   tip
	rival rival

	committed bool // there are the slots of the other commitments
	confirmed schedule.Slot
	finalized schedule.Slot // finalized <= confirmed <= tip.slot
	ofAnother bool          // they are of another line, and may fall
}

// A tip is the newest slot of a line.
type tip struct {
	slot schedule.Slot
	rose time.Time // when it was first reported
}

type rival struct {
	tip
	begun   time.Time
	reports int // 0: there is none
}

const (
	settleReports = 3
	// Slots run at most fastest a second on any cluster; a node that catches up may
	// replay slack more at once.
	fastest = 20
	slack   = 64
	// maxSlot is beyond what any cluster reaches within centuries.
	maxSlot = 1 << 40
)

// A verdict is what a line makes of a report.
type verdict uint8

const (
	rose     verdict = iota // the line goes on
	stood                   // nothing new
	ignored                 // not of the line, which stays as it is
	switched                // the rival has become the line
)

// follows reports whether a slot may be what comes of a tip.
func (t tip) follows(slot schedule.Slot, at time.Time) bool {
	if slot < t.slot {
		return false
	}
	seconds := max(at.Sub(t.rose), 0) / time.Second
	return uint64(slot-t.slot) <= slack+fastest*uint64(seconds+1)
}

// report takes in a processed slot.
func (l *line) report(slot schedule.Slot, at time.Time) verdict {
	switch {
	case slot > maxSlot:
		return ignored
	case !l.known:
		l.known, l.tip = true, tip{slot, at}
		return rose
	case l.tip.follows(slot, at):
		if slot == l.tip.slot {
			return stood
		}
		l.tip, l.rival = tip{slot, at}, rival{}
		return rose
	}
	return l.contest(slot, at)
}

// contest takes in a report that does not continue the line.
func (l *line) contest(slot schedule.Slot, at time.Time) verdict {
	r := &l.rival
	if r.reports == 0 || !r.follows(slot, at) {
		*r = rival{tip: tip{slot, at}, begun: at}
	}
	if slot > r.slot {
		r.tip = tip{slot, at}
	}
	r.reports++
	if r.reports < settleReports || at.Sub(r.begun) < l.settle {
		return ignored
	}
	l.tip, l.rival, l.ofAnother = r.tip, rival{}, true
	l.confirmed, l.finalized = min(l.confirmed, l.tip.slot), min(l.finalized, l.tip.slot)
	return switched
}

// commit takes in the slots of the other commitments. They do not fall, and never
// pass the tip; one that is far ahead of it is not of this line.
func (l *line) commit(confirmed, finalized schedule.Slot) {
	if !l.known || confirmed > l.tip.slot+slack || finalized > l.tip.slot+slack {
		return
	}
	if l.committed && !l.ofAnother {
		confirmed, finalized = max(confirmed, l.confirmed), max(finalized, l.finalized)
	}
	l.confirmed = min(confirmed, l.tip.slot)
	l.finalized = min(finalized, l.confirmed)
	l.committed, l.ofAnother = true, false
}
