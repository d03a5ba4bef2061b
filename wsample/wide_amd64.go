//go:build gc && !purego

package wsample

import (
	"slices"
	"unsafe"

	"github.com/schedgen/schedgen/chacha20rng"
	"github.com/schedgen/schedgen/internal/cpu"
)

const (
	nodeSlots = 16
	nodeFan   = nodeSlots - 1 // children of a node
	rowSlots  = 32
	rowLen    = rowSlots - 1 // weights of a row

	// fewDraws is how many draws that remove make looking ahead worth its start.
	fewDraws = 24

	cacheLine = 64
)

// wideTree is the tree of the backends with vectors. A node has 15 children and
// 16 slots: slot k is the weight of the children before child k. A row, at the
// lowest level, has 31 weights and 32 slots likewise. Slot 0 is 0, so that there is
// something to subtract for the first child too.
//
// Nodes are numbered as in a heap: child k of node i is number 16i + k + 1, so
// that the way to the root, and the slot of a child in its parent, are the digits of
// its number in base 16. Rows go on with the same numbers.
//
// For AVX2, which compares signed numbers only, all slots have 2^63 added. The
// difference of two slots, all that Go code looks at, stays the same.
type wideTree struct {
	slots    []uint64 // of nodes, then of rows
	nodes    int      // slots of nodes
	first    []uint32 // of each row the index of its first weight, less one
	firstRow int      // the number of the first row
	levels   int      // of nodes
	total    uint64
	avx512   bool

	full      []uint64 // a copy of slots, after save
	fullTotal uint64
}

// newWideTree returns the tree of weights that add up to total, or nil when the
// backend has no functions for it.
func newWideTree(b cpu.Backend, weights []uint64, total uint64) *wideTree {
	if b != cpu.AVX512 && b != cpu.AVX2 {
		return nil
	}
	t := &wideTree{total: total, avx512: b == cpu.AVX512}
	rows := max(1, (len(weights)+rowLen-1)/rowLen)
	for width := 1; width < rows; width *= nodeFan {
		t.firstRow = t.firstRow*nodeSlots + 1
		t.levels++
	}
	last := t.row(rows - 1)
	t.nodes = (last/nodeSlots + 1) * nodeSlots
	t.first = make([]uint32, last-t.firstRow+1)
	t.slots = makeAligned(t.nodes + len(t.first)*rowSlots)
	t.fill(weights)
	return t
}

// makeAligned returns n numbers that start at a cache line.
func makeAligned(n int) []uint64 {
	s := make([]uint64, n+cacheLine/8-1)
	skip := int(-uintptr(unsafe.Pointer(&s[0])) % cacheLine / 8)
	return s[skip : skip+n : skip+n]
}

// row returns the number of the q-th row in the heap.
func (t *wideTree) row(q int) int {
	number := 0
	for level := range t.levels {
		number += (q%nodeFan + 1) << (4 * level)
		q /= nodeFan
	}
	return number
}

// fill sets all slots.
func (t *wideTree) fill(weights []uint64) {
	var bias uint64
	if !t.avx512 {
		bias = 1 << 63
	}
	for i := range t.slots {
		t.slots[i] = bias
	}
	for q := 0; q*rowLen < len(weights); q++ {
		number := t.row(q)
		t.first[number-t.firstRow] = uint32(q*rowLen) - 1
		sum := bias
		slots := t.rowSlots(number)
		for k := range rowLen {
			if i := q*rowLen + k; i < len(weights) {
				sum += weights[i]
			}
			slots[k+1] = sum
		}
		// The nodes above get the weights of their children first.
		for c := number; c > 0; {
			slots, k := t.parent(c)
			slots[k+1] += sum - bias
			c /= nodeSlots
		}
	}
	for i := 0; i < t.nodes; i += nodeSlots {
		sum := bias
		for k, s := range t.slots[i : i+nodeSlots] {
			sum += s - bias
			t.slots[i+k] = sum
		}
	}
}

// rowSlots returns the slots of the row with a number.
func (t *wideTree) rowSlots(number int) *[rowSlots]uint64 {
	return (*[rowSlots]uint64)(t.slots[t.nodes+(number-t.firstRow)*rowSlots:])
}

// parent returns the slots of the node above, and which of its children a node
// or row is.
func (t *wideTree) parent(number int) (slots *[nodeSlots]uint64, child int) {
	return (*[nodeSlots]uint64)(t.slots[number/nodeSlots*nodeSlots:]), number%nodeSlots - 1
}

func (t *wideTree) weight(leaf int) uint64 {
	slots, k := t.rowSlots(t.row(leaf/rowLen)), leaf%rowLen
	return slots[k+1] - slots[k]
}

// remove takes the weight w of a leaf out of the tree.
func (t *wideTree) remove(leaf int, w uint64) {
	number := t.row(leaf / rowLen)
	slots := t.rowSlots(number)
	for k := leaf%rowLen + 1; k < rowSlots; k++ {
		slots[k] -= w
	}
	for number > 0 {
		slots, child := t.parent(number)
		for k := child + 1; k < nodeSlots; k++ {
			slots[k] -= w
		}
		number /= nodeSlots
	}
	t.total -= w
}

func (t *wideTree) save() { t.full, t.fullTotal = slices.Clone(t.slots), t.total }

func (t *wideTree) restore() {
	copy(t.slots, t.full)
	t.total = t.fullTotal
}

// find returns the leaf that x, below the total, falls on.
func (t *wideTree) find(x uint64) int {
	one, leaf := [1]uint64{x}, [1]uint32{}
	t.findAll(leaf[:], one[:])
	return int(leaf[0])
}

// findAll sets dst[i] to the leaf that x[i], below the total, falls on.
func (t *wideTree) findAll(dst []uint32, x []uint64) {
	if len(x) == 0 {
		return
	}
	_ = dst[len(x)-1]
	if t.avx512 {
		wideFindAVX512(&t.slots[0], &t.slots[t.nodes], &t.first[0], t.firstRow, x, &dst[0])
	} else {
		wideFindAVX2(&t.slots[0], &t.slots[t.nodes], &t.first[0], t.firstRow, x, &dst[0])
	}
}

// take removes the leaf that x, below the total, falls on, and returns it.
func (t *wideTree) take(x uint64) int {
	var leaf uint32
	var w uint64
	if t.avx512 {
		leaf, w = wideTakeAVX512(&t.slots[0], &t.slots[t.nodes], &t.first[0], t.firstRow, x)
	} else {
		leaf, w = wideTakeAVX2(&t.slots[0], &t.slots[t.nodes], &t.first[0], t.firstRow, x)
	}
	t.total -= w
	return int(leaf)
}

// takeAll draws and removes len(dst) leaves; there must be as many. A draw takes
// at least one word, so asking for as many words as draws are missing never asks
// for too many. The last few are drawn one by one: looking ahead needs words to
// look at.
func (t *wideTree) takeAll(dst []uint32, r *chacha20rng.RNG, k chacha20rng.Rejection) {
	if len(dst) >= fewDraws {
		dst = dst[t.takeMost(dst, r, k):]
	}
	for i := range dst {
		dst[i] = uint32(t.take(r.RollN(t.total, k)))
	}
}

// takeMost is takeAll without the last draws, fewer than fewDraws. It returns how
// many it made.
func (t *wideTree) takeMost(dst []uint32, r *chacha20rng.RNG, k chacha20rng.Rejection) (drawn int) {
	var words [512]uint64
	for len(dst)-drawn >= fewDraws {
		w := words[:min(len(dst)-drawn, len(words))]
		r.Fill(w)
		drawn += t.draw(dst[drawn:], w, k)
	}
	return drawn
}

// draw turns words into draws and returns their number.
func (t *wideTree) draw(dst []uint32, words []uint64, k chacha20rng.Rejection) (drawn int) {
	nodes, rows, first := &t.slots[0], &t.slots[t.nodes], &t.first[0]
	switch shift := k == chacha20rng.ByShift; {
	case t.avx512 && shift:
		drawn, t.total = wideDrawShiftAVX512(nodes, rows, first, t.firstRow, t.total, words, &dst[0])
	case t.avx512:
		drawn, t.total = wideDrawModuloAVX512(nodes, rows, first, t.firstRow, t.total, words, &dst[0])
	case shift:
		drawn, t.total = wideDrawShiftAVX2(nodes, rows, first, t.firstRow, t.total, words, &dst[0])
	default:
		drawn, t.total = wideDrawModuloAVX2(nodes, rows, first, t.firstRow, t.total, words, &dst[0])
	}
	return drawn
}
