//go:build linux && gc && !purego

package wsample

import (
	"slices"
	"testing"
	"unsafe"

	"github.com/schedgen/schedgen/chacha20rng"
	"github.com/schedgen/schedgen/internal/cpu"
	"github.com/schedgen/schedgen/internal/cpu/cputest"
)

// view returns words as a slice of another type.
func view[T any](words []uint64) []T {
	size := int(unsafe.Sizeof(*new(T)))
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(words))), 8*len(words)/size)
}

// ownFunction is an operation that a backend has a function for: the one that
// touches the memory given to it.
type ownFunction struct {
	name                  string
	avx512, avx2, generic string
	touch                 func(t *testing.T, b cpu.Backend, forbidden []uint64)
}

// check: all backends give the same results, so a backend that runs the functions
// of another one shows only in who reads or writes the memory.
func (f *ownFunction) check(t *testing.T) {
	want := map[cpu.Backend]string{cpu.AVX512: f.avx512, cpu.AVX2: f.avx2, cpu.Generic: f.generic}
	cputest.Each(t, func(t *testing.T, b cpu.Backend) {
		names := cputest.Culprit(t, func(forbidden []uint64) { f.touch(t, b, forbidden) })
		if !slices.Contains(names, want[b]) {
			t.Errorf("done by %v, want %s", names, want[b])
		}
	})
}

func ones(n int) []uint64 { return fill(n, func(int) uint64 { return 1 }) }

func TestTableRunsTheFunctionsOfItsBackend(t *testing.T) {
	sample16 := func(t *testing.T, b cpu.Backend, n int, dst []uint64) {
		if err := tableOn(t, b, ones(n)).Sample16(newRNG(t, b, seedOf(1)), view[uint16](dst)); err != nil {
			t.Error(err)
		}
	}
	for _, f := range []ownFunction{
		{"Sample16, few draws need a second step", "chacha20rng.ranksAVX512", "wsample.step16", "guide.(*Table).Lookup",
			func(t *testing.T, b cpu.Backend, dst []uint64) { sample16(t, b, 1500, dst) }},
		{"Sample16, many do", "wsample.compare16", "wsample.step16", "guide.(*Table).Lookup",
			func(t *testing.T, b cpu.Backend, dst []uint64) { sample16(t, b, maxLen16, dst) }},
		{"Sample32", "wsample.compare32", "wsample.step32", "wsample.lookup32",
			func(t *testing.T, b cpu.Backend, dst []uint64) {
				tableOn(t, b, ones(maxLen16+1)).Sample32(newRNG(t, b, seedOf(1)), view[uint32](dst))
			}},
		{"Reset", "wsample.makeGuideAVX2", "wsample.makeGuideAVX2", "wsample.makeGuide[...]",
			func(t *testing.T, b cpu.Backend, guide []uint64) {
				var table Table
				table.guide.Entries = view[uint16](guide)[:0]
				if err := table.SetBackend(string(b)); err != nil {
					t.Error(err)
				}
				if err := table.Reset(ones(1000)); err != nil {
					t.Error(err)
				}
			}},
	} {
		t.Run(f.name, f.check)
	}
}

func TestSamplerRunsTheFunctionsOfItsBackend(t *testing.T) {
	const n = 1000
	sampler := func(t *testing.T, b cpu.Backend, k chacha20rng.Rejection) *Sampler {
		s, err := NewSampler(ones(n), WithBackend(string(b)), WithRejection(k))
		if err != nil {
			t.Fatal(err)
		}
		if vectors := b == cpu.AVX512 || b == cpu.AVX2; (s.wide != nil) != vectors {
			t.Fatalf("a wide tree: %t, want %t", s.wide != nil, vectors)
		}
		return s
	}
	onNodes := func(t *testing.T, b cpu.Backend, nodes []uint64) *Sampler {
		s := sampler(t, b, chacha20rng.ByModulo)
		if s.wide != nil {
			s.wide.slots = nodes[:len(s.wide.slots)]
		} else {
			s.tree.nodes = view[node](nodes)[:len(s.tree.nodes)]
		}
		return s
	}
	removeMany := func(k chacha20rng.Rejection) func(*testing.T, cpu.Backend, []uint64) {
		return func(t *testing.T, b cpu.Backend, dst []uint64) {
			sampler(t, b, k).SampleAndRemoveMany(newRNG(t, b, seedOf(1)), view[uint32](dst)[:n])
		}
	}
	for _, f := range []ownFunction{
		{"Map", "wsample.wideFindAVX512", "wsample.wideFindAVX2", "wsample.(*tree).find",
			func(t *testing.T, b cpu.Backend, nodes []uint64) { onNodes(t, b, nodes).Map(n / 2) }},
		{"SampleMany", "wsample.wideFindAVX512", "wsample.wideFindAVX2", "wsample.(*tree).findAll",
			func(t *testing.T, b cpu.Backend, dst []uint64) {
				sampler(t, b, chacha20rng.ByModulo).SampleMany(newRNG(t, b, seedOf(1)), view[uint32](dst))
			}},
		{"SampleAndRemove", "wsample.wideTakeAVX512", "wsample.wideTakeAVX2", "wsample.(*tree).take",
			func(t *testing.T, b cpu.Backend, nodes []uint64) {
				onNodes(t, b, nodes).SampleAndRemove(newRNG(t, b, seedOf(1)))
			}},
		{"SampleAndRemoveMany, modulo", "wsample.wideDrawModuloAVX512", "wsample.wideDrawModuloAVX2", "wsample.(*tree).takeAll",
			removeMany(chacha20rng.ByModulo)},
		{"SampleAndRemoveMany, shift", "wsample.wideDrawShiftAVX512", "wsample.wideDrawShiftAVX2", "wsample.(*tree).takeAll",
			removeMany(chacha20rng.ByShift)},
	} {
		t.Run(f.name, f.check)
	}
}
