package feed

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server/store"
	"github.com/schedgen/schedgen/stakes/rpc"
)

// follow asks where the validator is until the context ends.
func (n *Node) follow(ctx context.Context) {
	for {
		pause := n.step(ctx)
		if ctx.Err() != nil || !sleep(ctx, pause) {
			return
		}
	}
}

// step asks once, reads stakes if need be, and returns when to ask again.
func (n *Node) step(ctx context.Context) time.Duration {
	info, err := n.where(ctx)
	now := n.feed.o.Now()
	if err == nil {
		n.mu.Lock()
		err = n.place.report(info, now)
		n.mu.Unlock()
	}
	if ctx.Err() != nil {
		return 0
	}
	n.healthy(err)
	if err != nil {
		known := n.known
		n.known = nil // another node may answer at the address
		pause := n.wait.failed()
		if errors.Is(err, ErrAstray) {
			n.target = nil // what was read may be of elsewhere, too
			pause = min(pause, n.pause(*known, info.AbsoluteSlot))
		}
		return pause
	}
	n.wait.worked()
	es := *n.known
	n.putAgain(ctx, now)
	if target := es.LeaderScheduleEpoch(info.AbsoluteSlot); n.wants(target) && n.read.due(now) {
		n.readStakes(ctx)
	}
	return n.pause(es, info.AbsoluteSlot)
}

// pause returns when to ask again: soon when further stakes are about to be
// recorded, so that they are read at that slot.
func (n *Node) pause(es schedule.EpochSchedule, slot schedule.Slot) time.Duration {
	const leastSlot = 100 * time.Millisecond // no network has shorter slots
	pause := n.o.PollEvery
	if left := slotsLeft(es, slot); left < uint64(n.o.PollEvery/leastSlot) {
		pause = max(time.Duration(left)*leastSlot, n.o.PollFast)
	}
	now := n.feed.o.Now()
	for _, a := range []*attempt{&n.read, &n.putting} {
		if wait := a.next.Sub(now); wait > 0 {
			pause = min(pause, wait)
		}
	}
	return pause
}

// slotsLeft returns in how many slots the stakes of a further epoch are recorded.
func slotsLeft(es schedule.EpochSchedule, slot schedule.Slot) uint64 {
	if slot < es.FirstNormalSlot || es.SlotsPerEpoch == 0 {
		epoch, _ := es.EpochOf(slot)
		return uint64(es.LastSlot(epoch)-slot) + 1
	}
	into := (uint64(slot-es.FirstNormalSlot)%es.SlotsPerEpoch + es.LeaderScheduleSlotOffset%es.SlotsPerEpoch) % es.SlotsPerEpoch
	return es.SlotsPerEpoch - into
}

// where asks where the validator's finalized bank is, and, of one that is not known,
// whether it is of the cluster.
func (n *Node) where(ctx context.Context) (noderpc.EpochInfo, error) {
	ctx, cancel := context.WithTimeout(ctx, n.o.Timeout)
	defer cancel()
	if n.known == nil {
		es, err := n.identify(ctx)
		if err != nil {
			return noderpc.EpochInfo{}, err
		}
		n.known = &es
	}
	info, err := n.client.EpochInfo(ctx, noderpc.Finalized)
	if err != nil {
		return info, err
	}
	epoch, i := n.known.EpochOf(info.AbsoluteSlot)
	if epoch != info.Epoch || i != info.SlotIndex || n.known.SlotsIn(epoch) != info.SlotsInEpoch {
		return info, fmt.Errorf("%s: %w: slot %d is in epoch %d by getEpochInfo, in epoch %d by getEpochSchedule",
			n.client.Address(), rpc.ErrEpochs, info.AbsoluteSlot, info.Epoch, epoch)
	}
	return info, nil
}

// identify asks of which cluster the validator is, and returns the epoch schedule. The
// error is a *store.ClusterError when it is not that of the registry, or, as far as the
// registry does not know it, not the one that it was of before.
func (n *Node) identify(ctx context.Context) (schedule.EpochSchedule, error) {
	genesis, err := n.client.GenesisHash(ctx)
	if err != nil {
		return schedule.EpochSchedule{}, err
	}
	es, err := n.client.EpochSchedule(ctx)
	if err != nil {
		return es, err
	}
	registry := n.feed.o.Registry
	ours := store.Cluster{Name: registry.Cluster(), GenesisHash: registry.GenesisHash()}
	if held := registry.EpochSchedule(); held != (schedule.EpochSchedule{}) {
		ours.EpochSchedule = &held
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if ours.GenesisHash == nil {
		ours.GenesisHash = n.genesis
	}
	if _, err := ours.With(store.Cluster{GenesisHash: &genesis, EpochSchedule: &es}); err != nil {
		return es, fmt.Errorf("%s: %w", n.client.Address(), err)
	}
	n.genesis = &genesis
	return es, nil
}

// healthy notes whether the validator is of use, and logs when that changes.
func (n *Node) healthy(err error) {
	n.mu.Lock()
	before := n.status.Err
	n.status.Err = err
	n.mu.Unlock()
	switch {
	case err != nil && (before == nil || errors.Is(err, store.ErrCluster) != errors.Is(before, store.ErrCluster)):
		text := "node does not tell its epoch"
		switch {
		case errors.Is(err, store.ErrCluster):
			text = "node refused"
		case errors.Is(err, ErrAstray):
			text = "node is not believed yet"
		}
		n.log.Warn(text, "error", err)
	case err == nil && before != nil:
		n.log.Info("node tells its epoch again", "epoch", n.Status().Epoch)
	}
}
