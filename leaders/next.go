package leaders

import (
	"fmt"
	"math"

	"github.com/schedgen/schedgen/schedule"
)

// Ahead is the answer of [Book.Next].
type Ahead struct {
	From schedule.Slot `json:"from"`
	// Status is Present with a window, and Absent without one when everything is
	// known from From to KnownTo: that is as much as can be said of not being on
	// the schedule. It is Unknown when not even From is known.
	Status  Status   `json:"status"`
	Windows []Window `json:"windows"` // ascending, and apart from each other
	// KnownTo is the last slot that was looked at: what is beyond is not known, or
	// did not matter. It is nil when Status is Unknown.
	KnownTo *schedule.Slot `json:"knownTo,omitempty"`
	Unknown *UnknownError  `json:"unknown,omitempty"` // why there are fewer windows than asked for
}

// Next returns the first n windows of any of the keys at or after a slot, across
// epochs. A window in progress counts, with the slots that are left of it.
//
// It returns fewer only together with an *UnknownError, or with a
// schedule.ErrNoSlot when 64-bit slot numbers end; what it returns beside these
// is right as far as it goes. The result is nil for ErrNoKey and ErrCount.
//
// A window is found in time that grows with the logarithm of the number of
// rotations of a key, once it is known which identity it has.
func (b *Book) Next(keys []Key, from schedule.Slot, n int) (*Ahead, error) {
	switch {
	case len(keys) == 0:
		return nil, ErrNoKey
	case n < 1:
		return nil, fmt.Errorf("%w: %d, want at least 1", ErrCount, n)
	}
	a := &Ahead{From: from, Status: Absent, Windows: []Window{}}
	knownTo := from
	for s := range b.stretches(keys, from) {
		if s.kind == unknown {
			a.Unknown = s.error(keys)
			if s.first == from {
				a.Status = Unknown
			}
			return a, a.Unknown
		}
		a.KnownTo, knownTo = &knownTo, s.last
		if s.kind == led {
			a.Status = Present
			a.Windows = append(a.Windows, Window{s.span(from), keys[s.key]})
		}
		if len(a.Windows) == n {
			return a, nil
		}
	}
	return a, fmt.Errorf("%w in slots %d to %d but in %d of %d windows", schedule.ErrNoSlot, from, uint64(math.MaxUint64), len(a.Windows), n)
}
