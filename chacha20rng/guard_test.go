//go:build linux

package chacha20rng

import (
	"os"
	"slices"
	"syscall"
	"testing"
	"unsafe"

	"github.com/schedgen/schedgen/internal/cpu"
	"github.com/schedgen/schedgen/internal/cpu/cputest"
	"github.com/schedgen/schedgen/internal/guide"
	"github.com/schedgen/schedgen/internal/guide/guidetest"
)

// guarded returns words that lie between two pages of memory which nobody may
// read or write: a step beyond either end stops the program.
func guarded(t *testing.T, pages int) []uint64 {
	t.Helper()
	page := os.Getpagesize()
	memory, err := syscall.Mmap(-1, 0, (pages+2)*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Munmap(memory); err != nil {
			t.Error(err)
		}
	})
	for _, guard := range [][]byte{memory[:page], memory[(pages+1)*page:]} {
		if err := syscall.Mprotect(guard, syscall.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	return unsafe.Slice((*uint64)(unsafe.Pointer(&memory[page])), pages*page/8)
}

func TestBlocksStayInside(t *testing.T) {
	const most = bufferBlocks + 9
	key := [8]uint32{1}
	cputest.Each(t, func(t *testing.T, b cpu.Backend) {
		space := guarded(t, 1+most*8*wordsPerBlock/os.Getpagesize())
		for n := range most + 1 {
			want := make([]uint64, n*wordsPerBlock)
			makeBlocksOf(cpu.Generic, want, key, 0, 8)
			for _, dst := range [][]uint64{space[:len(want)], space[len(space)-len(want):]} {
				makeBlocksOf(b, dst, key, 0, 8)
				if !slices.Equal(dst, want) {
					t.Fatalf("%d blocks at the edge of a page differ", n)
				}
			}
		}
	})
}

func TestRollsStayInside(t *testing.T) {
	const most = 35
	r := New([32]byte{})
	cputest.Each(t, func(t *testing.T, b cpu.Backend) {
		from, to := guarded(t, 1), guarded(t, 1)
		r.Fill(from)
		for _, z := range []Zone{Modulo(1000), Shift(1<<40 + 1<<38), Shift(1 << 40)} {
			for n := range most {
				for places := range most {
					for _, src := range [][]uint64{from[:n], from[len(from)-n:]} {
						want := make([]uint64, places)
						written, read := rollsGeneric(want, src, z)
						for _, dst := range [][]uint64{to[:places], to[len(to)-places:]} {
							w, r := rolls(b, dst, src, z)
							if w != written || r != read || !slices.Equal(dst[:w], want[:w]) {
								t.Fatalf("%d words to %d places at the edge of a page: wrote %d, read %d, want %d, %d; or the numbers differ",
									n, places, w, r, written, read)
							}
						}
					}
				}
			}
		}
	})
}

// atEdge returns the first n elements of space, or the last.
func atEdge[T any](space []T, n, edge int) []T {
	return space[edge*(len(space)-n):][:n]
}

// The ranks, the sums and the guide, each at either edge of its pages.
func TestRanksStayInside(t *testing.T) {
	const n = 512
	narrow := func(words []uint64) []uint16 {
		return unsafe.Slice((*uint16)(unsafe.Pointer(unsafe.SliceData(words))), 4*len(words))
	}
	cputest.Each(t, func(t *testing.T, b cpu.Backend) {
		sums, entries, ranks := guarded(t, 2), guarded(t, 1), guarded(t, 1)
		for _, shape := range guidetest.Shapes {
			exact, total := guidetest.New(guidetest.Weights(shape, n, 1<<50-1, 1), 9)
			z := Modulo(total)
			for _, places := range []int{0, 1, 255, 256, 257, 511, 512, 600, 1024, 1100} {
				want := ranksByRolls(New([32]byte{}), places, z, exact)
				for edge := range 2 {
					table := guide.Table{
						Sums:    atEdge(sums, n, edge),
						Entries: atEdge(narrow(entries), len(exact.Entries), edge),
						Shift:   exact.Shift,
					}
					copy(table.Sums, exact.Sums)
					copy(table.Entries, exact.Entries)
					dst := atEdge(narrow(ranks), places, edge)
					on(t, b, New([32]byte{})).FillRanks16(dst, z, &table)
					if !slices.Equal(dst, want) {
						t.Fatalf("%d ranks of %s weights at the edge of a page differ", places, shape)
					}
				}
			}
		}
	})
}
