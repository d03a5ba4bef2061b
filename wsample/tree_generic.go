package wsample

// find returns the leaf that x, below the total, falls on. It only reads, and
// no branch depends on x.
func (t *tree) find(x uint64) int {
	nodes := t.nodes
	c := 0
	for range t.height {
		d := &nodes[c]
		// The child is the number of left sums that are at most x.
		k := int(((passed(d[0], x) + passed(d[1], x)) + (passed(d[2], x) + passed(d[3], x))) +
			((passed(d[4], x) + passed(d[5], x)) + (passed(d[6], x) + passed(d[7], x))))
		x -= d.before(k)
		c = c*radix + k + 1
	}
	return c - t.inner
}

// passed returns 1 when a left sum is at most x, else 0. The compiler makes it
// one compare and one SETcc; 8-bit numbers spare the widening of each.
func passed(sum, x uint64) uint8 {
	var p uint8
	if sum <= x {
		p = 1
	}
	return p
}

// before returns the weight of the children before child k: left sum k-1, or 0
// for the first child.
func (d *node) before(k int) uint64 {
	first := uint64(k-1) >> 63 // 1 for child 0, else 0
	return d[(k-1)&7] & (first - 1)
}

// behind holds, from 8-k on, the masks of child k and those behind it.
var behind = [16]uint64{
	8: ^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0),
	12: ^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0),
}

// remove takes the weight w of a leaf out of the tree. All eight sums of a node
// are written, so that no branch depends on the leaf.
func (t *tree) remove(leaf int, w uint64) {
	nodes := t.nodes
	for c := t.inner + leaf; c > 0; {
		parent := (c - 1) / radix
		d := &nodes[parent]
		mask := (*[8]uint64)(behind[8-(c-1-parent*radix):])
		d[0] -= w & mask[0]
		d[1] -= w & mask[1]
		d[2] -= w & mask[2]
		d[3] -= w & mask[3]
		d[4] -= w & mask[4]
		d[5] -= w & mask[5]
		d[6] -= w & mask[6]
		d[7] -= w & mask[7]
		c = parent
	}
	t.total -= w
}
