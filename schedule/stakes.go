package schedule

import (
	"iter"
	"math"
	"slices"
	"sync"
)

// Entry is one row of a stake list.
type Entry struct {
	Key   Pubkey // vote account, or the identity itself
	Node  Pubkey // identity that leads; zero means Key
	Stake uint64 // active stake in lamports
}

// MaxEntries is the greatest length of a stake list.
const MaxEntries = math.MaxUint32 - 1

// Stakes is a checked stake list in the order that derivation needs: by
// (stake, key), both descending. The position of an entry is its rank. Stakes
// never change and may be used from many goroutines; pass them by pointer.
//
// Memory: 40 bytes an entry, and 32 more when identities differ from keys. The
// first question about an identity or a vote account adds a lookup table of 8
// to 24 bytes an entry.
type Stakes struct {
	keying Keying
	total  uint64
	keys   []Pubkey // by rank
	nodes  []Pubkey // by rank; the same slice as keys where every node is its key
	stakes []uint64 // by rank

	identitiesOnce sync.Once
	identitiesOf   identities
	keysOnce       sync.Once
	keysTable      keyTable
}

// NewStakes checks and sorts a stake list; it keeps nothing of entries and does
// not change them. In this order:
//
//   - entries without stake are left out;
//   - entries that repeat another in every field are dropped; the same key with
//     another stake or identity is ErrDuplicateKey;
//   - with KeyedByIdentity the stakes of one identity are added up, and the
//     identity becomes the key;
//   - the rest is sorted by (stake, key) descending.
//
// A sum of stakes over 2^64-1 is ErrStakeOverflow, a list without stake
// ErrNoStake, one longer than MaxEntries ErrTooManyEntries.
func NewStakes(entries []Entry, k Keying) (*Stakes, error) { return new(lister).list(entries, k) }

// Len returns the number of entries.
func (s *Stakes) Len() int { return len(s.stakes) }

// Total returns the sum of all stakes in lamports.
func (s *Stakes) Total() uint64 { return s.total }

// Keying returns what the entries stand for.
func (s *Stakes) Keying() Keying { return s.keying }

// Entry returns the entry of a rank, with its Node filled in; the zero Entry
// when rank is not in [0, Len()).
func (s *Stakes) Entry(rank int) Entry {
	if rank < 0 || rank >= len(s.stakes) {
		return Entry{}
	}
	return Entry{s.keys[rank], s.nodes[rank], s.stakes[rank]}
}

// All yields rank and entry in the order of ranks.
func (s *Stakes) All() iter.Seq2[int, Entry] {
	return func(yield func(int, Entry) bool) {
		for rank := range s.stakes {
			if !yield(rank, s.Entry(rank)) {
				return
			}
		}
	}
}

// Weights returns a copy of the stakes by rank, in lamports.
func (s *Stakes) Weights() []uint64 { return slices.Clone(s.stakes) }
