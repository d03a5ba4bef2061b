package admission

import (
	"slices"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
)

const (
	// MaxValidators is how many vote accounts are admitted at most.
	MaxValidators = 2_000

	// RentMinimum is the balance in lamports that keeps an account of 3,762 bytes,
	// a vote account's, from paying rent: 3,480 lamports a byte and year for two
	// years, of its data and 128 bytes more. SIMD-0436 and SIMD-0437 lower it
	// where they are active.
	RentMinimum = (128 + 3_762) * 3_480 * 2
)

// Options say how vote accounts are admitted.
type Options struct {
	Rule Rule // "" means Auto

	// Minimum is the least balance in lamports; 0 means RentMinimum.
	Minimum uint64
	// Burn is what an epoch's admission costs in lamports, which the balance must
	// have beside Minimum: 1.6 SOL at slots of 400 ms where Alpenglow is active.
	Burn uint64
}

// Apply returns the list of the vote accounts that are admitted, in the order that
// l has them, and tells who is not. It does not change l, which it returns itself
// when nobody is left out. What it returns stays the same when it is applied
// again.
//
// It does not ask whether the rule holds in the list's epoch: see [Applies].
func Apply(l *list.List, o Options) (*list.List, Report) {
	if o.Rule == "" {
		o.Rule = Auto
	}
	report := Report{Rule: o.Rule, Listed: len(l.Entries), Admitted: len(l.Entries)}
	told := l.Accounts != nil && len(l.Accounts) == len(l.Entries)
	report.State = stateOf(l, o.Rule, told)
	if report.State != Applied && report.State != StakesOnly {
		return l, report
	}
	reasons := make([]Reason, len(l.Entries))
	for i, e := range l.Entries {
		var account *list.Account
		if told {
			account = &l.Accounts[i]
		}
		reasons[i] = eligible(e.Stake, account, o.least())
	}
	report.cut(l.Entries, reasons)
	return report.take(l, reasons), report
}

// stateOf decides what is done with a list.
func stateOf(l *list.List, r Rule, told bool) State {
	switch {
	case r != Auto && r != Top2000:
		return NotAsked
	case !l.HasVotes:
		return ByIdentity
	case r == Auto && Recorded(&l.Provenance):
		return AlreadyAdmitted
	case told:
		return Applied
	case r == Auto:
		return Untold
	}
	return StakesOnly
}

// Recorded reports whether a list is the one that the network recorded, and so has
// only who was admitted. What a node answers is not: it lists everybody, at the
// slot of the record too.
func Recorded(p *list.Provenance) bool {
	return p.Vintage == list.VintageExact && p.Kind != list.KindRPC && p.Kind != list.KindVoteAccounts
}

// least returns the least balance, or the greatest number when that is out of
// reach.
func (o Options) least() uint64 {
	minimum := o.Minimum
	if minimum == 0 {
		minimum = RentMinimum
	}
	if sum := minimum + o.Burn; sum >= minimum {
		return sum
	}
	return ^uint64(0)
}

// eligible looks at an entry by itself; account is nil when it is not told.
func eligible(stake uint64, account *list.Account, least uint64) Reason {
	switch {
	case stake == 0:
		return NoStake
	case account == nil:
		return admitted
	case !account.BLS:
		return NoBLS
	case account.Lamports < least:
		return LowBalance
	}
	return admitted
}

// cut leaves out whoever has no more stake than the first that is too many. An
// entry that stands twice counts once, as it does for schedule.NewStakes.
func (r *Report) cut(entries []schedule.Entry, reasons []Reason) {
	seen := make(map[schedule.Pubkey]bool, len(entries))
	stakes := make([]uint64, 0, len(entries))
	for i, e := range entries {
		if reasons[i] == admitted && !seen[e.Key] {
			seen[e.Key] = true
			stakes = append(stakes, e.Stake)
		}
	}
	if len(stakes) <= MaxValidators {
		return
	}
	slices.Sort(stakes)
	r.Floor = stakes[len(stakes)-1-MaxValidators]
	for i, e := range entries {
		if reasons[i] == admitted && e.Stake <= r.Floor {
			reasons[i] = OutsideTop
		}
	}
}

// take makes the list of those whom no reason leaves out.
func (r *Report) take(l *list.List, reasons []Reason) *list.List {
	for i, reason := range reasons {
		if reason != admitted {
			r.Left = append(r.Left, Left{Key: l.Entries[i].Key, Stake: l.Entries[i].Stake, Reason: reason})
		}
	}
	if len(r.Left) == 0 {
		return l
	}
	kept := &list.List{HasVotes: l.HasVotes, Provenance: l.Provenance}
	kept.Provenance.Notes = slices.Clone(l.Provenance.Notes)
	for i, reason := range reasons {
		if reason != admitted {
			continue
		}
		kept.Entries = append(kept.Entries, l.Entries[i])
		if len(l.Accounts) == len(l.Entries) {
			kept.Accounts = append(kept.Accounts, l.Accounts[i])
		}
	}
	r.Admitted = len(kept.Entries)
	return kept
}
