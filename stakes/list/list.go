package list

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/schedgen/schedgen/schedule"
)

// A List is the stakes of one epoch as a source has them, neither checked nor
// sorted: schedule.NewStakes does both.
type List struct {
	Name     string // what was opened, for messages; "" is Provenance.Source
	Entries  []schedule.Entry
	HasVotes bool // Key is a vote account, Node its identity; otherwise both are the same
	// Accounts is parallel to Entries and says what the admission of SIMD-0357
	// looks at; nil when the source does not tell.
	Accounts   []Account
	Provenance Provenance
}

// An Account is what a vote account's admission to a schedule depends on beside
// its stake (SIMD-0357).
type Account struct {
	Lamports uint64 // balance
	BLS      bool   // has a BLS public key
}

// A Set is what one source holds: at least one list, ascending by the epoch they
// lead. One whose epoch is not known stands alone.
type Set struct {
	Lists []List
}

// An EpochError says that a source has no stakes for an epoch.
type EpochError struct {
	Source string
	Want   uint64
	Have   []uint64 // ascending
}

func (e *EpochError) Error() string {
	have := make([]string, len(e.Have))
	for i, epoch := range e.Have {
		have[i] = strconv.FormatUint(epoch, 10)
	}
	return fmt.Sprintf("%s: no stakes for the schedule of epoch %d, only for epoch %s",
		e.Source, e.Want, strings.Join(have, ", "))
}

// Epochs returns the epochs that lists of the set lead, ascending; none when
// that is not known.
func (s *Set) Epochs() []uint64 {
	var epochs []uint64
	for i := range s.Lists {
		if epoch := s.Lists[i].Provenance.Epoch; epoch != nil {
			epochs = append(epochs, *epoch)
		}
	}
	return epochs
}

// For returns the list that leads an epoch; an only list whose epoch is not known
// leads any. The error is an *EpochError.
func (s *Set) For(epoch uint64) (*List, error) {
	if len(s.Lists) == 1 && s.Lists[0].Provenance.Epoch == nil {
		return &s.Lists[0], nil
	}
	have := s.Epochs()
	if i := slices.Index(have, epoch); i >= 0 && len(have) == len(s.Lists) {
		return &s.Lists[i], nil
	}
	source := ""
	if len(s.Lists) > 0 {
		source = s.Lists[0].Title()
	}
	return nil, &EpochError{Source: source, Want: epoch, Have: have}
}

// Title is what messages call a list: what was opened, and where that had it from.
func (l *List) Title() string {
	switch source := l.Provenance.Source; {
	case l.Name == "" || l.Name == source:
		return source
	case source == "":
		return l.Name
	default:
		return l.Name + " (from " + source + ")"
	}
}

// Latest returns the list of the latest epoch.
func (s *Set) Latest() *List { return &s.Lists[len(s.Lists)-1] }
