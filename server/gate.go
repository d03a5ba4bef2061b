package server

import (
	"context"
	"sync/atomic"
	"time"
)

// A gate lets a number of requests through at a time; some others wait.
type gate struct {
	places  chan struct{}
	queue   int64
	wait    time.Duration
	waiting atomic.Int64
}

func newGate(l *Limits) *gate {
	return &gate{places: make(chan struct{}, l.MaxConcurrent), queue: int64(l.MaxQueue), wait: l.QueueWait}
}

// enter waits for a place; false when there is none for too long, or too many wait.
func (g *gate) enter(ctx context.Context) bool {
	select {
	case g.places <- struct{}{}:
		return true
	default:
	}
	if g.waiting.Add(1) > g.queue {
		g.waiting.Add(-1)
		return false
	}
	defer g.waiting.Add(-1)
	timer := time.NewTimer(g.wait)
	defer timer.Stop()
	select {
	case g.places <- struct{}{}:
		return true
	case <-timer.C:
	case <-ctx.Done():
	}
	return false
}

func (g *gate) leave() { <-g.places }

// counts returns how many are inside, and how many wait.
func (g *gate) counts() (inside, waiting int) { return len(g.places), int(g.waiting.Load()) }
