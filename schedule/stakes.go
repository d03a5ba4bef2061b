package schedule

import (
	"cmp"
	"fmt"
	"iter"
	"math"
	"math/bits"
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
func NewStakes(entries []Entry, k Keying) (*Stakes, error) {
	if k != KeyedByVote && k != KeyedByIdentity {
		return nil, fmt.Errorf("schedule: %w %v, want vote or identity", ErrKeying, k)
	}
	if err := checkCount(uint64(len(entries))); err != nil {
		return nil, err
	}
	rows, err := distinct(entries)
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("schedule: %w: none of %d entries has any", ErrNoStake, len(entries))
	}
	if k == KeyedByIdentity {
		if rows, err = sumByNode(rows); err != nil {
			return nil, err
		}
	}
	return sorted(rows, k)
}

func checkCount(n uint64) error {
	if n > MaxEntries {
		return fmt.Errorf("schedule: %w: %d, at most %d", ErrTooManyEntries, n, uint64(MaxEntries))
	}
	return nil
}

// distinct copies the entries that have stake, each once and with its node
// filled in.
func distinct(entries []Entry) ([]Entry, error) {
	rows := make([]Entry, 0, len(entries))
	seen := newKeyTable(len(entries), func(i uint32) *Pubkey { return &rows[i].Key })
	for _, e := range entries {
		if e.Stake == 0 {
			continue
		}
		if e.Node.IsZero() {
			e.Node = e.Key
		}
		at, added := seen.insert(&e.Key, uint32(len(rows)))
		if added {
			rows = append(rows, e)
			continue
		}
		if first := rows[at]; first != e {
			return nil, duplicateError(first, e)
		}
	}
	return rows, nil
}

func duplicateError(a, b Entry) error {
	if a.Node == b.Node {
		return fmt.Errorf("schedule: %w: %v with %d and with %d lamports", ErrDuplicateKey, a.Key, a.Stake, b.Stake)
	}
	return fmt.Errorf("schedule: %w: %v with %d lamports for identity %v and with %d for %v",
		ErrDuplicateKey, a.Key, a.Stake, a.Node, b.Stake, b.Node)
}

// sumByNode returns one row an identity, with the identity as its key. It works
// in place: a row is read before its position can be written.
func sumByNode(rows []Entry) ([]Entry, error) {
	sums := rows[:0]
	seen := newKeyTable(len(rows), func(i uint32) *Pubkey { return &rows[i].Node })
	for _, e := range rows {
		at, added := seen.insert(&e.Node, uint32(len(sums)))
		if added {
			sums = append(sums, Entry{Key: e.Node, Node: e.Node, Stake: e.Stake})
			continue
		}
		sum, carry := bits.Add64(sums[at].Stake, e.Stake, 0)
		if carry != 0 {
			return nil, fmt.Errorf("schedule: %w: identity %v has %d, its vote account %v adds %d",
				ErrStakeOverflow, e.Node, sums[at].Stake, e.Key, e.Stake)
		}
		sums[at].Stake = sum
	}
	return sums, nil
}

// sorted lays rows out by rank and adds up their stakes.
func sorted(rows []Entry, k Keying) (*Stakes, error) {
	// Small elements sort much faster than whole rows; keys only break ties.
	type element struct {
		stake uint64
		row   uint32
	}
	order := make([]element, len(rows))
	for i := range rows {
		order[i] = element{rows[i].Stake, uint32(i)}
	}
	slices.SortFunc(order, func(a, b element) int {
		if c := cmp.Compare(b.stake, a.stake); c != 0 {
			return c
		}
		return rows[b.row].Key.Compare(rows[a.row].Key)
	})

	s := &Stakes{keying: k, keys: make([]Pubkey, len(rows)), stakes: make([]uint64, len(rows))}
	s.nodes = s.keys
	if slices.ContainsFunc(rows, func(e Entry) bool { return e.Node != e.Key }) {
		s.nodes = make([]Pubkey, len(rows))
	}
	for rank, el := range order {
		e := &rows[el.row]
		s.nodes[rank], s.keys[rank], s.stakes[rank] = e.Node, e.Key, e.Stake
		sum, carry := bits.Add64(s.total, e.Stake, 0)
		if carry != 0 {
			return nil, fmt.Errorf("schedule: %w: the %d greatest stakes have %d, key %v adds %d",
				ErrStakeOverflow, rank, s.total, e.Key, e.Stake)
		}
		s.total = sum
	}
	return s, nil
}

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
