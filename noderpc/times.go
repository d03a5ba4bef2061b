package noderpc

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/slotclock"
)

// MaxPerformanceSamples is the most that nodes answer to
// [Client.PerformanceSamples]: those of twelve hours.
const MaxPerformanceSamples = 720

// PerformanceSamples asks getRecentPerformanceSamples: the last n, newest first,
// or fewer when the node has not run for as many minutes.
func (c *Client) PerformanceSamples(ctx context.Context, n uint) ([]slotclock.Sample, error) {
	results, err := c.rpc.GetRecentPerformanceSamples(ctx, &n)
	if err != nil {
		return nil, err
	}
	samples := make([]slotclock.Sample, 0, len(results))
	for i, r := range results {
		if r == nil {
			return nil, c.call.fail("getRecentPerformanceSamples", replyError("sample %d is null", i))
		}
		samples = append(samples, slotclock.Sample{Slot: schedule.Slot(r.Slot), Slots: r.NumSlots, Seconds: float64(r.SamplePeriodSecs)})
	}
	return samples, nil
}

// BlockTime asks getBlockTime: the time of the block of a slot, in whole seconds,
// as its validators' clocks had it. A block whose time is not known is an
// [ErrUnavailable]; nodes answer an [RPCError] for slots without a block and
// those that are not there yet.
func (c *Client) BlockTime(ctx context.Context, slot schedule.Slot) (time.Time, error) {
	const method = "getBlockTime"
	sec, err := c.rpc.GetBlockTime(ctx, uint64(slot))
	if errors.Is(err, errNull) {
		return time.Time{}, c.call.fail(method, fmt.Errorf("time of slot %d: %w from this node", slot, ErrUnavailable))
	}
	if err != nil {
		return time.Time{}, err
	}
	return time.Unix(int64(*sec), 0).UTC(), nil
}

// Clock measures when slots begin: from the time of the node's finalized block
// and its performance samples of the last hour. Where the node does not tell that
// time, its newest slot counts as beginning now.
func (c *Client) Clock(ctx context.Context) (slotclock.Clock, error) {
	const hour = 60
	samples, err := c.PerformanceSamples(ctx, hour)
	if err != nil {
		return slotclock.Clock{}, err
	}
	slot, err := c.Slot(ctx, Finalized)
	if err != nil {
		return slotclock.Clock{}, err
	}
	at, err := c.BlockTime(ctx, slot)
	var answer *RPCError
	if errors.Is(err, ErrUnavailable) || errors.As(err, &answer) {
		at = time.Now().UTC()
		slot, err = c.Slot(ctx, Processed)
	}
	if err != nil {
		return slotclock.Clock{}, err
	}
	clock, err := slotclock.Measure(slot, at, samples)
	if err != nil {
		return slotclock.Clock{}, fmt.Errorf("%s: %w", c.Address(), err)
	}
	return clock, nil
}
