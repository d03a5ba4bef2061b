package schedule

import (
	"fmt"
	"math"
	"math/bits"
)

// Slot is an absolute slot number, counted from the genesis of a cluster.
type Slot uint64

// Index is the number of a slot within its epoch, counted from the epoch's
// first slot.
type Index uint64

const (
	// MinSlotsPerEpoch is the length of the first warm-up epoch, and the least
	// length of any epoch.
	MinSlotsPerEpoch = 32
	minSlotsLog2     = 5
)

// EpochSchedule divides the slots of a cluster into epochs, as the crate
// solana-epoch-schedule does. With warm-up, epoch e < FirstNormalEpoch has
// 2^(e+5) slots; all later ones have SlotsPerEpoch. The JSON form is the result
// of getEpochSchedule.
//
// All results saturate at 2^64-1, and no value of the fields causes a panic.
// [NewEpochSchedule] makes values whose fields agree with each other.
type EpochSchedule struct {
	// SlotsPerEpoch is the length of an epoch after warm-up.
	SlotsPerEpoch uint64 `json:"slotsPerEpoch"`
	// LeaderScheduleSlotOffset is the number of slots before an epoch at which
	// its schedule is made.
	LeaderScheduleSlotOffset uint64 `json:"leaderScheduleSlotOffset"`
	// Warmup says that the first epochs are short, each twice as long as the
	// one before.
	Warmup bool `json:"warmup"`
	// FirstNormalEpoch is the first epoch of SlotsPerEpoch slots.
	FirstNormalEpoch uint64 `json:"firstNormalEpoch"`
	// FirstNormalSlot is the first slot of FirstNormalEpoch.
	FirstNormalSlot Slot `json:"firstNormalSlot"`
}

// NewEpochSchedule returns the epoch schedule of a cluster. ErrSlots when
// slotsPerEpoch is under MinSlotsPerEpoch, or over 2^63 with warm-up.
func NewEpochSchedule(slotsPerEpoch, offset uint64, warmup bool) (EpochSchedule, error) {
	if slotsPerEpoch < MinSlotsPerEpoch {
		return EpochSchedule{}, fmt.Errorf("%w: %d an epoch, at least %d", ErrSlots, slotsPerEpoch, MinSlotsPerEpoch)
	}
	es := EpochSchedule{SlotsPerEpoch: slotsPerEpoch, LeaderScheduleSlotOffset: offset, Warmup: warmup}
	if !warmup {
		return es, nil
	}
	if slotsPerEpoch > 1<<63 {
		return EpochSchedule{}, fmt.Errorf("%w: %d an epoch, at most %d with warm-up", ErrSlots, slotsPerEpoch, uint64(1<<63))
	}
	// Warm-up goes on until an epoch of the next power of two would be due.
	log2 := bits.Len64(slotsPerEpoch - 1)
	es.FirstNormalEpoch = uint64(log2 - minSlotsLog2)
	es.FirstNormalSlot = Slot(uint64(1)<<log2 - MinSlotsPerEpoch)
	return es, nil
}

// EpochOf returns the epoch of a slot and the slot's index in it.
func (es EpochSchedule) EpochOf(slot Slot) (epoch uint64, i Index) {
	if slot < es.FirstNormalSlot {
		// The warm-up epochs before e have 2^(e+5)-32 slots together.
		log2 := bits.Len64(addSat(uint64(slot), MinSlotsPerEpoch)) - 1
		first := uint64(1)<<log2 - MinSlotsPerEpoch
		return uint64(log2 - minSlotsLog2), Index(uint64(slot) - first)
	}
	n := uint64(slot - es.FirstNormalSlot)
	if es.SlotsPerEpoch == 0 {
		return es.FirstNormalEpoch, 0
	}
	return addSat(es.FirstNormalEpoch, n/es.SlotsPerEpoch), Index(n % es.SlotsPerEpoch)
}

// FirstSlot returns the first slot of an epoch.
func (es EpochSchedule) FirstSlot(epoch uint64) Slot {
	if epoch <= es.FirstNormalEpoch {
		return Slot(mulSat(pow2Sat(epoch)-1, MinSlotsPerEpoch))
	}
	return Slot(addSat(mulSat(epoch-es.FirstNormalEpoch, es.SlotsPerEpoch), uint64(es.FirstNormalSlot)))
}

// LastSlot returns the last slot of an epoch.
func (es EpochSchedule) LastSlot(epoch uint64) Slot {
	end := addSat(uint64(es.FirstSlot(epoch)), es.SlotsIn(epoch))
	if end == 0 {
		return 0
	}
	return Slot(end - 1)
}

// SlotsIn returns the number of slots of an epoch.
func (es EpochSchedule) SlotsIn(epoch uint64) uint64 {
	if epoch < es.FirstNormalEpoch {
		return pow2Sat(addSat(epoch, minSlotsLog2))
	}
	return es.SlotsPerEpoch
}

// LeaderScheduleEpoch returns the latest epoch whose leader schedule is fixed
// at a slot: the next one when LeaderScheduleSlotOffset is SlotsPerEpoch, and
// always the next one during warm-up.
func (es EpochSchedule) LeaderScheduleEpoch(slot Slot) uint64 {
	if slot < es.FirstNormalSlot {
		epoch, _ := es.EpochOf(slot)
		return addSat(epoch, 1)
	}
	if es.SlotsPerEpoch == 0 {
		return es.FirstNormalEpoch
	}
	ahead := addSat(uint64(slot-es.FirstNormalSlot), es.LeaderScheduleSlotOffset)
	return addSat(es.FirstNormalEpoch, ahead/es.SlotsPerEpoch)
}

func addSat(a, b uint64) uint64 {
	sum, carry := bits.Add64(a, b, 0)
	if carry != 0 {
		return math.MaxUint64
	}
	return sum
}

func mulSat(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	if hi != 0 {
		return math.MaxUint64
	}
	return lo
}

func pow2Sat(n uint64) uint64 {
	if n >= 64 {
		return math.MaxUint64
	}
	return 1 << n
}
