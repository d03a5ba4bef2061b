//go:build amd64 && gc && !purego

package wsample

import (
	"math"
	"testing"

	"github.com/schedgen/schedgen/chacha20rng"
	"github.com/schedgen/schedgen/internal/cpu"
	"github.com/schedgen/schedgen/internal/cpu/cputest"
)

// TestBoundaryWords draws with the word whose product with the total has the
// largest low half that is accepted, and with the one that has the next larger.
func TestBoundaryWords(t *testing.T) {
	cputest.Each(t, func(t *testing.T, b cpu.Backend) {
		for _, total := range []uint64{3, 5, 1<<40 + 7, 1<<62 - 1, 1<<63 + 1, 1<<63 + 12345, math.MaxUint64 - 4, math.MaxUint64} {
			inverse := total // of an odd number, modulo 2^3; each step doubles the exponent
			for range 5 {
				inverse *= 2 - total*inverse
			}
			for _, k := range []chacha20rng.Rejection{chacha20rng.ByModulo, chacha20rng.ByShift} {
				limit := k.Zone(total).Limit()
				for step, want := range []int{1, 0} {
					tree := newWideTree(b, []uint64{total}, total)
					if tree == nil {
						return // this backend has no wide tree
					}
					word := (limit + uint64(step)) * inverse
					if limit == math.MaxUint64 {
						want = 1 // every word is accepted
					}
					if got := tree.draw(make([]uint32, 1), []uint64{word}, k); got != want || tree.total != total*uint64(1-want) {
						t.Errorf("total %d, %s, %d above the limit: %d draws, want %d; total left %d", total, k, step, got, want, tree.total)
					}
				}
			}
		}
	})
}

// TestWideTreeOfTheComment checks what the comment on wideTree says.
func TestWideTreeOfTheComment(t *testing.T) {
	cputest.Each(t, func(t *testing.T, b cpu.Backend) {
		weights := fill(rowLen*(nodeFan+1)+1, func(i int) uint64 { return uint64(i%7) + 1 })
		tree := newWideTree(b, weights, sumOf(weights))
		if tree == nil {
			return
		}
		if tree.levels != 2 || tree.firstRow != 17 || tree.row(0) != 17 || tree.row(15) != 33 || tree.row(16) != 34 {
			t.Errorf("%d levels, rows 0, 15, 16 are numbers %d, %d, %d", tree.levels, tree.row(0), tree.row(15), tree.row(16))
		}
		children := func(from, to int) uint64 { return sumOf(weights[from*rowLen : min(to*rowLen, len(weights))]) }
		for number, slots := range map[int]map[int]uint64{
			0: {1: children(0, 15), 2: children(0, 17), 15: children(0, 17)},
			1: {1: children(0, 1), 2: children(0, 2), 15: children(0, 15)},
			2: {1: children(15, 16), 2: children(15, 17), 15: children(15, 17)},
		} {
			for k, want := range slots {
				if got := tree.slots[number*nodeSlots+k] - tree.slots[number*nodeSlots]; got != want {
					t.Errorf("slot %d of node %d is %d, want %d", k, number, got, want)
				}
			}
		}
	})
}

// TestWideTreeMemory bounds the memory: numbers that are left out in the heap must
// not add up.
func TestWideTreeMemory(t *testing.T) {
	cputest.Each(t, func(t *testing.T, b cpu.Backend) {
		for _, n := range wideSizes {
			tree := newWideTree(b, fill(n, func(int) uint64 { return 1 }), uint64(n))
			if tree == nil {
				return
			}
			if words := len(tree.slots) + len(tree.first); words > n+n/2+20*nodeSlots {
				t.Errorf("%d weights take %d words of tree", n, words)
			}
		}
	})
}
