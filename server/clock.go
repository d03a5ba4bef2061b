package server

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server/slotfeed"
	"github.com/schedgen/schedgen/slotclock"
)

// noClock is a feed of a service that nobody tells the slot.
type noClock struct{}

func (noClock) Now() (slotfeed.Now, bool) { return slotfeed.Now{}, false }

func (noClock) Subscribe() (<-chan slotfeed.Tick, func()) {
	ticks := make(chan slotfeed.Tick)
	return ticks, sync.OnceFunc(func() { close(ticks) })
}

// The slots of the example: as if epoch 900 had begun with the year 2026, so that they
// go on from one start to the next.
const (
	exampleSlot    schedule.Slot = 900 * exampleSlots
	exampleSlots                 = 432_000
	examplePerSlot               = 400 * time.Millisecond
)

var exampleBegan = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// exampleClock returns the clock of the example at a time. It is right near that time,
// as if somebody had measured it.
func exampleClock(now time.Time) slotclock.Clock {
	c := slotclock.Assume(exampleSlot, exampleBegan, examplePerSlot)
	slot := c.SlotAt(now)
	c.Slot, c.At, c.AtError = slot, c.TimeOf(slot).Time, 0
	c.RelError, c.Jitter = 0.001, 0
	c.Basis = "made up: " + examplePerSlot.String() + " a slot"
	return c
}

// openClock makes what tells the slot, and what runs for it.
func (s *Server) openClock() error {
	anchor := s.c.Anchor
	if s.c.Example && anchor == nil {
		made := exampleClock(s.c.Now())
		anchor = &made
	}
	switch {
	case s.c.Clock != nil:
		s.clock = s.c.Clock
	case anchor != nil:
		a, err := slotfeed.NewAnchor(*anchor, s.c.Now)
		if err != nil {
			return err
		}
		s.clock = a
		s.onClose(func() error { a.Close(); return nil })
	case s.c.Node != "":
		return s.openNodeClock()
	default:
		s.clock = noClock{}
		s.log.Warn("nobody tells which slot it is: only what names its slot or epoch is answered")
	}
	return nil
}

// openNodeClock follows the slots of the node. It asks anew itself, so that one call
// is not repeated.
func (s *Server) openNodeClock() error {
	o := s.c.NodeOptions
	o.Retries = -1
	client, err := noderpc.Dial(s.c.Node, o)
	if err != nil {
		return fmt.Errorf("node: %w", err)
	}
	s.onClose(func() error { client.Close(); return nil })
	webSocket, err := slotfeed.WebSocketAddress(s.c.Node)
	if err != nil {
		s.log.Info("the node is asked for its slot", "node", client.Address(), "reason", err)
	}
	node := slotfeed.NewNode(client, slotfeed.NodeOptions{
		WebSocket: webSocket, Header: o.Header, Now: s.c.Now, Log: s.log.With("room", "slots"),
	})
	s.clock = node
	s.background("slots", func(ctx context.Context) error { return node.Run(ctx) })
	return nil
}
