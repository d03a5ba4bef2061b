package schedule

import (
	"fmt"
	"math/bits"
)

const (
	// DefaultRepeat is the number of consecutive slots that a leader gets on
	// every public cluster.
	DefaultRepeat = 4
	// MaxRotations is the greatest number of rotations in a schedule.
	MaxRotations = 1 << 28

	maxRank16 = 1 << 16 // lists up to here have ranks of 16 bits
)

// Params says which epoch to derive.
type Params struct {
	Epoch     uint64 // seeds the generator
	FirstSlot Slot   // absolute; changes no leader, only how slots are named
	Slots     uint64 // length of the epoch
	Repeat    int    // slots of a rotation; 0 means DefaultRepeat
	Backend   string // of the generator, see chacha20rng.Backends; "" takes the fastest
}

// rotations checks p and returns the number of rotations and slots in each.
func (p Params) rotations() (n int, repeat uint64, err error) {
	switch {
	case p.Repeat < 0:
		return 0, 0, fmt.Errorf("%w: %d", ErrRepeat, p.Repeat)
	case p.Repeat == 0:
		repeat = DefaultRepeat
	default:
		repeat = uint64(p.Repeat)
	}
	if p.Slots == 0 {
		return 0, 0, fmt.Errorf("%w: epoch %d has 0", ErrSlots, p.Epoch)
	}
	if _, carry := bits.Add64(uint64(p.FirstSlot), p.Slots-1, 0); carry != 0 {
		return 0, 0, fmt.Errorf("%w: %d slots from slot %d go past slot 18446744073709551615", ErrSlots, p.Slots, p.FirstSlot)
	}
	count := (p.Slots-1)/repeat + 1
	if count > MaxRotations {
		return 0, 0, fmt.Errorf("%w: %d slots in rotations of %d make %d rotations, at most %d", ErrSlots, p.Slots, repeat, count, MaxRotations)
	}
	return int(count), repeat, nil
}

// Check returns the error that Derive would return for p, whatever the stake
// list: ErrSlots, ErrRepeat, or that of the choice of a backend.
func (p Params) Check() error {
	if _, _, err := p.rotations(); err != nil {
		return err
	}
	return new(Deriver).seed(p)
}

// Derive draws the leaders of an epoch. The result depends on st, p.Epoch,
// p.Slots and p.Repeat alone; Derive may run on one st from many goroutines.
// A [Deriver] does the same and keeps its working memory.
//
// When Slots is no multiple of Repeat the last rotation is short. (Validators
// never have such an epoch: current Agave would leave the rest out, older
// releases shortened the last rotation.)
//
// Errors: ErrNoStake, ErrSlots, ErrRepeat, and those of the choice of a
// backend.
func Derive(st *Stakes, p Params) (*Schedule, error) { return new(Deriver).Derive(st, p) }
