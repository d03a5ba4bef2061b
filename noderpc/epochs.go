package noderpc

import (
	"context"

	"github.com/gagliardetto/solana-go/rpc"

	"github.com/schedgen/schedgen/schedule"
)

// A Commitment says which bank a node answers from.
type Commitment = rpc.CommitmentType

const (
	// Processed is the newest bank that the node works on; it may be abandoned.
	Processed = rpc.CommitmentProcessed
	// Confirmed is the newest bank that two thirds of the stake voted for.
	Confirmed = rpc.CommitmentConfirmed
	// Finalized is the newest bank that two thirds of the stake have as a root: a
	// slot has one block or none there, for ever.
	Finalized = rpc.CommitmentFinalized
)

// EpochInfo is where a node is: the result of getEpochInfo.
type EpochInfo struct {
	AbsoluteSlot schedule.Slot // of the bank
	Epoch        uint64
	SlotIndex    schedule.Index // of AbsoluteSlot, below SlotsInEpoch
	SlotsInEpoch uint64
}

// FirstSlot returns the first slot of the epoch.
func (i EpochInfo) FirstSlot() schedule.Slot { return i.AbsoluteSlot - schedule.Slot(i.SlotIndex) }

// EpochInfo asks getEpochInfo.
func (c *Client) EpochInfo(ctx context.Context, commitment Commitment) (EpochInfo, error) {
	const method = "getEpochInfo"
	var r struct {
		AbsoluteSlot *schedule.Slot  `json:"absoluteSlot"`
		Epoch        *uint64         `json:"epoch"`
		SlotIndex    *schedule.Index `json:"slotIndex"`
		SlotsInEpoch *uint64         `json:"slotsInEpoch"`
	}
	if err := c.rpc.RPCCallForInto(ctx, &r, method, at(commitment)); err != nil {
		return EpochInfo{}, err
	}
	switch {
	case r.AbsoluteSlot == nil || r.Epoch == nil || r.SlotIndex == nil || r.SlotsInEpoch == nil:
		return EpochInfo{}, c.call.fail(method, replyError("want absoluteSlot, epoch, slotIndex and slotsInEpoch"))
	case uint64(*r.SlotIndex) >= *r.SlotsInEpoch:
		return EpochInfo{}, c.call.fail(method, replyError("slotIndex %d is not below slotsInEpoch %d", *r.SlotIndex, *r.SlotsInEpoch))
	case uint64(*r.SlotIndex) > uint64(*r.AbsoluteSlot):
		return EpochInfo{}, c.call.fail(method, replyError("slotIndex %d is above absoluteSlot %d", *r.SlotIndex, *r.AbsoluteSlot))
	}
	return EpochInfo{*r.AbsoluteSlot, *r.Epoch, *r.SlotIndex, *r.SlotsInEpoch}, nil
}

// EpochSchedule asks getEpochSchedule: how the cluster's slots make epochs.
func (c *Client) EpochSchedule(ctx context.Context) (schedule.EpochSchedule, error) {
	const method = "getEpochSchedule"
	var r struct {
		SlotsPerEpoch            *uint64        `json:"slotsPerEpoch"`
		LeaderScheduleSlotOffset *uint64        `json:"leaderScheduleSlotOffset"`
		Warmup                   *bool          `json:"warmup"`
		FirstNormalEpoch         *uint64        `json:"firstNormalEpoch"`
		FirstNormalSlot          *schedule.Slot `json:"firstNormalSlot"`
	}
	if err := c.rpc.RPCCallForInto(ctx, &r, method, nil); err != nil {
		return schedule.EpochSchedule{}, err
	}
	if r.SlotsPerEpoch == nil || r.LeaderScheduleSlotOffset == nil || r.Warmup == nil || r.FirstNormalEpoch == nil || r.FirstNormalSlot == nil {
		return schedule.EpochSchedule{}, c.call.fail(method, replyError(
			"want slotsPerEpoch, leaderScheduleSlotOffset, warmup, firstNormalEpoch and firstNormalSlot"))
	}
	es := schedule.EpochSchedule{
		SlotsPerEpoch: *r.SlotsPerEpoch, LeaderScheduleSlotOffset: *r.LeaderScheduleSlotOffset,
		Warmup: *r.Warmup, FirstNormalEpoch: *r.FirstNormalEpoch, FirstNormalSlot: *r.FirstNormalSlot,
	}
	switch {
	case es.SlotsPerEpoch < schedule.MinSlotsPerEpoch:
		return schedule.EpochSchedule{}, c.call.fail(method, replyError("slotsPerEpoch is %d, want at least %d", es.SlotsPerEpoch, schedule.MinSlotsPerEpoch))
	case es.FirstSlot(es.FirstNormalEpoch) != es.FirstNormalSlot:
		return schedule.EpochSchedule{}, c.call.fail(method, replyError("firstNormalSlot is %d, want %d, the first of epoch %d",
			es.FirstNormalSlot, es.FirstSlot(es.FirstNormalEpoch), es.FirstNormalEpoch))
	}
	return es, nil
}

// GenesisHash asks getGenesisHash: which cluster the node is of.
func (c *Client) GenesisHash(ctx context.Context) (schedule.Pubkey, error) {
	hash, err := c.rpc.GetGenesisHash(ctx)
	return schedule.Pubkey(hash), err
}

// Slot asks getSlot: the slot of the bank.
func (c *Client) Slot(ctx context.Context, commitment Commitment) (schedule.Slot, error) {
	slot, err := c.rpc.GetSlot(ctx, commitment)
	return schedule.Slot(slot), err
}

// at is the only parameter of many methods.
func at(commitment Commitment) []any {
	if commitment == "" {
		return nil
	}
	return []any{rpc.M{"commitment": commitment}}
}
