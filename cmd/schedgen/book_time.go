package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"
	_ "time/tzdata" // for --zone where the system has no time zones

	"github.com/spf13/cobra"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/slotclock"
)

// A timeline says which slot runs, and when others begin.
type timeline struct {
	clock *slotclock.Clock // nil where no times are known
	slot  *schedule.Slot   // the newest of a node that tells no times
	note  string           // what about it a user should know
}

var errNoNow = errors.New("it is not known which slot it is now: give --rpc URL, or --anchor SLOT@TIME with --slot-duration, or --from SLOT")

// timeline asks for the time in the way that the flags say.
func (s *shelf) timeline(cmd *cobra.Command, ctx context.Context) (timeline, error) {
	switch {
	case s.f.anchor != "":
		clock, err := s.f.clock(cmd)
		return timeline{clock: clock}, err
	case s.timer != nil:
		line, err := s.timer.timeline(ctx, s.f.now)
		s.timed = err == nil
		return line, err
	}
	return timeline{}, nil
}

// at returns the slot that runs at a time of this machine, and the first and the
// last one that it may be, with 95 % confidence.
func (t timeline) at(now time.Time) (slot, early, late schedule.Slot, known bool) {
	switch {
	case t.clock != nil:
		slot = t.clock.SlotAt(now)
		band := t.clock.TimeOf(slot).Band
		return slot, t.clock.SlotAt(now.Add(-band)), t.clock.SlotAt(now.Add(band)), true
	case t.slot != nil:
		const reach = 5 // as many may pass until a node has answered
		slot = *t.slot
		return slot, slot - min(slot, reach), slot + min(reach, math.MaxUint64-slot), true
	}
	return 0, 0, 0, false
}

// A zoned prints times.
type zoned struct {
	zone *time.Location
	name string // of the zone, as a heading
}

// zoneOf reads --zone: a name, or the machine's own for "".
func zoneOf(name string) (zoned, error) {
	if name == "" {
		return zoned{time.Local, "local time"}, nil
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return zoned{}, fmt.Errorf("--zone: unknown time zone %q, want a name such as Europe/Berlin, or UTC", name)
	}
	return zoned{zone, name}, nil
}

// in returns a time in the zone, with the zone's offset from UTC.
func (z zoned) in(t time.Time) string { return t.In(z.zone).Format(time.RFC3339) }

func inUTC(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// inWords writes a duration of at least 0 in its two largest units.
func inWords(d time.Duration) string {
	const day = 24 * time.Hour
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%d min %02d s", d/time.Minute, d%time.Minute/time.Second)
	case d < day:
		return fmt.Sprintf("%d h %02d min", d/time.Hour, d%time.Hour/time.Minute)
	}
	return fmt.Sprintf("%s d %02d h", grouped(uint64(d/day)), d%day/time.Hour)
}

// until says in how long something is, or how long ago it was.
func until(d time.Duration) string {
	if d < 0 {
		return inWords(-max(d, -math.MaxInt64)) + " ago"
	}
	return inWords(d)
}

// bandOf writes the half width of an error band.
func bandOf(e slotclock.Estimate) string {
	switch {
	case e.Capped || e.Band == math.MaxInt64:
		return "any"
	case e.Band < 10*time.Second:
		return fmt.Sprintf("%.1f s", e.Band.Seconds())
	}
	return inWords(e.Band)
}
