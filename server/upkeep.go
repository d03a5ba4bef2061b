package server

import (
	"context"
	"strings"

	"github.com/schedgen/schedgen/server/splice"
)

// upkeep logs when readiness changes, and makes what clients ask for most before
// they do, so that the first one to ask after a boundary or a start need not wait.
func (s *Server) upkeep(ctx context.Context) error {
	said, ready, ever := "", false, false
	for {
		s.warm()
		why := strings.Join(s.Ready(), "; ")
		switch {
		case ctx.Err() != nil:
			return nil
		case why == "" && !ready:
			s.log.Info("ready")
		case why == "" || why == said:
		case !ever:
			s.log.Info("not ready yet", "reason", why)
		default:
			s.log.Warn("not ready", "reason", why)
		}
		said, ready = why, why == ""
		ever = ever || ready
		if !sleep(ctx, s.every.upkeep) {
			return nil
		}
	}
}

// warm derives the current and the next epoch, and prints what getLeaderSchedule
// answers about them. What cannot be is no matter here: whoever asks is told.
func (s *Server) warm() {
	now, ok := s.clock.Now()
	es := s.epochs.EpochSchedule()
	if !ok || es.SlotsPerEpoch == 0 {
		return
	}
	epoch, _ := es.EpochOf(now.Slot)
	for _, n := range []uint64{epoch, epoch + 1} {
		if e, err := s.epochs.Epoch(n); err == nil {
			_, _ = e.Result(false, splice.Gzip)
		}
	}
}
