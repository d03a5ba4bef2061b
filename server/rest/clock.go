package rest

import (
	"math"
	"time"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server/epochs"
	"github.com/schedgen/schedgen/server/slotfeed"
	"github.com/schedgen/schedgen/slotclock"
)

// ClockState is what is known of the current slot.
type ClockState struct {
	Slot         schedule.Slot `json:"slot"`
	Epoch        *uint64       `json:"epoch"` // null, as the next two, when the length of epochs is not known
	SlotIndex    *uint64       `json:"slotIndex"`
	SlotsInEpoch *uint64       `json:"slotsInEpoch"`
	Time         *string       `json:"time"` // at which Slot began
	ErrorMillis  *uint64       `json:"errorMillis"`
	SlotMillis   *float64      `json:"slotMillis"`
	RelError     *float64      `json:"relError"` // of SlotMillis
	Source       string        `json:"source"`
	Basis        string        `json:"basis"`
	Stale        bool          `json:"stale"`
	Behind       uint64        `json:"behind"` // slots that should have begun since Slot
	Assumed      bool          `json:"assumed"`
}

// now returns what the clock knows; false when nothing.
func (h *Handler) now() (slotfeed.Now, bool) {
	if h.c.Clock == nil {
		return slotfeed.Now{}, false
	}
	return h.c.Clock.Now()
}

func (h *Handler) clockState() *ClockState {
	now, ok := h.now()
	if !ok {
		return nil
	}
	s := &ClockState{
		Slot: now.Slot, Source: now.Source, Basis: now.Clock.Basis,
		Stale: now.Stale, Behind: now.Behind, Assumed: now.Clock.Assumed,
	}
	s.Time, s.ErrorMillis = timeOf(now.Clock, now.Slot)
	if now.Clock.PerSlot > 0 {
		s.SlotMillis = finite(float64(now.Clock.PerSlot) / float64(time.Millisecond))
		s.RelError = finite(now.Clock.RelError)
	}
	if es := h.c.Epochs.EpochSchedule(); es.SlotsPerEpoch > 0 {
		epoch, i := es.EpochOf(now.Slot)
		index, slots := uint64(i), es.SlotsIn(epoch)
		s.Epoch, s.SlotIndex, s.SlotsInEpoch = &epoch, &index, &slots
	}
	return s
}

// current returns the current slot, or why it is not known.
func (h *Handler) current() (slotfeed.Now, error) {
	now, ok := h.now()
	if !ok {
		return now, problemf(clockUnknown, "the service follows no node and has no anchor, or has not heard of a slot yet: say which slot or epoch is meant")
	}
	return now, nil
}

// currentEpoch returns the current epoch, or why it is not known. A clock that stands
// still tells it as long as no other epoch has begun by its own measure.
func (h *Handler) currentEpoch() (uint64, error) {
	now, err := h.current()
	if err != nil {
		return 0, err
	}
	es, err := h.epochSchedule()
	if err != nil {
		return 0, err
	}
	epoch, _ := es.EpochOf(now.Slot)
	if now.Stale {
		if other, _ := es.EpochOf(now.Slot + schedule.Slot(min(now.Behind, uint64(math.MaxUint64-now.Slot)))); other != epoch {
			return 0, problemf(clockStale, "slot %d, in epoch %d, is the last that was heard of, and epoch %d should have begun since: say which epoch is meant",
				now.Slot, epoch, other)
		}
	}
	return epoch, nil
}

// epochSchedule returns how long epochs are. The error is an epochs.ErrNoEpochSchedule.
func (h *Handler) epochSchedule() (schedule.EpochSchedule, error) {
	es := h.c.Epochs.EpochSchedule()
	if es.SlotsPerEpoch == 0 {
		return es, epochs.ErrNoEpochSchedule
	}
	return es, nil
}

// from reads the parameter from, which is the current slot when it is not given.
// stale tells that the clock that says so stands still.
func (h *Handler) from(c *call) (slot schedule.Slot, stale bool, err error) {
	n, given, err := c.number("from", 0, math.MaxUint64)
	if err != nil || given {
		return schedule.Slot(n), false, err
	}
	now, err := h.current()
	return now.Slot, now.Stale, err
}

// timeLayout is RFC 3339 with milliseconds.
const timeLayout = "2006-01-02T15:04:05.000Z"

func timeText(t time.Time) string { return t.UTC().Format(timeLayout) }

// timeOf returns when a slot begins, and how far off that may be in milliseconds;
// nil where the clock does not tell.
func timeOf(c slotclock.Clock, slot schedule.Slot) (at *string, errorMillis *uint64) {
	if c.PerSlot <= 0 {
		return nil, nil
	}
	e := c.TimeOf(slot)
	if e.Capped {
		return nil, nil
	}
	text := timeText(e.Time)
	if e.Band < math.MaxInt64 {
		millis := uint64(e.Band+time.Millisecond-1) / uint64(time.Millisecond)
		errorMillis = &millis
	}
	return &text, errorMillis
}

// finite returns what JSON has a number for.
func finite(x float64) *float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return nil
	}
	return &x
}

// rounded returns x with so many decimals, or nil.
func rounded(x float64, decimals int) *float64 {
	scale := math.Pow10(decimals)
	return finite(math.Round(x*scale) / scale)
}
