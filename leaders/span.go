package leaders

import (
	"math"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
)

// A Span is a range of slots, which may cross epochs.
type Span struct {
	First     schedule.Slot `json:"first"`
	Last      schedule.Slot `json:"last"` // inclusive
	Slots     uint64        `json:"slots"`
	Epoch     uint64        `json:"epoch"`     // of First
	LastEpoch uint64        `json:"lastEpoch"` // of Last
	// Current: First is the slot that was asked from. The span may have begun
	// before it; those slots are not counted.
	Current bool `json:"current,omitempty"`
	// AtLeast: it is not known who leads the slot after Last, so that the span may
	// be longer.
	AtLeast bool         `json:"atLeast,omitempty"`
	Vintage list.Vintage `json:"vintage"` // of the least certain schedule that the span rests on
}

// A Window is consecutive slots that one key leads. Rotations that follow each
// other make one window, in an epoch and across its end.
type Window struct {
	Span
	Key Key `json:"key"` // the first of those asked for that leads the slots
}

func (s *stretch) span(from schedule.Slot) Span {
	slots := uint64(s.last - s.first)
	if slots < math.MaxUint64 {
		slots++
	}
	return Span{
		First: s.first, Last: s.last, Slots: slots, Epoch: s.epoch, LastEpoch: s.lastEpoch,
		Current: s.first == from, AtLeast: s.open, Vintage: s.vintage,
	}
}

// copy returns a pointer to a copy of s.
func (s Span) copy() *Span { return &s }

// error returns what an unknown stretch means.
func (s *stretch) error(keys []Key) *UnknownError {
	e := &UnknownError{Epoch: s.epoch, Slot: s.first, Why: s.why}
	if s.key >= 0 {
		key := keys[s.key]
		e.Key = &key
	}
	return e
}
