package leaders

import (
	"iter"

	"github.com/schedgen/schedgen/schedule"
)

// A cursor is the place in the runs of one key.
type cursor struct {
	next func() (Run, bool)
	run  Run
	ok   bool
}

// to moves on to the run that ends at or after a slot.
func (c *cursor) to(slot schedule.Slot) {
	for c.ok && c.run.Last < slot {
		c.run, c.ok = c.next()
	}
}

// overlay lays the runs of several keys over each other, from a slot of the epoch
// to its end. Whoever leads hides who is unknown, and who is unknown hides quiet.
func overlay(h Held, keys []Key, from schedule.Slot) iter.Seq[stretch] {
	return func(yield func(stretch) bool) {
		cursors := make([]cursor, len(keys))
		for i, key := range keys {
			next, stop := iter.Pull(h.Source.Runs(key, from))
			defer stop()
			cursors[i].next = next
			cursors[i].run, cursors[i].ok = next()
		}
		epoch, last := h.Source.Epoch(), h.last()
		for {
			s := stretch{first: from, last: last, key: -1, epoch: epoch, lastEpoch: epoch, vintage: h.Label.Vintage}
			for i := range cursors {
				cursors[i].to(from)
				s.lay(i, &cursors[i])
			}
			if !yield(s) || s.last == last {
				return
			}
			from = s.last + 1
		}
	}
}

// lay lays the run of a key over s and ends s where that run begins or ends.
func (s *stretch) lay(key int, c *cursor) {
	switch {
	case !c.ok:
		return
	case c.run.First > s.first:
		s.last = min(s.last, c.run.First-1)
		return
	}
	s.last = min(s.last, c.run.Last)
	switch {
	case c.run.Unknown == "" && s.kind != led:
		s.kind, s.key, s.why = led, key, ""
	case c.run.Unknown != "" && s.kind == quiet:
		s.kind, s.key, s.why = unknown, key, c.run.Unknown
	}
}
