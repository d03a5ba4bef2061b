//go:build !(amd64 && gc) || purego

package wsample

import "github.com/schedgen/schedgen/internal/cpu"

// wideTree is the tree of the backends with vectors. This build has none.
type wideTree struct{ tree }

func newWideTree(cpu.Backend, []uint64, uint64) *wideTree { return nil }
