package pagetest

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/schedgen/schedgen/schedule"
)

// stamp is the form of times: RFC 3339 in UTC with milliseconds.
const stamp = "2006-01-02T15:04:05.000Z"

func (s *Server) status(w http.ResponseWriter, _ *http.Request) {
	f := s.current()
	held := make([]uint64, 0, len(s.epochs))
	for _, e := range s.epochs {
		held = append(held, e.Epoch())
	}
	status := map[string]any{
		"cluster": "mainnet-beta", "genesisHash": schedule.Pubkey{1}.String(), "version": "0.0.0",
		"epochSchedule": s.options.Schedule, "clock": nil, "held": held, "ready": !f.NotReady, "upstream": nil,
	}
	if !f.NoClock {
		status["clock"] = s.now(f)
	}
	if f.Differs {
		status["upstream"] = map[string]any{
			"address": "node.invalid:8899", "epoch": s.options.Epoch, "equal": false,
			"digest": fmt.Sprintf("%064x", 1), "ours": s.Digest(s.options.Epoch),
		}
	}
	answer(w, status)
}

func (s *Server) now(f Faults) map[string]any {
	slot := s.clock.SlotAt(time.Now())
	epoch, index := s.options.Schedule.EpochOf(slot)
	begins := s.clock.TimeOf(slot)
	return map[string]any{
		"slot": slot, "epoch": epoch, "slotIndex": index, "slotsInEpoch": s.options.Schedule.SlotsIn(epoch),
		"time": begins.Time.Format(stamp), "slotMillis": millis(s.clock.PerSlot),
		"errorMillis": millis(begins.Band), "relError": s.clock.RelError,
		"source": "node.invalid:8899", "basis": s.clock.Basis, "stale": f.Stale, "assumed": s.clock.Assumed,
	}
}

func (s *Server) slot(w http.ResponseWriter, r *http.Request) {
	number, err := strconv.ParseUint(r.PathValue("slot"), 10, 64)
	if err != nil {
		problem(w, r, http.StatusBadRequest, "Bad slot", "want a slot number")
		return
	}
	slot := schedule.Slot(number)
	epoch, index := s.options.Schedule.EpochOf(slot)
	leader, vote := s.Leader(slot)
	if leader == "" {
		problem(w, r, http.StatusNotFound, "Epoch not known", fmt.Sprintf("no stakes are held for epoch %d", epoch))
		return
	}
	at := s.clock.TimeOf(slot)
	answer(w, map[string]any{
		"slot": slot, "epoch": epoch, "slotIndex": index, "rotation": uint64(index) / schedule.DefaultRepeat,
		"leader": leader, "voteAccount": vote, "time": at.Time.Format(stamp), "errorMillis": millis(at.Band),
	})
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
