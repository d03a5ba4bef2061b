//go:build linux

package wsample

import (
	"math/rand/v2"
	"os"
	"slices"
	"syscall"
	"testing"
	"unsafe"

	"github.com/schedgen/schedgen/chacha20rng"
	"github.com/schedgen/schedgen/internal/cpu"
	"github.com/schedgen/schedgen/internal/cpu/cputest"
)

// guarded returns n numbers that end, or begin, at a page of memory which nobody
// may read or write: a step beyond that edge stops the program.
func guarded[T uint16 | uint32 | uint64](t *testing.T, n int, atEnd bool) []T {
	t.Helper()
	size := int(unsafe.Sizeof(T(0)))
	page := os.Getpagesize()
	inside := (n*size + page - 1) / page * page
	memory, err := syscall.Mmap(-1, 0, inside+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := syscall.Munmap(memory); err != nil {
			t.Error(err)
		}
	})
	for _, guard := range [][]byte{memory[:page], memory[page+inside:]} {
		if err := syscall.Mprotect(guard, syscall.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	first := page
	if atEnd {
		first += inside - n*size
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&memory[first])), n)
}

func toGuarded[T uint16 | uint32 | uint64](t *testing.T, from []T, atEnd bool) []T {
	s := guarded[T](t, len(from), atEnd)
	copy(s, from)
	return s
}

func TestTableStaysInside(t *testing.T) {
	cputest.Each(t, func(t *testing.T, b cpu.Backend) {
		for _, atEnd := range []bool{false, true} {
			for _, n := range []int{1, 3, 1500, 1<<maxGuideBits/fineBuckets + 1, maxLen16 + 1} {
				for _, shape := range positive {
					tableStaysInside(t, b, shape.make(n, rand.New(rand.NewPCG(15, uint64(n)))), atEnd)
				}
			}
		}
	})
}

func tableStaysInside(t *testing.T, b cpu.Backend, weights []uint64, atEnd bool) {
	table := tableOn(t, cpu.Generic, weights)
	table.guide.Sums = toGuarded(t, table.guide.Sums, atEnd)
	want16 := table.guide.Entries
	if n := len(want16); n > 0 {
		guide := guarded[uint16](t, n+guidePad, atEnd)
		table.guide.Entries = guide[:0]
		table.buildGuide(b)
		if &table.guide.Entries[0] != &guide[0] || !slices.Equal(table.guide.Entries, want16) {
			t.Fatalf("%d weights: the guide at the edge of a page differs", len(weights))
		}
		table.guide.Entries = toGuarded(t, want16, atEnd)
	}
	table.guide32 = toGuarded(t, append(table.guide32, 0)[:len(table.guide32)], atEnd)
	for length := range 10 {
		x := guarded[uint64](t, length, atEnd)
		for i := range x {
			x[i] = table.total - 1 - uint64(i)*(table.total/16) // the first one reads furthest
		}
		var got []uint32
		if table.n > maxLen16 {
			got = guarded[uint32](t, length, atEnd)
			table.lookup32(b, got, x)
		} else {
			narrow := guarded[uint16](t, length, atEnd)
			table.lookup16(b, narrow, x)
			for _, index := range narrow {
				got = append(got, uint32(index))
			}
		}
		for i, x := range x {
			if want := linearMap(weights, x); int(got[i]) != want {
				t.Fatalf("%d weights: %d gives %d, want %d", len(weights), x, got[i], want)
			}
		}
	}
	if table.n <= maxLen16 {
		got, want := guarded[uint16](t, 777, atEnd), make([]uint16, 777)
		if table.Sample16(newRNG(t, b, seedOf(1)), got) != nil || tableOn(t, cpu.Generic, weights).Sample16(newRNG(t, cpu.Generic, seedOf(1)), want) != nil || !slices.Equal(got, want) {
			t.Fatalf("%d weights: draws at the edge of a page differ", len(weights))
		}
	}
}

func TestWideTreeStaysInside(t *testing.T) {
	cputest.Each(t, func(t *testing.T, b cpu.Backend) {
		for _, n := range []int{1, 31, 32, 465, 466, 1500, 6976} {
			for _, shape := range positive {
				for _, atEnd := range []bool{false, true} {
					weights := shape.make(n, rand.New(rand.NewPCG(16, uint64(n))))
					for _, k := range []chacha20rng.Rejection{chacha20rng.ByModulo, chacha20rng.ByShift} {
						p := newPair(t, b, weights, seedOf(byte(n)), WithRejection(k))
						if !moveTree(t, b, p.got.wide, atEnd) {
							return // this backend has no wide tree
						}
						p.draw(t, 50, false)
						p.drawInside(t, 1, atEnd)
						p.drawInside(t, n/3, atEnd)
						p.call(t, 3, n/2)
						p.draw(t, p.got.Left(), true)
					}
				}
			}
		}
	})
}
