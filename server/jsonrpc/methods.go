package jsonrpc

import (
	"strconv"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/schedule"
)

// methods are those over HTTP.
var methods = map[string]method{
	"getEpochInfo":      getEpochInfo,
	"getEpochSchedule":  getEpochSchedule,
	"getGenesisHash":    getGenesisHash,
	"getHealth":         getHealth,
	"getLeaderSchedule": getLeaderSchedule,
	"getSlot":           getSlot,
	"getSlotLeader":     getSlotLeader,
	"getSlotLeaders":    getSlotLeaders,
	"getVersion":        getVersion,
	"getVoteAccounts":   getVoteAccounts,
}

// slotAt returns the slot of a commitment.
func (w *work) slotAt(c noderpc.Commitment) (schedule.Slot, *rpcError) {
	now, ok := w.h.feed.Now()
	if !ok {
		return 0, errUnhealthy
	}
	return now.SlotAt(c), nil
}

// context reads the parameters of a method that is about the slot of a commitment.
func (w *work) context(params value) (schedule.Slot, *rpcError) {
	args, err := upTo(1, params)
	if err != nil {
		return 0, err
	}
	c, err := readConfig(args[0], contextShape)
	if err != nil {
		return 0, err
	}
	slot, err := w.slotAt(c.commitment)
	if err != nil {
		return 0, err
	}
	if c.minContextSlot != nil && uint64(slot) < *c.minContextSlot {
		return 0, minContextError(uint64(slot))
	}
	return slot, nil
}

// epochSchedule returns how slots make epochs.
func (w *work) epochSchedule() (schedule.EpochSchedule, *rpcError) {
	es := w.h.epochs.EpochSchedule()
	if es.SlotsPerEpoch == 0 {
		return es, errUnhealthy
	}
	return es, nil
}

func (w *work) uint(n uint64) { w.out = strconv.AppendUint(w.out, n, 10) }

// field appends text and a number.
func (w *work) field(text string, n uint64) {
	w.out = append(w.out, text...)
	w.uint(n)
}

func getSlot(w *work, params value) *rpcError {
	slot, err := w.context(params)
	if err != nil {
		return err
	}
	w.uint(uint64(slot))
	return nil
}

// getEpochInfo leaves out transactionCount, which may be missing. blockHeight may
// not, and is the slot: no block is higher.
func getEpochInfo(w *work, params value) *rpcError {
	slot, err := w.context(params)
	if err != nil {
		return err
	}
	es, err := w.epochSchedule()
	if err != nil {
		return err
	}
	epoch, i := es.EpochOf(slot)
	w.field(`{"absoluteSlot":`, uint64(slot))
	w.field(`,"blockHeight":`, uint64(slot))
	w.field(`,"epoch":`, epoch)
	w.field(`,"slotIndex":`, uint64(i))
	w.field(`,"slotsInEpoch":`, es.SlotsIn(epoch))
	w.out = append(w.out, '}')
	return nil
}

func getEpochSchedule(w *work, params value) *rpcError {
	if err := noParams(params); err != nil {
		return err
	}
	es, err := w.epochSchedule()
	if err != nil {
		return err
	}
	w.field(`{"firstNormalEpoch":`, es.FirstNormalEpoch)
	w.field(`,"firstNormalSlot":`, uint64(es.FirstNormalSlot))
	w.field(`,"leaderScheduleSlotOffset":`, es.LeaderScheduleSlotOffset)
	w.field(`,"slotsPerEpoch":`, es.SlotsPerEpoch)
	w.out = append(w.out, `,"warmup":`...)
	w.out = strconv.AppendBool(w.out, es.Warmup)
	w.out = append(w.out, '}')
	return nil
}

func getGenesisHash(w *work, params value) *rpcError {
	if err := noParams(params); err != nil {
		return err
	}
	hash := w.h.epochs.GenesisHash()
	if hash == nil {
		return errNoGenesisHash
	}
	w.out = appendString(w.out, hash.String())
	return nil
}

func getVersion(w *work, params value) *rpcError {
	if err := noParams(params); err != nil {
		return err
	}
	w.field(`{"feature-set":`, uint64(w.h.o.FeatureSet))
	w.out = append(w.out, `,"solana-core":`...)
	w.out = appendString(w.out, w.h.o.Version)
	w.out = append(w.out, '}')
	return nil
}
