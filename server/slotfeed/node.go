package slotfeed

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/slotclock"
)

// A Validator is what a Node asks: a [*noderpc.Client].
type Validator interface {
	// Address returns where it is, without credentials.
	Address() string
	// Slot asks for the slot of a commitment.
	Slot(context.Context, noderpc.Commitment) (schedule.Slot, error)
	// Clock measures how long slots last.
	Clock(context.Context) (slotclock.Clock, error)
}

// NodeOptions say how a validator is followed. A zero value of a field is its
// default.
type NodeOptions struct {
	// WebSocket is where the validator notifies of slots, ws or wss; see
	// [WebSocketAddress]. Without one, and whenever it does not work, the validator
	// is asked.
	WebSocket string
	// Header is sent when the WebSocket opens, such as an Authorization.
	Header http.Header
	// PollEvery is the time between two questions: 1 s. One takes three calls, or
	// two while the WebSocket works.
	PollEvery time.Duration
	// Timeout limits each question, and the opening of the WebSocket: 5 s.
	Timeout time.Duration
	// MostWait limits the waits after failures, which double: 30 s.
	MostWait time.Duration
	// StaleAfter is after how long without a new slot the slot counts as out of
	// date: 20 s.
	StaleAfter time.Duration
	// Settle is how long a validator has to keep to slots that do not follow from
	// those before, until it is believed: 15 s.
	Settle time.Duration
	// ClockEvery is the time between two measurements of the duration of slots:
	// 5 min.
	ClockEvery time.Duration
	// PerSlot is the duration of a slot until it is measured: 400 ms.
	PerSlot time.Duration
	// Now tells the time: time.Now.
	Now func() time.Time
	// Log gets what goes wrong, once each time: nowhere.
	Log *slog.Logger
}

func (o NodeOptions) withDefaults() NodeOptions {
	for _, d := range []struct {
		field   *time.Duration
		whenNot time.Duration
	}{
		{&o.PollEvery, time.Second},
		{&o.Timeout, 5 * time.Second},
		{&o.MostWait, 30 * time.Second},
		{&o.StaleAfter, 20 * time.Second},
		{&o.Settle, 15 * time.Second},
		{&o.ClockEvery, 5 * time.Minute},
		{&o.PerSlot, 400 * time.Millisecond},
	} {
		if *d.field <= 0 {
			*d.field = d.whenNot
		}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

// A Node is a feed that follows a validator while [Node.Run] runs.
//
// What the validator says is believed when it goes on from what it said before.
// Slots that are lower, or that are farther ahead than slots can have run, are
// left out of account until it has kept to them for a while; a slot that does not
// rise becomes stale. The last slot known stays the answer meanwhile.
type Node struct {
	validator Validator
	o         NodeOptions
	log       *slog.Logger
	hub       hub

	mu    sync.Mutex
	line  line
	pace  pace
	push  bool      // the WebSocket notifies of slots
	heard time.Time // when it last did
	stale bool      // as it was logged
}

// NewNode returns a feed that knows nothing until it runs.
func NewNode(v Validator, o NodeOptions) *Node {
	o = o.withDefaults()
	return &Node{
		validator: v, o: o,
		log:  o.Log.With("node", v.Address()),
		line: line{settle: o.Settle},
		pace: pace{clock: slotclock.Assume(0, time.Time{}, o.PerSlot)},
	}
}

// Run follows the validator until the context ends, and then ends all
// subscriptions. It returns why the context ended, and is called once.
func (n *Node) Run(ctx context.Context) error {
	var loops sync.WaitGroup
	loops.Go(func() { n.poll(ctx) })
	loops.Go(func() { n.measure(ctx) })
	if n.o.WebSocket != "" {
		loops.Go(func() { n.listen(ctx) })
	}
	loops.Wait()
	n.hub.close()
	return context.Cause(ctx)
}

// Now is the method of [Feed].
func (n *Node) Now() (Now, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	l := &n.line
	if !l.committed {
		return Now{}, false
	}
	now := Now{
		Slot: l.tip.slot, Confirmed: l.confirmed, Finalized: l.finalized,
		At: l.tip.rose, Clock: n.pace.clock, Source: n.source(),
	}
	if t := n.o.Now(); t.Sub(l.tip.rose) > n.o.StaleAfter {
		now.Stale = true
		if expected := now.Clock.SlotAt(t); expected > now.Slot {
			now.Behind = uint64(expected - now.Slot)
		}
	}
	return now, true
}

func (n *Node) source() string {
	if n.push {
		return n.validator.Address() + ", slotSubscribe"
	}
	return n.validator.Address() + ", getSlot every " + n.o.PollEvery.String()
}

// Subscribe is the method of [Feed]. Where slots are asked for, a tick may be many
// slots after the one before, and its parent is the slot before it.
func (n *Node) Subscribe() (<-chan Tick, func()) { return n.hub.subscribe() }

// report takes in a processed slot that began at a time or before.
func (n *Node) report(t Tick, heard, began time.Time) {
	n.mu.Lock()
	defer n.mu.Unlock()
	last, contested := n.line.tip.slot, n.line.rival.reports > 0
	switch n.line.report(t.Slot, heard) {
	case rose:
		n.pace.saw(t.Slot, began)
	case switched:
		n.log.Warn("the node keeps to slots that do not follow from those before: believed now", "slot", t.Slot, "before", last)
		n.pace.set(t.Slot, began)
	case ignored:
		if !contested && n.line.rival.reports > 0 {
			n.log.Debug("a slot that does not follow is left out of account", "slot", t.Slot, "before", last)
		}
		return
	case stood:
		return
	}
	if n.stale {
		n.stale = false
		n.log.Info("slots rise again", "slot", t.Slot)
	}
	if t.Root > t.Slot {
		t.Root = min(n.line.finalized, t.Slot)
	}
	if t.Parent >= t.Slot {
		t.Parent = before(t.Slot, 1)
	}
	n.hub.send(t)
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
