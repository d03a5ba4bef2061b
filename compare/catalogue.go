package compare

import (
	"fmt"
	"slices"

	"github.com/schedgen/schedgen/schedule"
)

// Names of the mistakes that [Explain] knows. They do not change.
const (
	MistakeList        = "other-stakes"         // an alternative list
	MistakeIdentity    = "keyed-by-identity"    // where vote accounts are right
	MistakeVote        = "keyed-by-vote"        // where identities are right
	MistakeEpoch       = "epoch-number"         // another epoch seeds the generator
	MistakeTies        = "order-of-ties"        // equal stakes in another order
	MistakeOrder       = "order-of-list"        // not sorted by stake, descending
	MistakeDuplicates  = "duplicates-kept"      // repeated entries are drawn for as well
	MistakeOverwritten = "identity-overwritten" // one vote account an identity, where they are to be added up
	MistakeAdmission   = "admission"            // SIMD-0357's cut to the 2,000 greatest
	MistakeZone        = "rejection"            // other words are rejected
	MistakeRemainder   = "remainder"            // a draw is the remainder of a division
	MistakeAtLeast     = "at-least"             // the first sum that is at least the draw, where it is to be above
	MistakeTotal       = "total"                // a lamport more or less in the total
	MistakeSeed        = "seed"                 // another form of the epoch
	MistakeRounds      = "rounds"               // ChaCha of fewer rounds
	MistakeHalves      = "word-halves"          // halves of words exchanged
	MistakeRepeat      = "repeat"               // another number of consecutive slots
	MistakeTail        = "tail"                 // the slots behind the last whole rotation
	MistakeMissing     = "missing-entry"        // the other side lacks entries of the list
	MistakeExtra       = "extra-entry"          // the other side has an entry that is not in the list
	MistakeStake       = "changed-stake"        // one entry has another stake on the other side
	MistakeShift       = "shift"                // slots counted from elsewhere
	MistakeRotated     = "rotated"              // slots counted from elsewhere, beginning anew at the end
	MistakeNumbers     = "slot-numbers"         // the same leaders under other slot numbers
	MistakeNodes       = "identity-changed"     // vote accounts with other identities
	MistakeVotesShown  = "vote-accounts-shown"  // vote accounts in the place of identities
)

// admitted is how many vote accounts SIMD-0357 admits at most.
const admitted = 2000

// A Mistake is what may have been done another way.
type Mistake struct {
	Name string `json:"name"` // one of the constants
	Text string `json:"text"` // for people; completes "with ..."
}

// A change makes one mistake.
type change struct {
	Mistake
	make func(*way)
}

// changes lists the mistakes that change the way of deriving alone, the likely
// ones first.
func (x *examiner) changes() []change {
	var all []change
	add := func(name, text string, f func(*way)) { all = append(all, change{Mistake{name, text}, f}) }
	for i, a := range x.c.Alternatives {
		add(MistakeList, "the stakes "+a.Name, func(y *way) { y.list = i + 1 })
	}
	if x.c.Keying == schedule.KeyedByVote {
		add(MistakeIdentity, "stakes added up and keyed by identity", func(y *way) { y.keying = schedule.KeyedByIdentity })
	} else {
		add(MistakeVote, "stakes keyed by vote account", func(y *way) { y.keying = schedule.KeyedByVote })
	}
	epoch := x.c.Params.Epoch
	for _, by := range []int64{-1, 1, -2, 2} {
		add(MistakeEpoch, fmt.Sprintf("the number of epoch %d in the place of %d", epoch+uint64(by), epoch), func(y *way) { y.epochShift = by })
	}
	add(MistakeAdmission, fmt.Sprintf("only vote accounts with more stake than number %d, as SIMD-0357 admits", admitted+1),
		func(y *way) { y.most = admitted })
	all = append(all, listChanges...)
	all = append(all, drawChanges...)
	for _, repeat := range []uint64{1, 2, 3, 4, 5, 6, 8, 16, 64} {
		if repeat != x.right.repeat {
			add(MistakeRepeat, fmt.Sprintf("%d consecutive slots a leader in the place of %d", repeat, x.right.repeat), func(y *way) { y.repeat = repeat })
		}
	}
	if x.whole() && uint64(x.slots)%x.right.repeat != 0 {
		add(MistakeTail, "the slots behind the last whole rotation led as those at the beginning", func(y *way) { y.wraps = true })
	}
	return all
}

var listChanges = []change{
	{Mistake{MistakeTies, "equal stakes in ascending order of keys"}, func(y *way) { y.order = tiesAscending }},
	{Mistake{MistakeTies, "equal stakes in the order of the list"}, func(y *way) { y.order = tiesAsListed }},
	{Mistake{MistakeTies, "equal stakes in descending order of identities"}, func(y *way) { y.order = tiesByNode }},
	{Mistake{MistakeTies, "equal stakes in descending order of base58 text"}, func(y *way) { y.order = tiesByText }},
	{Mistake{MistakeOrder, "the list as it is, not sorted"}, func(y *way) { y.order = asListed }},
	{Mistake{MistakeOrder, "stakes sorted in ascending order"}, func(y *way) { y.order = stakesAscending }},
	{Mistake{MistakeOrder, "the list sorted by ascending key"}, func(y *way) { y.order = keysAscending }},
	{Mistake{MistakeOrder, "the list sorted by descending key"}, func(y *way) { y.order = keysDescending }},
	{Mistake{MistakeDuplicates, "repeated entries drawn for as well"}, func(y *way) { y.merge = keepDuplicates }},
	{Mistake{MistakeOverwritten, "only the last vote account of an identity, not the sum"}, func(y *way) { y.merge = lastOfNode }},
	{Mistake{MistakeOverwritten, "only the first vote account of an identity, not the sum"}, func(y *way) { y.merge = firstOfNode }},
	{Mistake{MistakeVotesShown, "vote accounts in the place of their identities"}, func(y *way) { y.shown = true }},
}

var drawChanges = []change{
	{Mistake{MistakeZone, "the rejection zone of gen_range (shift), not that of WeightedIndex (modulo)"}, func(y *way) { y.roll = rollShift }},
	{Mistake{MistakeZone, "the low end of products rejected, as rand 0.9 does, not the high end"}, func(y *way) { y.roll = rollLowEnd }},
	{Mistake{MistakeZone, "no word rejected"}, func(y *way) { y.roll = rollAll }},
	{Mistake{MistakeZone, "a second word instead of a rejection, as random_range of rand 0.9 does"}, func(y *way) { y.roll = rollCanon }},
	{Mistake{MistakeRemainder, "words divided by the total, and the remainder taken"}, func(y *way) { y.roll = rollRemainder }},
	{Mistake{MistakeAtLeast, "the first cumulative stake that is at least the draw (>=), not above it (>)"}, func(y *way) { y.atLeast = true }},
	{Mistake{MistakeTotal, "a total of one lamport more"}, func(y *way) { y.extra = 1 }},
	{Mistake{MistakeTotal, "a total of one lamport less"}, func(y *way) { y.extra = -1 }},
	{Mistake{MistakeSeed, "the epoch big-endian in the first 8 bytes of the seed"}, func(y *way) { y.seed = bigEndian8 }},
	{Mistake{MistakeSeed, "the epoch as a big-endian number of 32 bytes"}, func(y *way) { y.seed = bigEndian32 }},
	{Mistake{MistakeSeed, "the generator seeded by seed_from_u64"}, func(y *way) { y.seed = expanded }},
	{Mistake{MistakeRounds, "ChaCha of 8 rounds, not 20"}, func(y *way) { y.rounds = rounds8 }},
	{Mistake{MistakeRounds, "ChaCha of 12 rounds, not 20"}, func(y *way) { y.rounds = rounds12 }},
	{Mistake{MistakeHalves, "the two halves of every word exchanged"}, func(y *way) { y.swapped = true }},
}

// A try is a way, and what is wrong with it.
type try struct {
	way
	mistakes []Mistake
}

// and returns t with one more change.
func (x *examiner) and(t try, c change) try {
	y := t.way
	c.make(&y)
	return try{x.plain(y), append(t.mistakes[:len(t.mistakes):len(t.mistakes)], c.Mistake)}
}

// plain returns the way that does without an arrangement that changes nothing: a
// list may have no ties, or no repeated entries.
func (x *examiner) plain(y way) way {
	if y.arrangement == x.right.arrangement {
		return y
	}
	right, _ := x.weights(x.right.arrangement)
	if w, ok := x.weights(y.arrangement); ok && slices.Equal(w.ids, right.ids) && slices.Equal(w.sums, right.sums) {
		y.arrangement = x.right.arrangement
	}
	return y
}

// inputs returns the ways that differ in the list, its keying and the number of
// the epoch alone, the right one first.
func (x *examiner) inputs() []try {
	all := []try{{x.right, nil}}
	for _, name := range []string{MistakeList, MistakeIdentity, MistakeVote, MistakeEpoch} {
		for _, t := range all {
			for _, c := range x.changes() {
				if c.Name != name {
					continue
				}
				if more := x.and(t, c); more.way != t.way {
					all = append(all, more)
				}
			}
		}
	}
	return all
}
