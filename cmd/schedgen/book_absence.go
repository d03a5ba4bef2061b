package main

import (
	"fmt"

	"github.com/schedgen/schedgen/leaders"
	"github.com/schedgen/schedgen/schedule"
)

// lead begins a sentence about keys: "identity KEY has", "none of the 2 keys has".
func lead(keys []leaders.Key) string {
	if len(keys) == 1 {
		return keys[0].String() + " has"
	}
	return fmt.Sprintf("all %d keys together have", len(keys))
}

// An absence is why keys are not on the schedule.
type absence struct {
	epochs []uint64
	reason leaders.Reason
	left   string // why SIMD-0357 keeps a key out
	beyond string // what is not known after these epochs
}

// absence looks at the epochs from that of one slot to that of another, which are
// held; nil when one of the keys leads a slot of them, or may.
func (v *bookView) absence(from, to schedule.Slot) *absence {
	first, _ := v.EpochSchedule().EpochOf(from)
	last, _ := v.EpochSchedule().EpochOf(to)
	p, err := v.InSchedule(v.keys, first, last)
	if err != nil || p.Any != leaders.Absent {
		return nil
	}
	why := &absence{reason: leaders.NotStaked}
	for _, e := range p.Epochs {
		why.epochs = append(why.epochs, e.Epoch)
		for _, k := range e.Keys {
			if k.Reason != leaders.NotStaked && why.reason != leaders.NotDrawn {
				why.reason = k.Reason
			}
			if d := v.stakes[e.Epoch]; d != nil && why.left == "" {
				why.left = d.leftOut(k.Key)
			}
		}
	}
	return why
}

func (w *absence) error(keys []leaders.Key) error {
	who := keys[0].String() + " is not"
	if len(keys) > 1 {
		who = fmt.Sprintf("none of the %d keys is", len(keys))
	}
	return answerError(fmt.Sprintf("%s on the schedule of %s: %s%s", who, epochList(w.epochs), w.text(), w.beyond))
}

// text says why in words.
func (w *absence) text() string {
	switch {
	case w.left != "" && w.reason == leaders.NotStaked:
		return fmt.Sprintf("SIMD-0357 does not admit it (%s)", w.left)
	case w.reason == leaders.NotStaked:
		return "no stake in the list"
	case w.reason == leaders.NotDrawn:
		return "it has stake, and no slot was drawn for it"
	}
	return "the schedule does not tell who has stake"
}
