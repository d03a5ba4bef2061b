package compare

import "github.com/schedgen/schedgen/schedule"

// A way is one way to derive a schedule: the right one, or one with a mistake.
// The zero values of its fields are right. Two ways that are equal give the same
// schedule.
type way struct {
	arrangement
	seeding
	rolling
	slotting
}

// An arrangement is how a list of entries becomes a list of weights.
type arrangement struct {
	list   int // 0 is the case's own list, then come its alternatives
	keying schedule.Keying
	order  order
	merge  merge
	most   int  // vote accounts kept, see admit; 0 keeps all
	shown  bool // keys lead, not identities
}

// order is how the weights are sorted.
type order uint8

const (
	byStakeAndKey order = iota // both descending
	tiesAscending              // equal stakes by ascending key
	tiesAsListed               // equal stakes as they were listed
	tiesByNode                 // equal stakes by descending identity
	tiesByText                 // equal stakes by descending base58 text
	stakesAscending
	keysAscending
	keysDescending
	asListed
)

// merge is what is done with entries that belong together.
type merge uint8

const (
	mergeRight     merge = iota
	keepDuplicates       // entries that repeat another are drawn for as well
	lastOfNode           // an identity has the stake of its last vote account alone
	firstOfNode          // or of its first
)

// A seeding is which words are drawn.
type seeding struct {
	epochShift int64 // added to the epoch
	seed       seedForm
	rounds     roundsOf
	swapped    bool // the halves of each word are exchanged
}

// seedForm is how the epoch becomes the 32 bytes of a seed.
type seedForm uint8

const (
	littleEndian seedForm = iota // in the first eight bytes
	bigEndian8                   // in the first eight bytes
	bigEndian32                  // as one number of 32 bytes
	expanded                     // by seed_from_u64 of rand_core 0.6
)

// roundsOf is the number of rounds of ChaCha.
type roundsOf uint8

const (
	rounds20 roundsOf = iota
	rounds12
	rounds8
)

// A rolling is how a word becomes an entry.
type rolling struct {
	roll    rollKind
	atLeast bool  // take the first entry whose cumulative stake is at least the draw
	extra   int64 // lamports too many in the total
}

// rollKind is how a word becomes a number below the total.
type rollKind uint8

const (
	rollModulo    rollKind = iota // the zone of leader schedules
	rollShift                     // the zone of gen_range
	rollLowEnd                    // the lowest low halves are rejected, as Uniform of rand 0.9 does
	rollAll                       // no word is rejected
	rollRemainder                 // the remainder of a division
	rollCanon                     // a second word instead of a rejection, as random_range of rand 0.9 does
)

// A slotting is how entries drawn become the leaders of slots.
type slotting struct {
	repeat uint64
	wraps  bool // slots behind the last whole rotation are led as those at the beginning
}
