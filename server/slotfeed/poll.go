package slotfeed

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/schedule"
)

// A backoff is the wait after a failure: twice the one before, up to most, and
// shortened by up to a half at random.
type backoff struct{ least, most, next time.Duration }

func (b *backoff) failed() time.Duration {
	b.next = min(max(2*b.next, b.least), max(b.most, b.least))
	return b.next - rand.N(b.next/2+1)
}

func (b *backoff) worked() { b.next = 0 }

// poll asks for slots until the context ends.
func (n *Node) poll(ctx context.Context) {
	wait := backoff{least: n.o.PollEvery, most: n.o.MostWait}
	failing := false
	for {
		err := n.ask(ctx)
		pause := n.o.PollEvery
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			if pause = wait.failed(); !failing {
				n.log.Warn("the node does not tell its slot", "error", err)
			}
		default:
			if wait.worked(); failing {
				n.log.Info("the node tells its slot again")
			}
		}
		failing = err != nil
		n.checkStale()
		if !sleep(ctx, pause) {
			return
		}
	}
}

// ask asks for the slots of all commitments, lower ones first, so that none is
// behind the one it should be ahead of. The processed one comes from the
// WebSocket while that works.
func (n *Node) ask(ctx context.Context) error {
	finalized, err := n.slot(ctx, noderpc.Finalized)
	if err != nil {
		return err
	}
	confirmed, err := n.slot(ctx, noderpc.Confirmed)
	if err != nil {
		return err
	}
	if !n.pushed() {
		asked := n.o.Now()
		slot, err := n.slot(ctx, noderpc.Processed)
		if err != nil {
			return err
		}
		heard := n.o.Now()
		// The answer is from about the middle of the call, and of the slot.
		began := asked.Add(heard.Sub(asked)/2 - n.perSlot()/2)
		n.report(Tick{Slot: slot, Parent: before(slot, 1), Root: min(finalized, slot)}, heard, began)
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.line.commit(confirmed, finalized)
	return nil
}

func (n *Node) slot(ctx context.Context, c noderpc.Commitment) (schedule.Slot, error) {
	ctx, cancel := context.WithTimeout(ctx, n.o.Timeout)
	defer cancel()
	return n.validator.Slot(ctx, c)
}

// pushed reports whether the WebSocket has notified of a slot lately.
func (n *Node) pushed() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.push && n.o.Now().Sub(n.heard) < 3*n.o.PollEvery
}

func (n *Node) perSlot() time.Duration {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.pace.clock.PerSlot
}

// checkStale logs when slots have not risen for long.
func (n *Node) checkStale() {
	now, ok := n.Now()
	n.mu.Lock()
	defer n.mu.Unlock()
	if ok && now.Stale && !n.stale {
		n.stale = true
		n.log.Warn("slots do not rise", "slot", now.Slot, "since", now.At)
	}
}

// measure measures the duration of slots until the context ends.
func (n *Node) measure(ctx context.Context) {
	wait := backoff{least: n.o.PollEvery, most: n.o.ClockEvery}
	failing := false
	for {
		pause := n.o.ClockEvery
		asking, cancel := context.WithTimeout(ctx, 4*n.o.Timeout) // several calls
		clock, err := n.validator.Clock(asking)
		cancel()
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			if pause = wait.failed(); !failing {
				n.log.Info("the duration of slots is not measured", "error", err)
			}
		default:
			wait.worked()
			n.mu.Lock()
			n.pace.measured(clock)
			n.mu.Unlock()
		}
		failing = err != nil
		if !sleep(ctx, pause) {
			return
		}
	}
}
