package wsample

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedgen/schedgen/chacha20rng"
	"github.com/schedgen/schedgen/internal/cpu"
)

const epochDraws = 108_000 // rotations of a 432,000-slot epoch

// clusterWeights returns n weights in lamports with the skew of a cluster's
// stakes, heaviest first; together about 4*10^17.
func clusterWeights(n int) []uint64 {
	rng := rand.New(rand.NewPCG(1, uint64(n)))
	shares := make([]float64, n)
	var sum float64
	for i := range shares {
		shares[i] = 1 / (rng.Float64() + 0.004) / (1 + float64(i)*6/float64(n))
		sum += shares[i]
	}
	weights := make([]uint64, n)
	for i, s := range shares {
		weights[i] = uint64(s/sum*4e17) + 1
	}
	slices.Sort(weights)
	slices.Reverse(weights)
	return weights
}

func reportPerDraw(b *testing.B, draws int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(draws), "ns/draw")
}

func mustTable(tb testing.TB, weights []uint64) *Table {
	tb.Helper()
	t, err := NewTable(weights)
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

func mustSampler(tb testing.TB, weights []uint64, opts ...Option) *Sampler {
	tb.Helper()
	s, err := NewSampler(weights, opts...)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func BenchmarkNewTable(b *testing.B) {
	for _, n := range []int{1500, 5000} {
		weights := clusterWeights(n)
		b.Run(fmt.Sprintf("%d/new", n), func(b *testing.B) {
			for b.Loop() {
				mustTable(b, weights)
			}
		})
		for _, backend := range cpu.Available() {
			b.Run(fmt.Sprintf("%d/reset/%s", n, backend), func(b *testing.B) {
				table := new(Table)
				for b.Loop() {
					if err := table.reset(weights, backend); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkEpoch is the draws of an epoch, with the table made for it.
func BenchmarkEpoch(b *testing.B) {
	for _, n := range []int{1500, 5000, 65000} {
		weights := clusterWeights(n)
		for _, backend := range cpu.Available() {
			b.Run(fmt.Sprintf("%d/%s", n, backend), func(b *testing.B) {
				table, rng := new(Table), newRNG(b, backend, [32]byte{})
				dst := make([]uint16, epochDraws)
				var seed [32]byte
				for epoch := uint64(0); b.Loop(); epoch++ {
					binary.LittleEndian.PutUint64(seed[:], epoch)
					rng.Reseed(seed)
					if err := table.reset(weights, backend); err != nil {
						b.Fatal(err)
					}
					if err := table.Sample16(rng, dst); err != nil {
						b.Fatal(err)
					}
				}
				reportPerDraw(b, len(dst))
			})
		}
	}
}

// BenchmarkLookup is Sample16 without the generator, on the same numbers again and
// again: the processor learns some of the branches.
func BenchmarkLookup(b *testing.B) {
	for _, n := range []int{1500, 5000} {
		for shape, weights := range map[string][]uint64{
			"cluster": clusterWeights(n),
			"equal":   slices.Repeat([]uint64{80_000_000_000_000}, n),
			"skewed":  skewedWeights(n),
		} {
			t := mustTable(b, weights)
			x := make([]uint64, epochDraws)
			chacha20rng.New([32]byte{1}).FillRolls(x, t.zone)
			dst := make([]uint16, len(x))
			for _, backend := range cpu.Available() {
				b.Run(fmt.Sprintf("%d/%s/%s", n, shape, backend), func(b *testing.B) {
					for b.Loop() {
						t.lookup16(backend, dst, x)
					}
					reportPerDraw(b, len(x))
				})
			}
		}
	}
}

// skewedWeights returns n weights, of which one in fifty are nearly everything.
func skewedWeights(n int) []uint64 {
	return fill(n, func(i int) uint64 {
		if i < n/50 {
			return 400_000_000_000_000_000 / uint64(n/50)
		}
		return 100_000_000_000
	})
}

func forSamplers(b *testing.B, sizes []int, f func(b *testing.B, s *Sampler, r *chacha20rng.RNG)) {
	for _, n := range sizes {
		for _, backend := range cpu.Available() {
			b.Run(fmt.Sprintf("%d/%s", n, backend), func(b *testing.B) {
				s := mustSampler(b, clusterWeights(n), WithRestore(), WithRejection(chacha20rng.ByShift), WithBackend(string(backend)))
				f(b, s, newRNG(b, backend, [32]byte{}))
			})
		}
	}
}

func BenchmarkSamplerSample(b *testing.B) {
	forSamplers(b, []int{1000, 5000}, func(b *testing.B, s *Sampler, r *chacha20rng.RNG) {
		for b.Loop() {
			s.Sample(r)
		}
	})
}

func BenchmarkSampleMany(b *testing.B) {
	forSamplers(b, []int{1000, 5000}, func(b *testing.B, s *Sampler, r *chacha20rng.RNG) {
		var dst [1024]uint32
		for b.Loop() {
			s.SampleMany(r, dst[:])
		}
		reportPerDraw(b, len(dst))
	})
}

// BenchmarkSampleAndRemove draws whole lists to the end, restored each round.
func BenchmarkSampleAndRemove(b *testing.B) {
	forSamplers(b, []int{20, 200, 1000, 2000, 5000, 10000, 50000}, func(b *testing.B, s *Sampler, r *chacha20rng.RNG) {
		dst := make([]uint32, s.Len())
		for b.Loop() {
			if err := s.RestoreAll(); err != nil {
				b.Fatal(err)
			}
			s.SampleAndRemoveMany(r, dst)
		}
		reportPerDraw(b, len(dst))
	})
}

// BenchmarkRemoveOneByOne is the same with single calls.
func BenchmarkRemoveOneByOne(b *testing.B) {
	forSamplers(b, []int{20, 1000, 5000}, func(b *testing.B, s *Sampler, r *chacha20rng.RNG) {
		for b.Loop() {
			if err := s.RestoreAll(); err != nil {
				b.Fatal(err)
			}
			for s.Left() > 0 {
				s.SampleAndRemove(r)
			}
		}
		reportPerDraw(b, s.Len())
	})
}

func BenchmarkNewSampler(b *testing.B) {
	for _, n := range []int{1000, 5000} {
		weights := clusterWeights(n)
		for _, backend := range cpu.Available() {
			b.Run(fmt.Sprintf("%d/%s", n, backend), func(b *testing.B) {
				for b.Loop() {
					mustSampler(b, weights, WithBackend(string(backend)))
				}
			})
		}
	}
}

func BenchmarkMap(b *testing.B) {
	const n = 5000
	weights := clusterWeights(n)
	t, s := mustTable(b, weights), mustSampler(b, weights)
	x := make([]uint64, 1<<14)
	chacha20rng.New([32]byte{}).FillRolls(x, t.zone)
	b.Run("Table", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			t.Map(x[i%len(x)])
		}
	})
	b.Run("Sampler", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			s.Map(x[i%len(x)])
		}
	})
}
