package feed

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/schedule"
)

// A comparison is what was found of an epoch's schedule, and when to look again.
type comparison struct {
	last   Upstream
	stored time.Time // when the stakes were that it was made with
	attempt
	said string // what was logged last
}

// compareAll compares schedules until the context ends.
func (n *Node) compareAll(ctx context.Context) {
	for {
		pause := n.o.PollEvery
		if !n.compareDue(ctx) {
			pause = min(pause, time.Second)
		}
		if ctx.Err() != nil || !sleep(ctx, pause) {
			return
		}
	}
}

// compareDue compares what is due of the current and the next epoch: what was not,
// what has changed, what failed a while ago, and everything now and then. It reports
// whether it is known which epochs these are.
func (n *Node) compareDue(ctx context.Context) bool {
	n.mu.Lock()
	known, epoch := n.place.known, n.place.epoch
	n.mu.Unlock()
	if !known {
		return false
	}
	for e := range n.checks {
		if !follows(epoch, e) {
			delete(n.checks, e)
		}
	}
	n.publish(epoch)
	for _, e := range []uint64{epoch, epoch + 1} {
		c := n.checks[e]
		held, ok := n.feed.o.Registry.Summary(e)
		if c == nil || ok && !held.StoredAt.Equal(c.stored) {
			c = &comparison{attempt: attempt{wait: backoff{least: n.o.PollEvery, most: max(10*n.o.PollEvery, n.o.MostWait)}}}
			n.checks[e] = c
		}
		if !c.due(n.feed.o.Now()) {
			continue
		}
		c.stored = held.StoredAt
		u := n.compareOne(ctx, e, &c.last)
		if ctx.Err() != nil {
			return true
		}
		n.settle(c, u)
		n.publish(epoch)
	}
	return true
}

// compareOne compares the schedule of an epoch. What cannot be compared now is as it
// was found before, beside the error.
func (n *Node) compareOne(ctx context.Context, epoch uint64, last *Upstream) Upstream {
	held, err := n.feed.o.Registry.Epoch(epoch)
	if err != nil {
		return Upstream{Epoch: epoch, Err: err}
	}
	u, err := n.ask(ctx, held.Schedule())
	digest := held.Digest()
	if err != nil && !errors.Is(err, ErrPartial) {
		u = Upstream{Epoch: epoch}
		if last.Ours != nil && *last.Ours == digest {
			u = *last
		}
	}
	u.Ours, u.Err = &digest, err
	return u
}

// ask asks the validator, if it is of the cluster, for its schedule and compares it.
func (n *Node) ask(ctx context.Context, ours *schedule.Schedule) (Upstream, error) {
	ctx, cancel := context.WithTimeout(ctx, n.o.ReadTimeout)
	defer cancel()
	if _, err := n.identify(ctx); err != nil {
		return Upstream{}, err
	}
	first := ours.FirstSlot()
	answer, err := n.client.LeaderSchedule(ctx, &first, nil)
	if err != nil {
		return Upstream{}, err
	}
	u, err := compare(ours, answer)
	if err != nil {
		err = fmt.Errorf("%s: epoch %d: %w", n.client.Address(), ours.Epoch(), err)
	}
	return u, err
}

// settle notes, logs and passes on what was found.
func (n *Node) settle(c *comparison, u Upstream) {
	now := n.feed.o.Now()
	u.Address, u.CheckedAt = n.client.Address(), now
	c.last = u
	if u.Err == nil {
		c.worked()
		c.next = now.Add(n.o.CheckEvery)
	} else {
		c.failed(now)
	}
	n.say(c, &u)
	if n.feed.o.OnUpstream != nil {
		n.feed.o.OnUpstream(u)
	}
}

// say logs what was found, unless it was found before.
func (n *Node) say(c *comparison, u *Upstream) {
	about := []any{"epoch", u.Epoch}
	if u.Ours != nil {
		about = append(about, "digest", hex.EncodeToString(u.Ours[:]))
	}
	level, text := n.log.Info, "upstream is equal"
	switch {
	case errors.Is(u.Err, schedule.ErrUnknownEpoch):
		return
	case u.Err != nil && !errors.Is(u.Err, ErrPartial):
		if text = "upstream is not compared"; !errors.Is(u.Err, noderpc.ErrUnavailable) {
			level = n.log.Warn
		}
		about = append(about, "error", u.Err)
	case u.Differs():
		level, text = n.log.Warn, "upstream differs"
		d := u.FirstDifferent
		about = append(about, "slots", u.DifferingSlots, "first_slot", uint64(d.Slot), "leader", d.Ours.String(), "upstream_leader", d.Theirs.String())
		if u.Digest != nil {
			about = append(about, "upstream_digest", hex.EncodeToString(u.Digest[:]))
		}
	}
	if said := fmt.Sprint(text, about); said != c.said {
		c.said = said
		level(text, about...)
	}
}

// publish makes what was found what Upstreams returns.
func (n *Node) publish(epoch uint64) {
	var all []Upstream
	for _, e := range []uint64{epoch, epoch + 1} {
		if c := n.checks[e]; c != nil && !c.last.CheckedAt.IsZero() {
			all = append(all, c.last)
		}
	}
	n.mu.Lock()
	n.upstreams = all
	n.mu.Unlock()
}
