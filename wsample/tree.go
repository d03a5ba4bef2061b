package wsample

import (
	"slices"

	"github.com/schedgen/schedgen/chacha20rng"
)

// radix is the number of children of a node. With nine the eight sums of a node
// fill one cache line.
const radix = 9

// node holds the left sums of an inner node: node[k] is the weight of its
// children 0 to k. The weight of all nine is known from the node's parent.
type node [radix - 1]uint64

// tree is the weights of a Sampler, without those removed. See the package
// comment for its shape.
type tree struct {
	nodes  []node
	height int    // levels of nodes: 0 for one leaf or none
	inner  int    // nodes of a full tree of this height: leaf j is child inner+j
	total  uint64 // sum of the weights left

	full      []node // a copy of the nodes, after save
	fullTotal uint64
}

// newTree returns the tree of weights that add up to total. It takes linear
// time: each level is made from the weights of the level below.
func newTree(weights []uint64, total uint64) tree {
	t := tree{total: total}
	width := uint64(1) // leaves of a full tree, and nodes of the level at hand
	for width < uint64(len(weights)) {
		t.inner = t.inner*radix + 1
		t.height++
		width *= radix
	}
	if t.height == 0 {
		return t
	}
	last := (len(weights)-1)/radix + 1 // nodes of the last level
	first := t.inner / radix           // number of the first of them: inner = 9*first + 1
	t.nodes = make([]node, first+last)
	sums := make([]uint64, last) // weights of the level below the one being made
	below := weights
	for level := t.height - 1; level >= 0; level-- {
		groups := (len(below)-1)/radix + 1
		for g := range groups {
			sums[g] = t.nodes[first+g].set(below[g*radix : min(len(below), (g+1)*radix)])
		}
		below = sums[:groups]
		first /= radix
	}
	return t
}

// set makes the left sums of a node from the weights of its children, nine or
// fewer, and returns their sum.
func (d *node) set(children []uint64) uint64 {
	var sum uint64
	for k := range d {
		if k < len(children) {
			sum += children[k]
		}
		d[k] = sum
	}
	if len(children) == radix {
		sum += children[radix-1]
	}
	return sum
}

// weight returns the weight of a leaf. A child's weight is the difference of two
// left sums of its parent; that of a ninth child is what the eight leave of the
// parent's own weight, which is found the same way one level up.
func (t *tree) weight(leaf int) uint64 {
	var eight uint64 // sums to be taken off, of the nodes passed on the way up
	for c := t.inner + leaf; c > 0; {
		parent := (c - 1) / radix
		k := c - 1 - parent*radix
		d := &t.nodes[parent]
		if k < len(d) {
			return d[k] - d.before(k) - eight
		}
		eight += d[len(d)-1]
		c = parent
	}
	return t.total - eight
}

func (t *tree) save() { t.full, t.fullTotal = slices.Clone(t.nodes), t.total }

func (t *tree) restore() {
	copy(t.nodes, t.full)
	t.total = t.fullTotal
}

// findAll sets dst[i] to the leaf that x[i], below the total, falls on.
func (t *tree) findAll(dst []uint32, x []uint64) {
	for i, x := range x {
		dst[i] = uint32(t.find(x))
	}
}

// take removes the leaf that x, below the total, falls on, and returns it.
func (t *tree) take(x uint64) int {
	leaf := t.find(x)
	t.remove(leaf, t.weight(leaf))
	return leaf
}

// takeAll draws and removes len(dst) leaves; there must be as many.
func (t *tree) takeAll(dst []uint32, r *chacha20rng.RNG, k chacha20rng.Rejection) {
	for i := range dst {
		dst[i] = uint32(t.take(r.RollN(t.total, k)))
	}
}
