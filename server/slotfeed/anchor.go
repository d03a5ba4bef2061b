package slotfeed

import (
	"errors"
	"sync"
	"time"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/slotclock"
)

// ErrClock: a clock whose slots take no time.
var ErrClock = errors.New("clock without a duration of slots")

// FinalizedLag is by how many slots an anchor's finalized slot is behind the
// processed one: the depth of lockouts at which a vote makes a root.
const FinalizedLag = 32

// An Anchor is a feed that computes the slot from a clock. A clock knows no forks,
// so that the confirmed slot is the processed one; the finalized one is
// [FinalizedLag] slots before. It goes by the wall clock alone: when that is set
// back, so is the slot.
type Anchor struct {
	clock slotclock.Clock
	now   func() time.Time
	hub   hub

	mu     sync.Mutex
	subs   int
	stop   chan struct{} // ends the goroutine that runs while subs > 0
	closed bool
}

// NewAnchor returns the feed of a clock such as [slotclock.Assume] makes. now
// tells the time; nil is time.Now. The error is an ErrClock.
func NewAnchor(clock slotclock.Clock, now func() time.Time) (*Anchor, error) {
	if clock.PerSlot <= 0 {
		return nil, ErrClock
	}
	if now == nil {
		now = time.Now
	}
	return &Anchor{clock: clock, now: now}, nil
}

// Now is never unknown and never stale.
func (a *Anchor) Now() (Now, bool) {
	t := a.now()
	slot := a.clock.SlotAt(t)
	return Now{
		Slot: slot, Confirmed: slot, Finalized: before(slot, FinalizedLag),
		At: t, Clock: a.clock, Source: "anchor, " + a.clock.Basis,
	}, true
}

// Subscribe is the method of [Feed]. A slot's parent is the slot before it.
func (a *Anchor) Subscribe() (<-chan Tick, func()) {
	ticks, cancel := a.hub.subscribe()
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		return ticks, cancel
	}
	if a.subs++; a.subs == 1 {
		a.stop = make(chan struct{})
		go a.run(a.stop, a.clock.SlotAt(a.now()))
	}
	return ticks, sync.OnceFunc(func() {
		cancel()
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.subs--; a.subs == 0 && !a.closed {
			close(a.stop)
		}
	})
}

// Close ends all subscriptions.
func (a *Anchor) Close() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.closed && a.subs > 0 {
		close(a.stop)
	}
	a.closed = true
	a.hub.close()
}

// Waits are not shorter than what a timer keeps to, and not longer than it may
// take to see that the wall clock was set.
const (
	leastWait = time.Millisecond
	mostWait  = time.Second
)

// run sends the slots after last.
func (a *Anchor) run(stop <-chan struct{}, last schedule.Slot) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		next := a.clock.TimeOf(last + 1).Time
		timer.Reset(min(max(next.Sub(a.now()), leastWait), mostWait))
		select {
		case <-stop:
			return
		case <-timer.C:
		}
		slot := a.clock.SlotAt(a.now())
		if slot != last {
			a.hub.send(Tick{Slot: slot, Parent: before(slot, 1), Root: before(slot, FinalizedLag)})
			last = slot
		}
	}
}
