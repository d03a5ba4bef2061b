package schedule

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
)

// A row stands for an entry while a list is checked and sorted: 16 bytes to
// move where an Entry has 72.
type row struct {
	stake uint64
	entry uint32 // position in the caller's list; by identity: of its first entry
	code  uint32 // orders stakes, roughly; for sort only
}

// A lister makes stake lists, with memory that it keeps for the next one. What
// it keeps is 32 bytes an entry and the cells of seen, and no keys.
type lister struct {
	entries     []Entry // the caller's list, during list only
	rows, spare []row
	apart       bool // some row's leader is not its key
	seen        keyTable
	key, leader func(row uint32) *Pubkey // of a row
}

// list is NewStakes.
func (l *lister) list(entries []Entry, k Keying) (*Stakes, error) {
	if k != KeyedByVote && k != KeyedByIdentity {
		return nil, fmt.Errorf("%w %v, want vote or identity", ErrKeying, k)
	}
	if err := checkCount(uint64(len(entries))); err != nil {
		return nil, err
	}
	l.open(entries)
	defer func() { l.entries = nil }()
	if err := l.distinct(); err != nil {
		return nil, err
	}
	if len(l.rows) == 0 {
		return nil, fmt.Errorf("%w: none of %d entries has any", ErrNoStake, len(entries))
	}
	if k == KeyedByIdentity {
		if err := l.sumByLeader(); err != nil {
			return nil, err
		}
	}
	l.sort(k)
	return l.layOut(k)
}

func checkCount(n uint64) error {
	if n > MaxEntries {
		return fmt.Errorf("%w: %d, at most %d", ErrTooManyEntries, n, uint64(MaxEntries))
	}
	return nil
}

// open sets l up for a list.
func (l *lister) open(entries []Entry) {
	if l.key == nil {
		l.key = func(row uint32) *Pubkey { return &l.entries[l.rows[row].entry].Key }
		l.leader = func(row uint32) *Pubkey { return l.entries[l.rows[row].entry].leader() }
	}
	l.entries = entries
	if n := len(entries); cap(l.rows) < n {
		l.rows, l.spare = make([]row, 0, n), make([]row, n)
	}
	l.rows, l.apart = l.rows[:0], false
}

// leader returns the identity that leads for e.
func (e *Entry) leader() *Pubkey {
	if e.Node.IsZero() {
		return &e.Key
	}
	return &e.Node
}

// distinct makes a row of every entry that has stake, once.
func (l *lister) distinct() error {
	l.seen.reset(len(l.entries), l.key)
	for i := range l.entries {
		e := &l.entries[i]
		if e.Stake == 0 {
			continue
		}
		at, added := l.seen.insert(&e.Key, uint32(len(l.rows)))
		if added {
			l.rows = append(l.rows, row{stake: e.Stake, entry: uint32(i)})
			l.apart = l.apart || *e.leader() != e.Key
			continue
		}
		if first := &l.entries[l.rows[at].entry]; first.Stake != e.Stake || *first.leader() != *e.leader() {
			return duplicateError(l.entries, int(l.rows[at].entry), i)
		}
	}
	return nil
}

// duplicateError counts entries from 1, as people do with rows.
func duplicateError(entries []Entry, first, second int) error {
	a, b := &entries[first], &entries[second]
	if *a.leader() == *b.leader() {
		return fmt.Errorf("%w: %v with %d lamports in entry %d and %d in entry %d",
			ErrDuplicateKey, a.Key, a.Stake, first+1, b.Stake, second+1)
	}
	return fmt.Errorf("%w: %v with %d lamports for identity %v in entry %d and %d for %v in entry %d",
		ErrDuplicateKey, a.Key, a.Stake, a.leader(), first+1, b.Stake, b.leader(), second+1)
}

// sumByLeader leaves one row an identity, that of its first entry. It works in
// place: a row is read before its position can be written.
func (l *lister) sumByLeader() error {
	rows := l.rows
	l.rows = rows[:0]
	l.seen.reset(len(rows), l.leader)
	for _, r := range rows {
		e := &l.entries[r.entry]
		at, added := l.seen.insert(e.leader(), uint32(len(l.rows)))
		if added {
			l.rows = append(l.rows, r)
			continue
		}
		sum, carry := bits.Add64(l.rows[at].stake, r.stake, 0)
		if carry != 0 {
			return fmt.Errorf("%w: identity %v has %d, its vote account %v adds %d",
				ErrStakeOverflow, e.leader(), l.rows[at].stake, e.Key, r.stake)
		}
		l.rows[at].stake = sum
	}
	return nil
}

// sort brings the rows into the order of ranks: by radix as far as that goes, and
// then by comparing, keys only where stakes are the same.
func (l *lister) sort(k Keying) {
	sorted, other := sortByCode(l.rows, l.spare[:len(l.rows)])
	l.rows, l.spare = sorted, other[:cap(other)]
	descending := func(a, b row) int {
		if c := cmp.Compare(b.stake, a.stake); c != 0 {
			return c
		}
		return l.entries[b.entry].key(k).Compare(*l.entries[a.entry].key(k))
	}
	for start := 0; start < len(sorted); {
		end := start + 1
		for end < len(sorted) && sorted[end].code == sorted[start].code {
			end++
		}
		if end > start+1 {
			slices.SortFunc(sorted[start:end], descending)
		}
		start = end
	}
}

// key returns the key of e in a list of a keying.
func (e *Entry) key(k Keying) *Pubkey {
	if k == KeyedByIdentity {
		return e.leader()
	}
	return &e.Key
}

// layOut copies the sorted rows into a list of their own and adds up stakes.
func (l *lister) layOut(k Keying) (*Stakes, error) {
	n := len(l.rows)
	s := &Stakes{keying: k, keys: make([]Pubkey, n), stakes: make([]uint64, n)}
	s.nodes = s.keys
	apart := k == KeyedByVote && l.apart
	if apart {
		s.nodes = make([]Pubkey, n)
	}
	for rank, r := range l.rows {
		e := &l.entries[r.entry]
		if apart {
			s.nodes[rank] = *e.leader()
		}
		key := e.key(k)
		s.keys[rank], s.stakes[rank] = *key, r.stake
		sum, carry := bits.Add64(s.total, r.stake, 0)
		if carry != 0 {
			return nil, fmt.Errorf("%w: the %d greatest stakes have %d, key %v adds %d",
				ErrStakeOverflow, rank, s.total, key, r.stake)
		}
		s.total = sum
	}
	return s, nil
}
