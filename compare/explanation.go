package compare

import (
	"fmt"

	"github.com/schedgen/schedgen/schedule"
)

// Explanation is what [Explain] finds.
type Explanation struct {
	Alignment Alignment `json:"alignment"` // A is the schedule, B the other side
	// Equal: the other side is the schedule, in every slot that it has.
	Equal bool `json:"equal"`
	// AsIs is the schedule without mistake beside the other side.
	AsIs Hypothesis `json:"asIs"`
	// Hypotheses are what explains the other side, the best first: all that do so
	// exactly, or else some that come nearer than chance.
	Hypotheses []Hypothesis `json:"hypotheses"`
	// Tried is how many schedules were derived and compared, in whole or in part.
	Tried int `json:"tried"`
	// Chance is how many slots agree, about, when nothing is right.
	Chance uint64 `json:"chance"`
	// Weak: so few slots are known that anything may agree by chance, and an
	// exact hypothesis means little.
	Weak bool `json:"weak"`
	// Unlisted are leaders of the other side that are not in the list.
	Unlisted []Unlisted `json:"unlisted,omitempty"`
	// Absent are entries of the list that never lead on the other side and ought
	// to by their stake.
	Absent []Absent `json:"absent,omitempty"`
	// Drift says that the other side follows the same draws; nil when it does not,
	// or when that cannot be told: too few slots are known.
	Drift *Drift `json:"drift,omitempty"`
}

// Unlisted is a leader that is not in the list.
type Unlisted struct {
	Key   schedule.Pubkey `json:"key"`
	Slots uint64          `json:"slots"` // that it leads on the other side
	// Stake is what would give it so many slots, about, in lamports.
	Stake uint64 `json:"stake"`
}

// Absent is an entry that does not lead where it ought to.
type Absent struct {
	Entry    Entry  `json:"entry"`
	Expected uint64 `json:"expected"` // slots, about, by its stake
}

// Drift is how far the other side follows the draws of the list, when words
// that it may have rejected are set aside. Which words are rejected goes by the
// last digits of the total stake. So a high share says that generator, epoch and
// order are the same and stakes differ somewhat.
type Drift struct {
	Mistakes  []Mistake `json:"mistakes,omitempty"` // of other inputs that it follows better
	Rotations uint64    `json:"rotations"`          // with a leader on the other side
	Follow    uint64    `json:"follow"`             // whose leader is that of their word
}

// String returns what the drift means, in a clause.
func (d *Drift) String() string {
	with := Hypothesis{Mistakes: d.Mistakes}
	what := "the draws are the same and the stakes differ somewhat"
	if len(d.Mistakes) > 0 {
		what = with.Text() + ", the draws are the same and the stakes differ somewhat"
	}
	return fmt.Sprintf("%s: %d of %d rotations follow their words", what, d.Follow, d.Rotations)
}

// Exact reports whether the other side is explained exactly, and by enough slots.
func (e *Explanation) Exact() bool {
	return !e.Weak && len(e.Hypotheses) > 0 && e.Hypotheses[0].Exact
}

// String returns one line that says what is found.
func (e *Explanation) String() string {
	switch {
	case e.Equal:
		return fmt.Sprintf("all %d slots agree", e.AsIs.Compared)
	case e.AsIs.Compared == 0:
		return "no slot could be compared"
	case e.Weak:
		return fmt.Sprintf("%d of %d slots agree, too few are known to say why the others do not", e.AsIs.Equal, e.AsIs.Compared)
	case e.Exact():
		return "explained: " + e.Hypotheses[0].String()
	case e.Drift != nil && e.AsIs.First != nil:
		return fmt.Sprintf("no known mistake explains it: %v; the first slot that differs is index %d", e.Drift, *e.AsIs.First)
	case len(e.Hypotheses) > 0:
		return "no known mistake explains it; the nearest: " + e.Hypotheses[0].String()
	}
	return fmt.Sprintf("no known mistake explains it: %d of %d slots agree, by chance about %d would", e.AsIs.Equal, e.AsIs.Compared, e.Chance)
}
