package compare

import (
	"fmt"

	"github.com/schedgen/schedgen/schedule"
)

// maxSlots bounds what a side can claim: it is the greatest number of rotations
// of a schedule.
const maxSlots = schedule.MaxRotations

// Leaders is a schedule as far as a comparison looks at it. *schedule.Schedule
// is one.
type Leaders interface {
	// Slots returns the number of slots.
	Slots() uint64
	// Leader returns the identity that leads a slot; false when that is not
	// known. Indices count from the side's own first slot.
	Leader(i schedule.Index) (schedule.Pubkey, bool)
}

// Voter is a Leaders that also knows vote accounts.
type Voter interface {
	// Vote returns the vote account that a slot was drawn for; false when that
	// is not known.
	Vote(i schedule.Index) (schedule.Pubkey, bool)
}

// Side is one of two schedules that are compared.
type Side struct {
	Name      string         // what to call it, such as a path
	Leaders   Leaders        // nil when only Digest is known; may also be a Voter
	Epoch     *uint64        // nil when not known
	FirstSlot *schedule.Slot // absolute slot of index 0; nil when not known
	Repeat    int            // slots of a rotation; 0 means schedule.DefaultRepeat
	// Only limits the side to some identities: it has all of their slots, and a
	// slot without a leader is led by nobody of them. nil when it is not limited.
	Only []schedule.Pubkey
	// Digest is the SHA-256 of the raw leader keys of all slots in order, as
	// schedule.Schedule.Digest gives it. It is looked at when Leaders is nil.
	Digest *[32]byte
}

// Derived returns the side of a schedule.
func Derived(name string, s *schedule.Schedule) Side {
	epoch, first := s.Epoch(), s.FirstSlot()
	return Side{Name: name, Leaders: s, Epoch: &epoch, FirstSlot: &first, Repeat: s.Repeat()}
}

// check returns why a side cannot be compared.
func (s *Side) check() error {
	switch {
	case s.Leaders == nil && s.Digest == nil:
		return fmt.Errorf("%s: %w", s.Name, ErrNoLeaders)
	case s.Leaders != nil && s.Leaders.Slots() > maxSlots:
		return fmt.Errorf("%s: %w: %d, at most %d", s.Name, ErrTooLong, s.Leaders.Slots(), maxSlots)
	case s.Repeat < 0:
		return fmt.Errorf("%s: %w: %d", s.Name, schedule.ErrRepeat, s.Repeat)
	}
	return nil
}

func (s *Side) repeat() uint64 {
	if s.Repeat == 0 {
		return schedule.DefaultRepeat
	}
	return uint64(s.Repeat)
}

// votes returns the side's vote accounts, or nil. Some sides could have them and
// have none.
func (s *Side) votes() Voter {
	v, ok := s.Leaders.(Voter)
	if !ok {
		return nil
	}
	for i := range s.Leaders.Slots() {
		if _, ok := v.Vote(schedule.Index(i)); ok {
			return v
		}
	}
	return nil
}

// only returns the keys that the side is limited to, as a set; nil when it is not.
func (s *Side) only() map[schedule.Pubkey]bool {
	if s.Only == nil {
		return nil
	}
	set := make(map[schedule.Pubkey]bool, len(s.Only))
	for _, k := range s.Only {
		set[k] = true
	}
	return set
}
