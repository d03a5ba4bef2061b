package compare

import (
	"cmp"
	"math/big"
	"slices"

	"github.com/schedgen/schedgen/schedule"
)

// A ChangeKind says what became of an entry from list A to list B.
type ChangeKind string

const (
	Gained         ChangeKind = "gained"         // in B only
	Lost           ChangeKind = "lost"           // in A only
	StakeChanged   ChangeKind = "stake"          // another stake
	NodeChanged    ChangeKind = "identity"       // another identity
	StakeAndNode   ChangeKind = "stake+identity" // another stake and another identity
	DuplicatedKey  ChangeKind = "duplicate"      // listed with several stakes or identities in one list
	unchangedEntry ChangeKind = ""
)

// StakeChange is an entry that differs.
type StakeChange struct {
	Key    schedule.Pubkey  `json:"key"` // vote account, or identity
	Kind   ChangeKind       `json:"kind"`
	A      uint64           `json:"a"` // lamports in list A, 0 where it is not there
	B      uint64           `json:"b"`
	Change *big.Int         `json:"change"`          // B - A in lamports
	NodeA  *schedule.Pubkey `json:"nodeA,omitempty"` // identity in list A; nil where there is none, or the key is one
	NodeB  *schedule.Pubkey `json:"nodeB,omitempty"`
}

// ListSummary is what one of two lists is. Entries without stake change no
// schedule and count in Zero alone; so do repeated entries in Repeated.
type ListSummary struct {
	Entries    int      `json:"entries"`    // with stake
	Zero       int      `json:"zero"`       // without stake
	Repeated   int      `json:"repeated"`   // equal to one before
	Identities int      `json:"identities"` // distinct
	Ties       int      `json:"ties"`       // entries that share their stake with another one: their order goes by key
	Total      *big.Int `json:"total"`      // lamports
}

// StakeDifference is what [Stakes] finds.
type StakeDifference struct {
	KeyedBy string      `json:"keyedBy"` // vote or identity
	A       ListSummary `json:"a"`
	B       ListSummary `json:"b"`
	Same    int         `json:"same"`   // entries that are the same in both
	Change  *big.Int    `json:"change"` // of the total, in lamports
	// Changes are the entries that differ: the greatest change of stake first,
	// those of the same change by key.
	Changes []StakeChange      `json:"changes"`
	Counts  map[ChangeKind]int `json:"counts"` // of Changes by kind
}

// Equal reports whether both lists make the same schedules.
func (d *StakeDifference) Equal() bool { return len(d.Changes) == 0 }

// Stakes compares two stake lists, in any order, entry by entry: by vote
// account, or with schedule.KeyedByIdentity by identity, with the stakes of each
// one's vote accounts added up. Lists that no schedule can be made from are
// compared all the same; a key that a list has with several stakes or identities
// has their sum and the first identity, and is a change of kind DuplicatedKey.
func Stakes(a, b []schedule.Entry, k schedule.Keying) *StakeDifference {
	d := &StakeDifference{KeyedBy: k.String(), Changes: []StakeChange{}, Counts: map[ChangeKind]int{}}
	listA, listB := fold(a, k, &d.A), fold(b, k, &d.B)
	d.Change = new(big.Int).Sub(d.B.Total, d.A.Total)
	for key, inA := range listA {
		d.add(key, inA, listB[key])
	}
	for key, inB := range listB {
		if listA[key] == nil {
			d.add(key, nil, inB)
		}
	}
	slices.SortFunc(d.Changes, func(x, y StakeChange) int {
		return cmp.Or(y.Change.CmpAbs(x.Change), x.Key.Compare(y.Key))
	})
	return d
}

// folded is one key of a list.
type folded struct {
	node  schedule.Pubkey
	sum   uint64
	again bool // listed with another stake or identity
}

// fold brings a list into the form that is compared.
func fold(entries []schedule.Entry, k schedule.Keying, sum *ListSummary) map[schedule.Pubkey]*folded {
	byKey := make(map[schedule.Pubkey]*folded, len(entries))
	seen := make(map[schedule.Entry]bool, len(entries))
	identities := make(map[schedule.Pubkey]bool, len(entries))
	sum.Total = new(big.Int)
	for _, e := range entries {
		if e.Node.IsZero() {
			e.Node = e.Key
		}
		switch {
		case e.Stake == 0:
			sum.Zero++
			continue
		case seen[e]:
			sum.Repeated++
			continue
		}
		seen[e] = true
		identities[e.Node] = true
		sum.Total.Add(sum.Total, new(big.Int).SetUint64(e.Stake))
		key := e.Key
		if k == schedule.KeyedByIdentity {
			key = e.Node
		}
		f := byKey[key]
		if f == nil {
			f = &folded{node: e.Node}
			byKey[key] = f
		} else {
			f.again = f.again || k != schedule.KeyedByIdentity
		}
		if f.sum += e.Stake; f.sum < e.Stake {
			f.sum = 1<<64 - 1 // no schedule can be made of such a list
		}
	}
	sum.Entries, sum.Identities, sum.Ties = len(byKey), len(identities), ties(byKey)
	return byKey
}

// ties counts the keys that share their stake with another one.
func ties(list map[schedule.Pubkey]*folded) (n int) {
	of := make(map[uint64]int, len(list))
	for _, f := range list {
		of[f.sum]++
	}
	for _, count := range of {
		if count > 1 {
			n += count
		}
	}
	return n
}

// add adds what became of a key; either side may be nil, not both.
func (d *StakeDifference) add(key schedule.Pubkey, a, b *folded) {
	c := StakeChange{Key: key, Kind: kindOf(a, b), Change: new(big.Int)}
	if c.Kind == unchangedEntry {
		d.Same++
		return
	}
	if a != nil {
		c.A, c.NodeA = a.sum, nodeOf(key, a)
		c.Change.Sub(c.Change, new(big.Int).SetUint64(a.sum))
	}
	if b != nil {
		c.B, c.NodeB = b.sum, nodeOf(key, b)
		c.Change.Add(c.Change, new(big.Int).SetUint64(b.sum))
	}
	d.Changes = append(d.Changes, c)
	d.Counts[c.Kind]++
}

func kindOf(a, b *folded) ChangeKind {
	switch {
	case a != nil && a.again, b != nil && b.again:
		return DuplicatedKey
	case a == nil:
		return Gained
	case b == nil:
		return Lost
	case a.sum != b.sum && a.node != b.node:
		return StakeAndNode
	case a.sum != b.sum:
		return StakeChanged
	case a.node != b.node:
		return NodeChanged
	}
	return unchangedEntry
}

// nodeOf returns the identity of a key, or nil when it is the key.
func nodeOf(key schedule.Pubkey, f *folded) *schedule.Pubkey {
	if f.node == key {
		return nil
	}
	node := f.node
	return &node
}
