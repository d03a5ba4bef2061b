package admission

import (
	"fmt"
	"strings"

	"github.com/schedgen/schedgen/schedule"
)

// A Reason says why a vote account is not admitted.
type Reason string

const (
	NoStake    Reason = "no stake"
	NoBLS      Reason = "no BLS key"
	LowBalance Reason = "low balance"
	OutsideTop Reason = "outside the top 2000"

	admitted Reason = ""
)

// Reasons returns every reason, in the order in which they are looked at.
func Reasons() []Reason { return []Reason{NoStake, NoBLS, LowBalance, OutsideTop} }

// A State says what was done with a list.
type State uint8

const (
	// NotAsked: nobody was to be left out. The list is taken as it is.
	NotAsked State = iota
	// Applied: everything that the rule looks at was looked at.
	Applied
	// StakesOnly: BLS keys and balances are not told, and were not looked at.
	StakesOnly
	// AlreadyAdmitted: an exact list has only who was admitted. It is taken as it
	// is.
	AlreadyAdmitted
	// Untold: without BLS keys and balances it is not known who was admitted. The
	// list is taken as it is.
	Untold
	// ByIdentity: the rule looks at vote accounts, and the list has identities.
	// The list is taken as it is.
	ByIdentity
)

// A Report tells what admission did to a list.
type Report struct {
	Rule     Rule
	State    State
	Listed   int    // entries before
	Admitted int    // entries after
	Left     []Left // who was left out, in the order of the list
	// Floor is the stake in lamports of the 2,001st vote account, which an
	// admitted one is over; 0 when there were no more than 2,000.
	Floor uint64
}

// A Left is a vote account that was left out.
type Left struct {
	Key    schedule.Pubkey
	Stake  uint64 // lamports
	Reason Reason
}

// Count returns how many vote accounts were left out for a reason.
func (r *Report) Count(why Reason) int {
	n := 0
	for i := range r.Left {
		if r.Left[i].Reason == why {
			n++
		}
	}
	return n
}

// String returns one line, or nothing when the list is as it was and that is all
// there is to say.
func (r Report) String() string {
	switch r.State {
	case Untold:
		return "admission (SIMD-0357): the source does not tell BLS keys and balances; the list is taken as it is"
	case ByIdentity:
		return "admission (SIMD-0357): the rule looks at vote accounts, and the list has identities; it is taken as it is"
	case Applied, StakesOnly:
	default:
		return ""
	}
	unchecked := ""
	if r.State == StakesOnly {
		unchecked = "; BLS keys and balances are not told and were not checked"
	}
	if len(r.Left) == 0 && unchecked == "" {
		return ""
	}
	return fmt.Sprintf("admission (SIMD-0357): %d of %d vote accounts%s%s", r.Admitted, r.Listed, r.leftOut(), unchecked)
}

// leftOut says how many were left out, and why.
func (r *Report) leftOut() string {
	if len(r.Left) == 0 {
		return ""
	}
	var why []string
	for _, reason := range Reasons() {
		if n := r.Count(reason); n > 0 {
			why = append(why, fmt.Sprintf("%d %s", n, reason))
		}
	}
	text := "; left out: " + strings.Join(why, ", ")
	if r.Floor > 0 {
		text += fmt.Sprintf(" (at most %d lamports)", r.Floor)
	}
	return text
}
