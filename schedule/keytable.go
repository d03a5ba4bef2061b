package schedule

import "hash/maphash"

// keyTable finds keys in a list that its caller keeps: open addressing, one
// uint32 a cell and at most half of the cells taken. Its hash is seeded afresh
// for every table, so that nobody can choose keys that pile up in it.
type keyTable struct {
	seed  maphash.Seed
	cells []uint32               // position in the list + 1; 0 is free
	key   func(i uint32) *Pubkey // key at a position of the list
}

// newKeyTable returns an empty table for up to n keys.
func newKeyTable(n int, key func(i uint32) *Pubkey) keyTable {
	var t keyTable
	t.reset(n, key)
	return t
}

// reset makes t an empty table for up to n keys, in the memory that it has.
func (t *keyTable) reset(n int, key func(i uint32) *Pubkey) {
	size := 8
	for size < 2*n {
		size *= 2
	}
	if size <= cap(t.cells) {
		t.cells = t.cells[:size]
		clear(t.cells)
	} else {
		t.cells = make([]uint32, size)
	}
	t.seed, t.key = maphash.MakeSeed(), key
}

// cell returns the cell that holds k, or the free one where it belongs.
func (t *keyTable) cell(k *Pubkey) *uint32 {
	mask := uint64(len(t.cells) - 1)
	for c := maphash.Bytes(t.seed, k[:]) & mask; ; c = (c + 1) & mask {
		if p := t.cells[c]; p == 0 || *t.key(p - 1) == *k {
			return &t.cells[c]
		}
	}
}

// find returns the position of k.
func (t *keyTable) find(k *Pubkey) (uint32, bool) {
	if len(t.cells) == 0 {
		return 0, false
	}
	p := *t.cell(k)
	return p - 1, p != 0
}

// insert puts the key at position i, which is k, into the table. When an equal
// key is there already, insert changes nothing and returns its position.
func (t *keyTable) insert(k *Pubkey, i uint32) (at uint32, added bool) {
	c := t.cell(k)
	if *c != 0 {
		return *c - 1, false
	}
	*c = i + 1
	return i, true
}
