package server

import (
	"context"
	"fmt"
	"time"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes"
	"github.com/schedgen/schedgen/stakes/electorate"
	"github.com/schedgen/schedgen/stakes/list"
)

// withExample completes a configuration for the example. Its cluster has no name,
// because no stake of it is anybody's, and the epochs of mainnet-beta.
func (c Config) withExample() (Config, error) {
	if !c.Example {
		return c, nil
	}
	if c.EpochSchedule == (schedule.EpochSchedule{}) {
		es, err := schedule.NewEpochSchedule(exampleSlots, exampleSlots, false)
		if err != nil {
			return c, err
		}
		c.EpochSchedule = es
	}
	c.Cluster = ""
	if c.Terms.KeyedBy == "" || c.Terms.KeyedBy == electorate.KeyedByAuto {
		c.Terms.KeyedBy = schedule.KeyedByVote.String()
	}
	c.Terms.Cluster, c.Terms.Exact = "", false
	return c, nil
}

// putExample gives the example list to the epochs around the current one, and to
// further ones as they come near, until the context ends.
func (s *Server) putExample(ctx context.Context) error {
	set, err := stakes.Open(ctx, stakes.Example, stakes.Options{})
	if err != nil {
		return err
	}
	for {
		if now, ok := s.clock.Now(); ok {
			epoch, _ := s.epochs.EpochSchedule().EpochOf(now.Slot)
			for n := epoch - min(epoch, 1); n <= epoch+1; n++ {
				if err := s.putExampleIn(set.Lists[0], n); err != nil {
					return err
				}
			}
		}
		s.loaded.Store(true)
		if !sleep(ctx, s.every.example) {
			return nil
		}
	}
}

func (s *Server) putExampleIn(l list.List, epoch uint64) error {
	if _, held := s.epochs.Summary(epoch); held {
		return nil
	}
	l.Provenance.Epoch = &epoch
	if _, err := s.epochs.Put(&l); err != nil {
		return fmt.Errorf("example: epoch %d: %w", epoch, err)
	}
	return nil
}

// sleep waits, and reports whether the context goes on.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
