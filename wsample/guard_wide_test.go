//go:build linux && amd64 && gc && !purego

package wsample

import (
	"slices"
	"testing"

	"github.com/schedgen/schedgen/internal/cpu"
)

// moveTree moves a tree to the edge of a page that nobody may touch. It reports
// whether the backend has one; generic, and it alone, has none.
func moveTree(t *testing.T, b cpu.Backend, tree *wideTree, atEnd bool) bool {
	t.Helper()
	if wide := b != cpu.Generic; (tree != nil) != wide {
		t.Fatalf("a wide tree: %t, want %t", tree != nil, wide)
	}
	if tree == nil {
		return false
	}
	tree.slots = toGuarded(t, tree.slots, atEnd)
	tree.first = toGuarded(t, tree.first, atEnd)
	return true
}

// drawInside turns words that end at such an edge into draws that go to one.
func (p *samplerPair) drawInside(t *testing.T, n int, atEnd bool) {
	if n == 0 {
		return
	}
	words, dst := guarded[uint64](t, n, atEnd), guarded[uint32](t, n, atEnd)
	p.rGot.Fill(words)
	drawn := p.got.wide.draw(dst, words, p.got.rejection)
	p.got.left -= drawn
	want := make([]uint32, drawn)
	p.want.SampleAndRemoveMany(p.rRef, want)
	p.rRef.Seek(p.rGot.Pos()) // words rejected at the end
	if !slices.Equal(dst[:drawn], want) {
		t.Fatalf("%s: %d draws at the edge of a page differ", p.name, drawn)
	}
}
