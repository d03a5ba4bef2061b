package rest

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/schedgen/schedgen/leaders"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/slotclock"
	"github.com/schedgen/schedgen/stakes/list"
)

// Window is a range of slots that a key leads, or that it does not lead.
type Window struct {
	First       schedule.Slot `json:"first"`
	Last        schedule.Slot `json:"last"`
	Slots       uint64        `json:"slots"`
	Epoch       uint64        `json:"epoch"`     // of First
	LastEpoch   uint64        `json:"lastEpoch"` // of Last
	Current     bool          `json:"current"`   // it has begun at or before the slot asked from
	AtLeast     bool          `json:"atLeast"`   // what follows is not known, so that it may be longer
	Vintage     list.Vintage  `json:"vintage"`   // of the least certain stakes that it rests on
	FirstTime   *string       `json:"firstTime"` // at which First begins, an estimate
	LastTime    *string       `json:"lastTime"`  // at which Last begins
	EndTime     *string       `json:"endTime"`   // at which Last ends
	ErrorMillis *uint64       `json:"errorMillis"`
}

// Ahead is the answer to GET /v1/leaders/{key}/next.
type Ahead struct {
	Key     schedule.Pubkey `json:"key"`
	Kind    *string         `json:"kind"` // as in KeyPresence, by the epochs looked at
	From    schedule.Slot   `json:"from"`
	Stale   bool            `json:"stale"` // From is of a clock that stands still
	Status  leaders.Status  `json:"status"`
	Windows []Window        `json:"windows"`
	// KnownTo is the last slot looked at; null when not even From is known.
	KnownTo *schedule.Slot `json:"knownTo"`
	// UnknownFrom is the epoch that would have to be held for more windows.
	UnknownFrom *uint64 `json:"unknownFrom"`
}

// Quiet is the answer to GET /v1/leaders/{key}/windows.
type Quiet struct {
	Key       schedule.Pubkey `json:"key"`
	Kind      *string         `json:"kind"`
	From      schedule.Slot   `json:"from"`
	Stale     bool            `json:"stale"`
	MinSlots  uint64          `json:"minSlots"`
	Quiet     []Window        `json:"quiet"`     // of at least MinSlots slots
	Truncated bool            `json:"truncated"` // there are more
	Next      *Window         `json:"next"`      // the first that is long enough
	Now       *Window         `json:"now"`       // the one that From is in, of any length
	Longest   *Window         `json:"longest"`
	// OpenEnded: the last one reaches what is not known.
	OpenEnded   bool           `json:"openEnded"`
	AnyTime     bool           `json:"anyTime"` // the key leads nothing that is known, from the epoch of From on
	Reason      *string        `json:"reason"`  // of AnyTime
	KnownTo     *schedule.Slot `json:"knownTo"`
	UnknownFrom *uint64        `json:"unknownFrom"`
}

const (
	defaultNext    = 5
	mostNext       = 1000
	defaultWindows = 100
	mostWindows    = 1000
	// quietEpochs is how far ahead quiet windows are looked for: each epoch may have
	// very many.
	quietEpochs = 8
)

func (h *Handler) next(c *call) error {
	key, err := c.key()
	if err != nil {
		return err
	}
	n, given, err := c.number("n", 1, mostNext)
	if err != nil {
		return err
	}
	if !given {
		n = defaultNext
	}
	answer := Ahead{Key: key, Windows: []Window{}}
	if answer.From, answer.Stale, err = h.from(c); err != nil {
		return err
	}
	var found *leaders.Ahead
	// A key that leads often has its windows in an epoch or two; others are looked
	// for in more and more.
	for span := uint64(2); ; span *= 2 {
		book, last, err := h.bookFrom(answer.From, span)
		if err != nil {
			return err
		}
		var k leaders.Key
		k, answer.Kind = h.asked(key, book)
		found, err = book.Next([]leaders.Key{k}, answer.From, int(n))
		if err != nil && !errors.Is(err, schedule.ErrUnknownEpoch) && !errors.Is(err, schedule.ErrNoSlot) {
			return err
		}
		answer.UnknownFrom = h.missing(found.Unknown, last)
		if found.Unknown == nil || answer.UnknownFrom != nil || span >= mostEpochs {
			break
		}
	}
	answer.Status, answer.KnownTo = found.Status, found.KnownTo
	clock := h.clock()
	for _, w := range found.Windows {
		answer.Windows = append(answer.Windows, *window(clock, &w.Span))
	}
	return h.json(c, &answer, noCache)
}

// bookFrom returns the epochs that are held of the span that begins with that of a
// slot, and the last epoch of the span.
func (h *Handler) bookFrom(from schedule.Slot, span uint64) (b *leaders.Book, last uint64, err error) {
	es, err := h.epochSchedule()
	if err != nil {
		return nil, 0, err
	}
	first, _ := es.EpochOf(from)
	last = first + min(span-1, math.MaxUint64-first)
	b, err = h.book(first, last)
	return b, last, err
}

// missing returns the epoch where knowledge ends; nil where it was only not looked
// at, beyond the last epoch of a book.
func (h *Handler) missing(unknown *leaders.UnknownError, last uint64) *uint64 {
	if unknown == nil {
		return nil
	}
	if unknown.Epoch > last {
		if held, ok := h.c.Epochs.Summary(unknown.Epoch); ok && held.Err == nil {
			return nil
		}
	}
	return &unknown.Epoch
}

// clock returns when slots begin; a clock that knows nothing when that is not known.
func (h *Handler) clock() slotclock.Clock {
	now, ok := h.now()
	if !ok {
		return slotclock.Clock{}
	}
	return now.Clock
}

// window returns a span with its times; nil for none.
func window(clock slotclock.Clock, s *leaders.Span) *Window {
	if s == nil {
		return nil
	}
	w := &Window{
		First: s.First, Last: s.Last, Slots: s.Slots, Epoch: s.Epoch, LastEpoch: s.LastEpoch,
		Current: s.Current, AtLeast: s.AtLeast, Vintage: s.Vintage,
	}
	w.FirstTime, w.ErrorMillis = timeOf(clock, s.First)
	w.LastTime, _ = timeOf(clock, s.Last)
	if s.Last < math.MaxUint64 {
		w.EndTime, _ = timeOf(clock, s.Last+1)
	}
	return w
}

func (h *Handler) windows(c *call) error {
	key, err := c.key()
	if err != nil {
		return err
	}
	limit, given, err := c.number("limit", 1, mostWindows)
	if err != nil {
		return err
	}
	if !given {
		limit = defaultWindows
	}
	minSlots, err := h.minSlots(c)
	if err != nil {
		return err
	}
	answer := Quiet{Key: key, Quiet: []Window{}, MinSlots: minSlots}
	if answer.From, answer.Stale, err = h.from(c); err != nil {
		return err
	}
	book, last, err := h.bookFrom(answer.From, quietEpochs)
	if err != nil {
		return err
	}
	k, kind := h.asked(key, book)
	found, err := book.Quiet([]leaders.Key{k}, answer.From, minSlots)
	if err != nil && !errors.Is(err, schedule.ErrUnknownEpoch) {
		return err
	}
	answer.Kind, answer.KnownTo, answer.UnknownFrom = kind, found.KnownTo, h.missing(found.Unknown, last)
	clock := h.clock()
	for i := range found.Windows[:min(uint64(len(found.Windows)), limit)] {
		answer.Quiet = append(answer.Quiet, *window(clock, &found.Windows[i]))
	}
	answer.Truncated = uint64(len(found.Windows)) > limit
	answer.Next, answer.Now, answer.Longest = window(clock, found.Next()), window(clock, found.Now), window(clock, found.Longest)
	answer.OpenEnded, answer.AnyTime = found.Tail != nil, found.AnyTime
	if found.Reason != "" {
		reason := string(found.Reason)
		answer.Reason = &reason
	}
	return h.json(c, &answer, noCache)
}

// minSlots reads the parameter min: a number of slots, or a duration, which takes a
// clock that knows how long slots are.
func (h *Handler) minSlots(c *call) (uint64, error) {
	text := c.query.Get("min")
	if text == "" {
		return 1, nil
	}
	if strings.Trim(text, "0123456789") == "" {
		slots, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return 0, badf("min", "min is %s slots, more than there are", shorten(text))
		}
		return slots, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return 0, badf("min", "min is %q, want a duration such as 10m or 1h30m, or a number of slots", shorten(text))
	}
	now, err := h.current()
	if err != nil {
		return 0, err
	}
	slots, err := leaders.MinSlots(now.Clock, d)
	if err != nil {
		return 0, badf("min", "min is %s: %v", shorten(text), err)
	}
	return slots, nil
}
