package leaders

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
)

// A Book holds the schedules of several epochs of one cluster. It never changes
// and may be used from many goroutines: a service that learns of a new epoch
// makes another book (see [Book.With]) and swaps a pointer.
type Book struct {
	es   schedule.EpochSchedule
	held []Held // ascending
}

// Held is one epoch of a book.
type Held struct {
	Source Source
	Label  Label
}

// A Label says where a schedule comes from and whether it is the network's.
type Label struct {
	Source  string       `json:"source,omitempty"` // path, address without credentials, or what else to call it
	Vintage list.Vintage `json:"vintage"`          // "" counts as list.VintageUnknown
	Reason  string       `json:"reason,omitempty"` // why the vintage is what it is
}

// LabelOf returns the label of a schedule that is derived from a stake list.
func LabelOf(p *list.Provenance) Label {
	return Label{Source: p.Source, Vintage: p.Vintage, Reason: p.Reason}
}

// New returns a book of epochs in any order. The error is an ErrNoSource, an
// ErrTwice, a schedule.ErrSlots, or a *schedule.FitError when a schedule does not
// have the slots that es gives to its epoch.
func New(es schedule.EpochSchedule, held ...Held) (*Book, error) {
	b := &Book{es: es, held: slices.Clone(held)}
	for i := range b.held {
		h := &b.held[i]
		if h.Source == nil {
			return nil, fmt.Errorf("%w: number %d of %d is nil", ErrNoSource, i+1, len(held))
		}
		if err := fits(es, h.Source); err != nil {
			return nil, err
		}
		if h.Label.Vintage == "" {
			h.Label.Vintage = list.VintageUnknown
		}
	}
	slices.SortStableFunc(b.held, func(a, b Held) int { return cmp.Compare(a.Source.Epoch(), b.Source.Epoch()) })
	for i := 1; i < len(b.held); i++ {
		if epoch := b.held[i].Source.Epoch(); epoch == b.held[i-1].Source.Epoch() {
			return nil, fmt.Errorf("%w: epoch %d from %q and from %q", ErrTwice, epoch, b.held[i-1].Label.Source, b.held[i].Label.Source)
		}
	}
	return b, nil
}

func fits(es schedule.EpochSchedule, s Source) error {
	epoch, first, slots := s.Epoch(), s.FirstSlot(), s.Slots()
	if want, wantSlots := es.FirstSlot(epoch), es.SlotsIn(epoch); first != want || slots != wantSlots {
		return &schedule.FitError{Epoch: epoch, FirstSlot: first, WantFirstSlot: want, Slots: slots, WantSlots: wantSlots}
	}
	if slots == 0 {
		return fmt.Errorf("%w: epoch %d has 0", schedule.ErrSlots, epoch)
	}
	if _, carry := bits.Add64(uint64(first), slots-1, 0); carry != 0 {
		return fmt.Errorf("%w: %d slots of epoch %d from slot %d go past slot 18446744073709551615", schedule.ErrSlots, slots, epoch, first)
	}
	return nil
}

// With returns a book that has h too, in the place of what b holds of that epoch.
// The errors are those of New.
func (b *Book) With(h Held) (*Book, error) {
	held := make([]Held, 0, len(b.held)+1)
	for _, old := range b.held {
		if h.Source == nil || old.Source.Epoch() != h.Source.Epoch() {
			held = append(held, old)
		}
	}
	return New(b.es, append(held, h)...)
}

// EpochSchedule returns the epoch schedule of the cluster.
func (b *Book) EpochSchedule() schedule.EpochSchedule { return b.es }

// Epochs returns the epochs held, ascending.
func (b *Book) Epochs() []uint64 {
	epochs := make([]uint64, len(b.held))
	for i, h := range b.held {
		epochs[i] = h.Source.Epoch()
	}
	return epochs
}

// Get returns what is held of an epoch.
func (b *Book) Get(epoch uint64) (Held, bool) {
	i, ok := slices.BinarySearchFunc(b.held, epoch, func(h Held, epoch uint64) int {
		return cmp.Compare(h.Source.Epoch(), epoch)
	})
	if !ok {
		return Held{}, false
	}
	return b.held[i], true
}

// last returns the last slot of the epoch.
func (h Held) last() schedule.Slot { return h.Source.FirstSlot() + schedule.Slot(h.Source.Slots()-1) }
