package schedule

import (
	"errors"
	"fmt"
)

// Errors are wrapped with the keys, slots and amounts they are about; test for
// them with errors.Is.
var (
	// ErrNoStake: the list has no entry with stake.
	ErrNoStake = errors.New("no stake")
	// ErrStakeOverflow: stakes add up to more than 2^64-1 lamports.
	ErrStakeOverflow = errors.New("stake sum is greater than 18446744073709551615 lamports")
	// ErrDuplicateKey: two entries have one key and differ in stake or identity.
	ErrDuplicateKey = errors.New("key is listed twice")
	// ErrTooManyEntries: the list has more than MaxEntries entries.
	ErrTooManyEntries = errors.New("too many entries")
	// ErrKeying: not one of the known keyings.
	ErrKeying = errors.New("unknown keying")
	// ErrSlots: an epoch of no slots, of too many, or past the last slot number.
	ErrSlots = errors.New("impossible number of slots")
	// ErrRepeat: a negative number of consecutive leader slots.
	ErrRepeat = errors.New("impossible number of consecutive leader slots")
	// ErrRanks: not one rank of the stake list for every rotation.
	ErrRanks = errors.New("ranks do not make a schedule")
	// ErrUnknownEpoch: no schedule is held for the epoch, so that nothing is
	// known about its leaders. The value is an *UnknownEpochError.
	ErrUnknownEpoch = errors.New("leader schedule is not known")
	// ErrNoSlot: every slot asked about is known, and none has that leader.
	ErrNoSlot = errors.New("no leader slot")
	// ErrTooOld: a full cache holds only later epochs.
	ErrTooOld = errors.New("epoch is older than every epoch of a full cache")
	// ErrCluster: not one of the public clusters.
	ErrCluster = errors.New("unknown cluster")
	// ErrPubkeySize: the text does not stand for 32 bytes.
	ErrPubkeySize = errors.New("wrong size of a public key")
	// ErrPubkeyDigit: the text has a character that is not a base58 digit.
	ErrPubkeyDigit = errors.New("not a base58 digit")
)

// UnknownEpochError says that the schedule of Epoch is not held. It matches
// ErrUnknownEpoch. It never means that somebody has no slot.
type UnknownEpochError struct {
	Epoch uint64
}

func (e *UnknownEpochError) Error() string {
	return fmt.Sprintf("leader schedule of epoch %d is not known", e.Epoch)
}

// Is reports whether target is ErrUnknownEpoch.
func (e *UnknownEpochError) Is(target error) bool { return target == ErrUnknownEpoch }

// FitError says that a schedule does not cover the slots that the epoch
// schedule of a cache gives to its epoch.
type FitError struct {
	Epoch                    uint64
	FirstSlot, WantFirstSlot Slot
	Slots, WantSlots         uint64
}

func (e *FitError) Error() string {
	return fmt.Sprintf("schedule of epoch %d has %d slots from slot %d, the epoch schedule says %d slots from slot %d",
		e.Epoch, e.Slots, e.FirstSlot, e.WantSlots, e.WantFirstSlot)
}
