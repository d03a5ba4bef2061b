//go:build linux && gc && !purego

package chacha20rng

import (
	"slices"
	"testing"
	"unsafe"

	"github.com/schedgen/schedgen/internal/cpu"
	"github.com/schedgen/schedgen/internal/cpu/cputest"
	"github.com/schedgen/schedgen/internal/guide/guidetest"
)

// TestBackendsRunTheirOwnFunctions: all backends give the same words, so a backend
// that runs the functions of another one shows only in who writes them.
func TestBackendsRunTheirOwnFunctions(t *testing.T) {
	table, total := guidetest.New(guidetest.Weights("any", 512, 1<<50-1, 1), 10)
	z := Modulo(total)
	ranks := func(r *RNG, dst []uint64) {
		r.FillRanks16(unsafe.Slice((*uint16)(unsafe.Pointer(&dst[0])), 4*len(dst)), z, table)
	}
	for _, c := range []struct {
		name    string
		newRNG  func([32]byte) *RNG
		f       func(r *RNG, dst []uint64)
		writers map[cpu.Backend]string
	}{
		{"blocks", New, (*RNG).Fill, map[cpu.Backend]string{
			cpu.AVX512: "chacha20rng.blocksAVX512", cpu.AVX2: "chacha20rng.blocksAVX2", cpu.Generic: "chacha20rng.blocksGeneric",
		}},
		{"blocks of 8 rounds", NewChaCha8, (*RNG).Fill, map[cpu.Backend]string{
			cpu.AVX512: "chacha20rng.blocksAVX512", cpu.AVX2: "chacha20rng.blocksAVX2", cpu.Generic: "chacha20rng.blocksGeneric",
		}},
		{"rolls", New, func(r *RNG, dst []uint64) { r.FillRolls(dst[:bufferWords-1], z) }, map[cpu.Backend]string{
			cpu.AVX512: "chacha20rng.rollsAVX512", cpu.AVX2: "chacha20rng.rollsAVX2", cpu.Generic: "chacha20rng.rollsGeneric",
		}},
		{"ranks", New, ranks, map[cpu.Backend]string{
			cpu.AVX512: "chacha20rng.ranksAVX512", cpu.AVX2: "guide.(*Table).Lookup", cpu.Generic: "guide.(*Table).Lookup",
		}},
		{"ranks of 8 rounds", NewChaCha8, ranks, map[cpu.Backend]string{
			cpu.AVX512: "guide.(*Table).Lookup", cpu.AVX2: "guide.(*Table).Lookup", cpu.Generic: "guide.(*Table).Lookup",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			cputest.Each(t, func(t *testing.T, b cpu.Backend) {
				r := on(t, b, c.newRNG([32]byte{1}))
				names := cputest.Culprit(t, func(dst []uint64) { c.f(r, dst) })
				if !slices.Contains(names, c.writers[b]) {
					t.Errorf("written by %v, want %s", names, c.writers[b])
				}
			})
		})
	}
}

// TestRanksAreMadeInOneGo: in one call, as many as there are whole chunks.
func TestRanksAreMadeInOneGo(t *testing.T) {
	table, total := guidetest.New(guidetest.Weights("any", 512, 1<<50-1, 1), 10)
	const chunks = 5
	cputest.Each(t, func(t *testing.T, b cpu.Backend) {
		r := on(t, b, New([32]byte{1}))
		written := r.weave(make([]uint16, chunks*bufferWords+1), Modulo(total), table)
		least, most := 0, 0
		if b == cpu.AVX512 {
			least, most = (chunks-1)*bufferWords, chunks*bufferWords // few words are rejected
		}
		if written < least || written > most {
			t.Errorf("%d ranks in one go, want %d to %d", written, least, most)
		}
	})
}
