package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes"
	"github.com/schedgen/schedgen/stakes/list"
)

// Clients that ask without a pause, over many boundaries of short epochs, never get an
// error or a leader that is not the one derived from the same stakes.
func TestBoundaries(t *testing.T) {
	set, err := stakes.Open(t.Context(), stakes.Example, stakes.Options{})
	if err != nil {
		t.Fatal(err)
	}
	boundaries := uint64(50)
	if shorter() {
		boundaries = 8
	}
	for _, c := range []struct {
		name string
		es   schedule.EpochSchedule
	}{
		{"32 slots", mustSchedule(t, 32, false)},
		{"200 slots", mustSchedule(t, 200, false)},
		{"432 slots", mustSchedule(t, 432, false)},
		{"200 slots after warm-up", mustSchedule(t, 200, true)},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			crossBoundaries(t, set.Lists[0], c.es, boundaries)
		})
	}
}

// A world is what is true: the leader of each slot, and what getLeaderSchedule answers
// about each epoch.
type world struct {
	es      schedule.EpochSchedule
	leaders []string
	results []string
}

func newWorld(t *testing.T, l list.List, es schedule.EpochSchedule, epochs uint64) *world {
	w := &world{es: es}
	for epoch := range epochs {
		s := derived(t, l, epoch, es)
		for _, leader := range s.All() {
			w.leaders = append(w.leaders, leader.String())
		}
		var b bytes.Buffer
		if err := s.Write(&b, schedule.FormatRPC); err != nil {
			t.Fatal(err)
		}
		w.results = append(w.results, string(bytes.TrimSpace(b.Bytes())))
	}
	return w
}

func crossBoundaries(t *testing.T, l list.List, es schedule.EpochSchedule, boundaries uint64) {
	w := newWorld(t, l, es, boundaries+2)
	hands := newWall()
	s := started(t, Config{Example: true, EpochSchedule: es, Anchor: anchored(0), Now: hands.now})
	s.waitReady()
	end := make(chan struct{})
	var clients sync.WaitGroup
	asked := make([]int, len(questions))
	for i, ask := range questions {
		clients.Go(func() {
			for {
				select {
				case <-end:
					return
				default:
				}
				switch err := ask(s, w); {
				case err == nil:
					asked[i]++
				case errors.Is(err, errNotYet):
					time.Sleep(100 * time.Microsecond)
				default:
					t.Error(err)
					return
				}
			}
		})
	}
	clock := anchored(0)
	for epoch := uint64(0); epoch < boundaries && !t.Failed(); epoch++ {
		// Stakes of the next epoch are there long before it begins, and the example's
		// come within moments.
		eventually(t, fmt.Sprint("epoch ", epoch+1), func() bool {
			_, held := s.epochs.Summary(epoch + 1)
			return held
		})
		for at := range steps(es.FirstSlot(epoch), es.SlotsIn(epoch)) {
			hands.set(clock.TimeOf(at).Time)
			time.Sleep(200 * time.Microsecond)
		}
	}
	close(end)
	clients.Wait()
	t.Logf("asked %v times", asked)
	for i, n := range asked {
		if n < int(boundaries)/2 && !t.Failed() {
			t.Errorf("question %d was asked %d times in %d epochs: this shows little", i, n, boundaries)
		}
	}
	if why := s.Ready(); len(why) > 0 {
		t.Errorf("not ready: %q", why)
	}
}

// steps yields slots of an epoch, every one around its boundaries.
func steps(first schedule.Slot, slots uint64) func(func(schedule.Slot) bool) {
	return func(yield func(schedule.Slot) bool) {
		for i := uint64(0); i < slots; i++ {
			if i > 8 && i+8 < slots && i%16 != 0 {
				continue
			}
			if !yield(first + schedule.Slot(i)) {
				return
			}
		}
		yield(first + schedule.Slot(slots)) // of the next epoch
	}
}

// slot returns the current slot, as the service's clock has it.
func (s *service) slot() schedule.Slot {
	now, _ := s.clock.Now()
	return now.Slot
}

// errNotYet says that there was nothing to ask.
var errNotYet = errors.New("not yet")

// questions are what clients ask; each returns what is wrong with the answer.
var questions = []func(*service, *world) error{
	func(s *service, w *world) error { // getSlotLeader
		before := s.slot()
		got, err := s.tryCall("getSlotLeader", `[{"commitment":"processed"}]`)
		after := s.slot()
		if err != nil {
			return err
		}
		for slot := before; slot <= after; slot++ {
			if got == strconv.Quote(w.leaders[slot]) {
				return nil
			}
		}
		return fmt.Errorf("getSlotLeader at slot %d to %d: %s", before, after, got)
	},
	func(s *service, w *world) error { // getSlotLeaders across the boundary
		held := s.epochs.Held()
		last := held[len(held)-1].LastSlot
		start := s.slot()
		start -= min(start, 20)
		limit := min(uint64(last-start)+1, 300)
		got, err := s.tryCall("getSlotLeaders", fmt.Sprintf("[%d,%d]", start, limit))
		if err != nil {
			return err
		}
		var leaders []string
		if err := json.Unmarshal([]byte(got), &leaders); err != nil {
			return fmt.Errorf("getSlotLeaders(%d, %d): %s", start, limit, got)
		}
		if want := w.leaders[start : uint64(start)+limit]; !slices.Equal(leaders, want) {
			return fmt.Errorf("getSlotLeaders(%d, %d): wrong leaders", start, limit)
		}
		return nil
	},
	func(s *service, w *world) error { // getLeaderSchedule of now
		before := s.slot()
		got, err := s.tryCall("getLeaderSchedule", `[null,{"commitment":"processed"}]`)
		after := s.slot()
		if err != nil {
			return err
		}
		first, _ := w.es.EpochOf(before)
		last, _ := w.es.EpochOf(after)
		if !slices.Contains(w.results[first:last+1], got) {
			return fmt.Errorf("getLeaderSchedule at slot %d to %d: %.100s", before, after, got)
		}
		return nil
	},
	func(s *service, w *world) error { // of the finalized slot, which is behind
		before := s.slot()
		got, err := s.tryCall("getLeaderSchedule", `[]`)
		after := s.slot()
		if err != nil {
			return err
		}
		first, _ := w.es.EpochOf(before - min(before, 32))
		last, _ := w.es.EpochOf(after)
		if !slices.Contains(w.results[first:last+1], got) {
			return fmt.Errorf("getLeaderSchedule at slot %d to %d: %.100s", before, after, got)
		}
		return nil
	},
	func(s *service, w *world) error { // of the next epoch, while it is that
		epoch, _ := w.es.EpochOf(s.slot())
		if _, held := s.epochs.Summary(epoch + 1); !held {
			return errNotYet
		}
		got, err := s.tryCall("getLeaderSchedule", fmt.Sprintf("[%d]", w.es.FirstSlot(epoch+1)))
		if err != nil {
			return err
		}
		if got != w.results[epoch+1] {
			return fmt.Errorf("getLeaderSchedule of epoch %d: %.100s", epoch+1, got)
		}
		return nil
	},
	func(s *service, w *world) error { // REST
		slot := s.slot()
		r, err := s.try(http.MethodGet, fmt.Sprint("/v1/slots/", slot), "")
		if err != nil {
			return err
		}
		var answer struct{ Leader string }
		if err := json.Unmarshal([]byte(r.body), &answer); err != nil || r.status != http.StatusOK || answer.Leader != w.leaders[slot] {
			return fmt.Errorf("slot %d: %d %s", slot, r.status, r.body)
		}
		return nil
	},
	func(s *service, _ *world) error { // health and readiness
		for _, path := range []string{"/readyz", "/health"} {
			r, err := s.try(http.MethodGet, path, "")
			if err != nil {
				return err
			}
			if r.status != http.StatusOK || path == "/health" && r.body != "ok" {
				return fmt.Errorf("%s: %d %s", path, r.status, r.body)
			}
		}
		return nil
	},
}
