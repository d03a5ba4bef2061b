package pagetest

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/schedgen/schedgen/leaders"
	"github.com/schedgen/schedgen/schedule"
)

// key returns whose slots a request is about, or answers that it is no key.
func (s *Server) key(w http.ResponseWriter, r *http.Request) (leaders.Key, bool) {
	p, err := schedule.ParsePubkey(r.PathValue("key"))
	if err != nil {
		problem(w, r, http.StatusBadRequest, "Bad key", err.Error())
		return leaders.Key{}, false
	}
	for _, e := range s.epochs {
		for _, entry := range e.Stakes().All() {
			if entry.Key == p && entry.Node != p {
				return leaders.Vote(p), true
			}
		}
	}
	return leaders.Identity(p), true
}

// from returns the slot that a request asks from: the present one by default.
func (s *Server) from(r *http.Request) schedule.Slot {
	if slot, err := strconv.ParseUint(r.URL.Query().Get("from"), 10, 64); err == nil {
		return schedule.Slot(slot)
	}
	return s.clock.SlotAt(time.Now())
}

// timed is a range of slots with when its first and last begin.
func (s *Server) timed(span leaders.Span) map[string]any {
	first, last := s.clock.TimeOf(span.First), s.clock.TimeOf(span.Last)
	m := map[string]any{
		"first": span.First, "last": span.Last, "slots": span.Slots, "epoch": span.Epoch,
		"firstTime": nil, "lastTime": nil, "errorMillis": nil, "atLeast": span.AtLeast,
	}
	if !s.current().NoClock {
		m["firstTime"], m["lastTime"] = first.Time.Format(stamp), last.Time.Format(stamp)
		m["errorMillis"] = millis(first.Band)
	}
	return m
}

func (s *Server) next(w http.ResponseWriter, r *http.Request) {
	key, ok := s.key(w, r)
	if !ok {
		return
	}
	n, err := strconv.Atoi(r.URL.Query().Get("n"))
	if err != nil {
		n = 5
	}
	from := s.from(r)
	ahead, err := s.book.Next([]leaders.Key{key}, from, n)
	if ahead == nil {
		problem(w, r, http.StatusBadRequest, "Bad question", err.Error())
		return
	}
	windows := make([]map[string]any, 0, len(ahead.Windows))
	for _, window := range ahead.Windows {
		windows = append(windows, s.timed(window.Span))
	}
	body := map[string]any{
		"key": key.Pubkey, "from": from, "status": ahead.Status, "windows": windows, "unknownFrom": nil,
	}
	var unknown *leaders.UnknownError
	if errors.As(err, &unknown) {
		body["unknownFrom"] = unknown.Epoch
	}
	answer(w, body)
}

func (s *Server) windows(w http.ResponseWriter, r *http.Request) {
	key, ok := s.key(w, r)
	if !ok {
		return
	}
	length, err := time.ParseDuration(r.URL.Query().Get("min"))
	if err != nil {
		problem(w, r, http.StatusBadRequest, "Bad duration", fmt.Sprintf("min: %v, want one like 10m", err))
		return
	}
	least, err := leaders.MinSlots(s.clock, length)
	if err != nil {
		problem(w, r, http.StatusBadRequest, "Bad duration", err.Error())
		return
	}
	from := s.from(r)
	quiet, err := s.book.Quiet([]leaders.Key{key}, from, least)
	if quiet == nil {
		problem(w, r, http.StatusBadRequest, "Bad question", err.Error())
		return
	}
	all := make([]map[string]any, 0, len(quiet.Windows))
	for _, span := range quiet.Windows {
		all = append(all, s.timed(span))
	}
	answer(w, map[string]any{
		"key": key.Pubkey, "from": from, "minSlots": least, "quiet": all,
		"next": s.timedOrNil(quiet.Next()), "longest": s.timedOrNil(quiet.Longest),
		"openEnded": s.timedOrNil(quiet.Tail), "anyTime": quiet.AnyTime, "reason": quiet.Reason,
	})
}

func (s *Server) timedOrNil(span *leaders.Span) any {
	if span == nil {
		return nil
	}
	return s.timed(*span)
}
