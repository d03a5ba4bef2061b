package leaders

import (
	"fmt"
	"math"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
)

// A Reason says why a key leads no slot of an epoch.
type Reason string

const (
	// NotStaked: the key is not in the stake list, or without stake.
	NotStaked Reason = "not staked"
	// NotDrawn: the key has stake, too little or too unlucky for a slot.
	NotDrawn Reason = "staked, and not drawn"
	// NotTold: the schedule comes without stakes.
	NotTold Reason = "not on the schedule, which does not tell stakes"
)

// weaker returns the reason of two together: who has stake may lead the next
// epoch.
func weaker(a, b Reason) Reason {
	for _, r := range []Reason{NotDrawn, NotTold} {
		if a == r || b == r {
			return r
		}
	}
	return NotStaked
}

// MaxEpochs is the greatest number of epochs of one question.
const MaxEpochs = 1 << 16

// Presence is the answer of [Book.InSchedule].
type Presence struct {
	// Any is Present when at least one epoch is, Absent when all are. All is Present
	// when all are, Absent when at least one is. Otherwise they are Unknown.
	Any    Status          `json:"any"`
	All    Status          `json:"all"`
	Epochs []EpochPresence `json:"epochs"` // ascending
}

// EpochPresence says whether keys lead slots of one epoch.
type EpochPresence struct {
	Epoch     uint64        `json:"epoch"`
	FirstSlot schedule.Slot `json:"firstSlot"`
	Status    Status        `json:"status"`            // of any of the keys
	Vintage   list.Vintage  `json:"vintage,omitempty"` // empty when the epoch is not held
	Keys      []KeyPresence `json:"keys"`              // as they were asked for
}

// KeyPresence says whether one key leads slots of one epoch.
type KeyPresence struct {
	Key    Key    `json:"key"`
	Status Status `json:"status"`
	Slots  uint64 `json:"slots"` // that it is known to lead
	// UnknownSlots is the number of slots of which it is not known whether the key
	// leads them: Slots may be too few by that.
	UnknownSlots uint64 `json:"unknownSlots,omitempty"`
	Reason       Reason `json:"reason,omitempty"` // with Absent
	Why          string `json:"why,omitempty"`    // with UnknownSlots: the first reason
}

// InSchedule tells for each epoch from first to last whether the keys lead slots
// of it. The error is ErrNoKey or ErrEpochs; an unknown epoch is no error.
func (b *Book) InSchedule(keys []Key, first, last uint64) (*Presence, error) {
	switch {
	case len(keys) == 0:
		return nil, ErrNoKey
	case last < first:
		return nil, fmt.Errorf("%w: %d to %d", ErrEpochs, first, last)
	case last-first >= MaxEpochs:
		return nil, fmt.Errorf("%w: %d to %d are more than %d", ErrEpochs, first, last, MaxEpochs)
	}
	p := &Presence{Any: Absent, All: Present}
	for epoch := first; ; epoch++ {
		e := b.presence(keys, epoch)
		p.Epochs = append(p.Epochs, e)
		p.Any, p.All = either(p.Any, e.Status), both(p.All, e.Status)
		if epoch == last {
			return p, nil
		}
	}
}

func (b *Book) presence(keys []Key, epoch uint64) EpochPresence {
	if h, ok := b.Get(epoch); ok {
		return h.presence(keys)
	}
	e := EpochPresence{Epoch: epoch, FirstSlot: b.es.FirstSlot(epoch), Status: Unknown}
	for _, key := range keys {
		e.Keys = append(e.Keys, KeyPresence{Key: key, Status: Unknown, UnknownSlots: b.es.SlotsIn(epoch), Why: notHeld})
	}
	return e
}

func (h Held) presence(keys []Key) EpochPresence {
	e := EpochPresence{Epoch: h.Source.Epoch(), FirstSlot: h.Source.FirstSlot(), Status: Absent, Vintage: h.Label.Vintage}
	for _, key := range keys {
		k := h.keyPresence(key)
		e.Keys = append(e.Keys, k)
		e.Status = either(e.Status, k.Status)
	}
	return e
}

func (h Held) keyPresence(key Key) KeyPresence {
	k := KeyPresence{Key: key}
	for s := range overlay(h, []Key{key}, h.Source.FirstSlot()) {
		switch n := addSat(uint64(s.last-s.first), 1); s.kind {
		case led:
			k.Slots = addSat(k.Slots, n)
		case unknown:
			k.UnknownSlots = addSat(k.UnknownSlots, n)
			if k.Why == "" {
				k.Why = s.why
			}
		}
	}
	switch {
	case k.Slots > 0:
		k.Status = Present
	case k.UnknownSlots > 0:
		k.Status = Unknown
	default:
		k.Status, k.Reason = Absent, NotTold
		if staked, known := h.Source.Staked(key); known && staked {
			k.Reason = NotDrawn
		} else if known {
			k.Reason = NotStaked
		}
	}
	return k
}

// addSat adds up to 2^64-1.
func addSat(a, b uint64) uint64 {
	if a > math.MaxUint64-b {
		return math.MaxUint64
	}
	return a + b
}
