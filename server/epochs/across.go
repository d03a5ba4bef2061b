package epochs

import (
	"fmt"
	"math"

	"github.com/schedgen/schedgen/leaders"
	"github.com/schedgen/schedgen/schedule"
)

// EpochOfSlot returns the epoch that a slot is in and the slot's index in it. Errors
// are those of Epoch, and ErrNoEpochSchedule.
func (r *Registry) EpochOfSlot(slot schedule.Slot) (*Epoch, schedule.Index, error) {
	es := r.EpochSchedule()
	if es.SlotsPerEpoch == 0 {
		return nil, 0, ErrNoEpochSchedule
	}
	n, i := es.EpochOf(slot)
	e, err := r.Epoch(n)
	if err != nil {
		return nil, 0, err
	}
	if uint64(i) >= e.schedule.Slots() { // only where the fields of es contradict each other
		return nil, 0, &schedule.UnknownEpochError{Epoch: n}
	}
	return e, i, nil
}

// LeaderAt returns the identity that leads a slot. Errors are those of EpochOfSlot.
func (r *Registry) LeaderAt(slot schedule.Slot) (schedule.Pubkey, error) {
	e, i, err := r.EpochOfSlot(slot)
	if err != nil {
		return schedule.Pubkey{}, err
	}
	leader, _ := e.schedule.Leader(i)
	return leader, nil
}

// AppendLeaders appends the leaders of n slots from start on, across epochs, to dst.
// Errors are those of EpochOfSlot, about the first slot that has one, and
// schedule.ErrNoSlot where the slot numbers end; dst is returned as it was then.
func (r *Registry) AppendLeaders(dst []schedule.Pubkey, start schedule.Slot, n int) ([]schedule.Pubkey, error) {
	all := dst
	err := r.across(start, n, func(e *Epoch, i schedule.Index) {
		leader, _ := e.schedule.Leader(i)
		all = append(all, leader)
	})
	if err != nil {
		return dst, err
	}
	return all, nil
}

// AppendLeaderTexts is AppendLeaders for their base58 text, which is made once an
// epoch.
func (r *Registry) AppendLeaderTexts(dst []string, start schedule.Slot, n int) ([]string, error) {
	all := dst
	err := r.across(start, n, func(e *Epoch, i schedule.Index) {
		text, _ := e.LeaderText(i)
		all = append(all, text)
	})
	if err != nil {
		return dst, err
	}
	return all, nil
}

// across calls do for n slots.
func (r *Registry) across(start schedule.Slot, n int, do func(*Epoch, schedule.Index)) error {
	for n > 0 {
		e, i, err := r.EpochOfSlot(start)
		if err != nil {
			return err
		}
		count := min(e.schedule.Slots()-uint64(i), uint64(n))
		for ; count > 0; count, i, n = count-1, i+1, n-1 {
			do(e, i)
		}
		last := e.schedule.FirstSlot() + schedule.Slot(e.schedule.Slots()-1)
		if n > 0 && last == math.MaxUint64 {
			return fmt.Errorf("%w after slot %d, the last", schedule.ErrNoSlot, last)
		}
		start = last + 1
	}
	return nil
}

// NextLeaderSlots returns the first n slots at or after from that an identity leads,
// across epochs. It returns fewer only together with an error: one of Epoch's about
// the first epoch that would have to be known, or schedule.ErrNoSlot where the slot
// numbers end.
func (r *Registry) NextLeaderSlots(identity schedule.Pubkey, from schedule.Slot, n int) ([]schedule.Slot, error) {
	var slots []schedule.Slot
	for len(slots) < n {
		e, _, err := r.EpochOfSlot(from)
		if err != nil {
			return slots, err
		}
		slots = e.schedule.NextLeaderSlots(slots, identity, from, n-len(slots))
		last := e.schedule.FirstSlot() + schedule.Slot(e.schedule.Slots()-1)
		if len(slots) < n && last == math.MaxUint64 {
			return slots, fmt.Errorf("%w of %v after slot %d, the last", schedule.ErrNoSlot, identity, last)
		}
		from = last + 1
	}
	return slots, nil
}

// Book returns the epochs from first to last that are held, to ask about keys and
// quiet windows. An epoch that is held and cannot be read is left out, so that the
// book says that it is not known. Deriving takes some milliseconds an epoch, so that
// the range should be that of the question.
func (r *Registry) Book(first, last uint64) (*leaders.Book, error) {
	s := r.state.Load()
	var held []leaders.Held
	for _, h := range s.heads {
		if h.Epoch < first || h.Epoch > last {
			continue
		}
		e, err := r.Epoch(h.Epoch)
		if err != nil {
			r.log.Warn("an epoch is left out", "epoch", h.Epoch, "error", err)
			continue
		}
		held = append(held, e.Source())
	}
	return leaders.New(s.epochSchedule(), held...)
}
