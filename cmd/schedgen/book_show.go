package main

import (
	"fmt"
	"io"
	"math"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/schedgen/schedgen/leaders"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/slotclock"
	"github.com/schedgen/schedgen/stakes/list"
)

// A shownTime is an estimated time, in UTC and in a zone.
type shownTime struct {
	UTC         string  `json:"utc"` // RFC 3339
	Local       string  `json:"local"`
	BandSeconds float64 `json:"bandSeconds"`      // of 95 %, before and after
	Capped      bool    `json:"capped,omitempty"` // the true time is beyond what can be written
}

func (z zoned) show(e slotclock.Estimate) *shownTime {
	return &shownTime{inUTC(e.Time), z.in(e.Time), e.Band.Seconds(), e.Capped}
}

// A shownNow is which slot it is, by the best estimate.
type shownNow struct {
	Slot  schedule.Slot  `json:"slot"`
	Epoch uint64         `json:"epoch"`
	Index schedule.Index `json:"slotIndex"`
	At    string         `json:"utc"`
	// Earliest and Latest are the slots that it may be.
	Earliest schedule.Slot `json:"earliest"`
	Latest   schedule.Slot `json:"latest"`
}

// A shownClock is what times rest on.
type shownClock struct {
	Slot           schedule.Slot `json:"slot"` // the anchor, which begins at At
	At             string        `json:"utc"`
	AtErrorSeconds float64       `json:"atErrorSeconds"` // standard error
	SlotSeconds    float64       `json:"slotSeconds"`
	RelError       float64       `json:"relError"` // standard error of SlotSeconds, as a part of it
	Assumed        bool          `json:"assumed"`
	Basis          string        `json:"basis"`
}

// A shownEpoch is which schedule an answer rests on.
type shownEpoch struct {
	Epoch     uint64        `json:"epoch"`
	FirstSlot schedule.Slot `json:"firstSlot"`
	Slots     uint64        `json:"slots"`
	leaders.Label
}

// A frame is what all answers have around them.
type frame struct {
	Keys    []leaders.Key `json:"keys"`
	Cluster string        `json:"cluster,omitempty"`
	Now     *shownNow     `json:"now,omitempty"`
	Clock   *shownClock   `json:"clock,omitempty"`
	// Schedules are what the answer rests on.
	Schedules []shownEpoch `json:"schedules"`

	line timeline
	now  time.Time
	zone zoned
	far  bool // there are times in a later epoch than this one
}

func (s *shelf) frame(v *bookView, line timeline, now time.Time, zone zoned) frame {
	f := frame{Keys: s.keys, Cluster: s.plan.cluster, line: line, now: now, zone: zone, Schedules: []shownEpoch{}}
	if slot, early, late, known := line.at(now); known {
		epoch, i := s.es.EpochOf(slot)
		f.Now = &shownNow{slot, epoch, i, inUTC(now), early, late}
	}
	if c := line.clock; c != nil {
		f.Clock = &shownClock{c.Slot, inUTC(c.At), c.AtError.Seconds(), c.PerSlot.Seconds(), c.RelError, c.Assumed, c.Basis}
	}
	for _, epoch := range v.Epochs() {
		held, _ := v.Get(epoch)
		f.Schedules = append(f.Schedules, shownEpoch{epoch, held.Source.FirstSlot(), held.Source.Slots(), held.Label})
	}
	return f
}

// about prints whose slots are told, and what the answer rests on.
func (f *frame) about(w io.Writer) {
	row := func(name, format string, args ...any) { fmt.Fprintf(w, name+"\t"+format+"\n", args...) }
	for _, key := range f.Keys {
		name := "identity"
		if key.Vote {
			name = "vote account"
		}
		row(name, "%v", key.Pubkey)
	}
	if f.Now != nil {
		row("now", "slot %d, index %s of epoch %d", f.Now.Slot, grouped(uint64(f.Now.Index)), f.Now.Epoch)
	}
	for first := 0; first < len(f.Schedules); {
		last := first
		for last+1 < len(f.Schedules) && f.Schedules[last+1].Label == f.Schedules[first].Label {
			last++
		}
		var epochs []uint64
		for _, e := range f.Schedules[first : last+1] {
			epochs = append(epochs, e.Epoch)
		}
		row("schedule", "%s", labelText(epochList(epochs), f.Schedules[first].Label))
		first = last + 1
	}
	if f.Clock != nil {
		row("times", "estimated, %s; ± is 95 %%", f.Clock.Basis)
	}
	if f.Clock != nil && f.far {
		row("", "slots may get shorter at the start of an epoch (SIMD-0525), which is not in them")
	}
}

// labelText says in a line what schedule is taken and what it is worth.
func labelText(epochs string, l leaders.Label) string {
	text := epochs
	if l.Source != "" {
		text += " from " + l.Source
	}
	switch l.Vintage {
	case list.VintageExact:
		text += ", exact"
	case list.VintageApproximate:
		text += ", approximate"
	default:
		text += ", not known to be exact"
	}
	if l.Reason != "" {
		text += ": " + l.Reason
	}
	return text
}

// printAbout prints the frame of an answer.
func (f *frame) printAbout(out io.Writer) error {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	f.about(w)
	w.Flush()
	_, err := io.WriteString(out, b.String())
	return err
}

// times returns the columns of when a slot begins; none without a clock.
func (f *frame) times(slot schedule.Slot) []string {
	if f.line.clock == nil {
		return nil
	}
	e := f.line.clock.TimeOf(slot)
	columns := []string{inUTC(e.Time)}
	if f.zoned() {
		columns = append(columns, f.zone.in(e.Time))
	}
	return append(columns, bandOf(e))
}

// timeHeadings are the headings of times.
func (f *frame) timeHeadings() []string {
	switch {
	case f.line.clock == nil:
		return nil
	case f.zoned():
		return []string{"UTC", f.zone.name, "±"}
	}
	return []string{"UTC", "±"}
}

// zoned reports whether the zone is another than UTC.
func (f *frame) zoned() bool {
	name, _ := f.now.In(f.zone.zone).Zone()
	return name != "UTC"
}

// in returns in how long a slot begins.
func (f *frame) in(slot schedule.Slot) time.Duration {
	return f.line.clock.TimeOf(slot).Time.Sub(f.now)
}

// when says in how long a span begins, or that it is in progress.
func (f *frame) when(s leaders.Span) string {
	if f.Now != nil && s.First <= f.Now.Slot && f.Now.Slot <= s.Last {
		return "now"
	}
	return until(f.in(s.First))
}

// A shownSpan is a window and when it is.
type shownSpan struct {
	leaders.Span
	Key       *leaders.Key `json:"key,omitempty"` // that leads it
	Begins    *shownTime   `json:"begins,omitempty"`
	Ends      *shownTime   `json:"ends,omitempty"` // when the slot after the last begins
	InSeconds *float64     `json:"inSeconds,omitempty"`
}

// show adds the times of a window.
func (f *frame) show(s leaders.Span, key *leaders.Key) shownSpan {
	shown := shownSpan{Span: s, Key: key}
	if c := f.line.clock; c != nil {
		in := f.in(s.First).Seconds()
		shown.Begins, shown.Ends, shown.InSeconds = f.zone.show(c.TimeOf(s.First)), f.zone.show(c.TimeOf(after(s.Last))), &in
		f.far = f.far || f.Now != nil && s.LastEpoch > f.Now.Epoch
	}
	return shown
}

// lasting writes how long the slots from one to before another last, after some
// text; nothing without a clock.
func (f *frame) lasting(before string, from, to schedule.Slot) string {
	if f.line.clock == nil {
		return ""
	}
	c := f.line.clock
	return before + inWords(max(0, c.TimeOf(to).Time.Sub(c.TimeOf(from).Time)))
}

// after returns the next slot, or the last one where slot numbers end.
func after(slot schedule.Slot) schedule.Slot {
	return slot + schedule.Slot(min(1, math.MaxUint64-uint64(slot)))
}
