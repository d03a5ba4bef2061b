// Package summary says in a few numbers what a stake list holds.
package summary

import (
	"cmp"
	"math/bits"
	"slices"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
)

// A Summary is of the entries with stake of one list. Stakes are lamports; in JSON
// they are strings, since programs round numbers over 2^53.
type Summary struct {
	Entries    int    `json:"entries"`    // with stake
	ZeroStakes int    `json:"zeroStakes"` // entries without
	Identities int    `json:"identities"`
	Total      uint64 `json:"total,string"`
	Largest    Holder `json:"largest"` // the identity with most stake
	// Nakamoto is the least number of identities that together hold more than a
	// third of the stake, and so can halt the cluster.
	Nakamoto int `json:"nakamoto"`
	// Ties are the entries that have the stake of another one: their keys decide
	// who is drawn first. TieGroups counts the different stakes of these.
	Ties      int `json:"ties"`
	TieGroups int `json:"tieGroups"`
}

// A Holder is an identity with the stake of all its vote accounts.
type Holder struct {
	Identity schedule.Pubkey `json:"identity"`
	Stake    uint64          `json:"stake,string"`
}

// Of summarizes a list. The errors are those of schedule.NewStakes: a list that
// cannot be drawn from has no summary.
func Of(l *list.List) (Summary, error) {
	keying := schedule.KeyedByIdentity
	if l.HasVotes {
		keying = schedule.KeyedByVote
	}
	drawn, err := schedule.NewStakes(l.Entries, keying)
	if err != nil {
		return Summary{}, err
	}
	holders := holdersOf(drawn)
	s := Summary{
		Entries:    drawn.Len(),
		Identities: len(holders),
		Total:      drawn.Total(),
		Largest:    holders[0],
		Nakamoto:   nakamoto(holders, drawn.Total()),
	}
	for _, e := range l.Entries {
		if e.Stake == 0 {
			s.ZeroStakes++
		}
	}
	s.Ties, s.TieGroups = ties(drawn)
	return s, nil
}

// holdersOf returns the identities, by stake and key descending.
func holdersOf(drawn *schedule.Stakes) []Holder {
	sums := map[schedule.Pubkey]uint64{}
	for _, e := range drawn.All() {
		sums[e.Node] += e.Stake
	}
	holders := make([]Holder, 0, len(sums))
	for identity, stake := range sums {
		holders = append(holders, Holder{identity, stake})
	}
	slices.SortFunc(holders, func(a, b Holder) int {
		return cmp.Or(cmp.Compare(b.Stake, a.Stake), b.Identity.Compare(a.Identity))
	})
	return holders
}

// nakamoto counts the first holders whose sum times three is over the total.
func nakamoto(holders []Holder, total uint64) int {
	sum := uint64(0)
	for i, h := range holders {
		sum += h.Stake
		if high, low := bits.Mul64(sum, 3); high > 0 || low > total {
			return i + 1
		}
	}
	return len(holders)
}

// ties counts the entries whose neighbour has the same stake, and their groups.
func ties(drawn *schedule.Stakes) (entries, groups int) {
	run, last := 0, uint64(0)
	for _, e := range drawn.All() {
		if e.Stake != last {
			run, last = 1, e.Stake
			continue
		}
		run++
		entries++
		if run == 2 {
			entries++
			groups++
		}
	}
	return entries, groups
}
