package feed

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/noderpc/rpctest"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
)

const slotTime = 400 * time.Millisecond

// A network goes from slot to slot in a bubble of made-up time. Stakes are others in
// each epoch, and grow with each slot, so that only those of an epoch's first slot
// give the right schedule.
type network struct {
	*rpctest.Server
	es   schedule.EpochSchedule
	last atomic.Uint64 // finalized slot
}

// slot returns the finalized slot.
func (n *network) slot() schedule.Slot { return schedule.Slot(n.last.Load()) }

// newNetwork is called outside of the bubble: a server listens.
func newNetwork(t testing.TB, es schedule.EpochSchedule, slot schedule.Slot) *network {
	n := &network{es: es, Server: rpctest.New(t, rpctest.Cluster{Genesis: genesis, EpochSchedule: es})}
	n.move(slot)
	return n
}

// at returns the stakes at a slot.
func (n *network) at(slot schedule.Slot) []schedule.Entry {
	epoch, index := n.es.EpochOf(slot)
	all := entries(epoch)
	for i := range all {
		all[i].Stake += uint64(index) * uint64(i+1) << 30
	}
	return all
}

// electing returns the stakes that an epoch's schedule is drawn from.
func (n *network) electing(epoch uint64) []schedule.Entry {
	return n.at(n.es.FirstSlot(max(epoch, 1) - 1))
}

func (n *network) schedule(epoch uint64) *schedule.Schedule {
	return derived(n.electing(epoch), n.es, epoch)
}

// list is the list of an epoch as a snapshot would have it.
func (n *network) list(epoch uint64) *list.List {
	l := made(epoch, 0, list.VintageExact)
	l.Entries = n.electing(epoch)
	return l
}

// move makes a slot the finalized one.
func (n *network) move(slot schedule.Slot) {
	n.last.Store(uint64(slot))
	n.Change(func(c *rpctest.Cluster) { n.set(c, slot) })
}

func (n *network) set(c *rpctest.Cluster, slot schedule.Slot) {
	before, _ := n.es.EpochOf(c.Slot)
	epoch, _ := n.es.EpochOf(slot)
	c.Slot = slot
	c.VoteAccounts = rpctest.VoteAccountsOf(n.at(slot), slot)
	if c.Leaders == nil || before != epoch {
		c.Leaders = map[uint64]noderpc.Leaders{}
		for _, e := range []uint64{epoch, epoch + 1} {
			c.Leaders[e] = rpctest.LeadersOf(n.schedule(e))
		}
	}
}

// Run goes on by a slot at a time until the context ends.
func (n *network) Run(ctx context.Context) error {
	for sleep(ctx, slotTime) {
		n.move(n.slot() + 1)
	}
	return context.Cause(ctx)
}

// following runs a node that follows a network that stands at a slot, in a bubble.
func following(t *testing.T, es schedule.EpochSchedule, slot schedule.Slot, check func(t *testing.T, g *rig, n *Node, net *network, start func(runner))) {
	t.Helper()
	net := newNetwork(t, es, slot)
	running(t, func(t *testing.T, start func(runner)) {
		g := newRig(t, es)
		client := dial(t, net.Server)
		defer client.Close()
		n := g.NewNode(client, NodeOptions{})
		check(t, g, n, net, start)
	})
}

// wantSchedule fails unless an epoch is held that is the network's, exactly.
func (g *rig) wantSchedule(t testing.TB, net *network, epoch uint64) {
	t.Helper()
	e, err := g.registry.Epoch(epoch)
	if err != nil {
		t.Errorf("epoch %d: %v", epoch, err)
		return
	}
	if p := e.Provenance(); p.Vintage != list.VintageExact || e.Digest() != net.schedule(epoch).Digest() {
		t.Errorf("epoch %d is not the network's: %v", epoch, &p)
	}
}
