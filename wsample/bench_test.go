package wsample

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/schedgen/schedgen/chacha20rng"
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
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			weights := clusterWeights(n)
			for b.Loop() {
				mustTable(b, weights)
			}
		})
	}
}

func BenchmarkTableSample16(b *testing.B) {
	for _, n := range []int{1500, 5000} {
		for _, backend := range chacha20rng.Backends() {
			b.Run(fmt.Sprintf("%d/%s", n, backend), func(b *testing.B) {
				t := mustTable(b, clusterWeights(n))
				dst := make([]uint16, epochDraws)
				var seed [32]byte
				rng := chacha20rng.New(seed)
				if err := rng.SetBackend(backend); err != nil {
					b.Fatal(err)
				}
				for epoch := uint64(0); b.Loop(); epoch++ {
					binary.LittleEndian.PutUint64(seed[:], epoch)
					rng.Reseed(seed)
					if err := t.Sample16(rng, dst); err != nil {
						b.Fatal(err)
					}
				}
				reportPerDraw(b, len(dst))
			})
		}
	}
}

// BenchmarkLookup is Sample16 without the generator: fresh numbers each round,
// so that the branches cannot be learned.
func BenchmarkLookup(b *testing.B) {
	for _, n := range []int{1500, 5000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			t := mustTable(b, clusterWeights(n))
			x := make([]uint64, epochDraws)
			chacha20rng.New([32]byte{1}).FillRolls(x, t.zone)
			dst := make([]uint16, len(x))
			for b.Loop() {
				for i := 0; i < len(x); i += chunk {
					part := x[i:min(i+chunk, len(x))]
					lookupAll(dst[i:], part, t.sums, t.guide16, t.shift)
				}
			}
			reportPerDraw(b, len(x))
		})
	}
}

func BenchmarkSamplerSample(b *testing.B) {
	for _, n := range []int{1000, 5000} {
		s := mustSampler(b, clusterWeights(n))
		rng := chacha20rng.New([32]byte{})
		b.Run(fmt.Sprintf("%d/one", n), func(b *testing.B) {
			for b.Loop() {
				s.Sample(rng)
			}
		})
		b.Run(fmt.Sprintf("%d/many", n), func(b *testing.B) {
			var dst [1024]uint32
			for b.Loop() {
				s.SampleMany(rng, dst[:])
			}
			reportPerDraw(b, len(dst))
		})
	}
}

// BenchmarkSampleAndRemove draws whole lists to the end, restored each round.
func BenchmarkSampleAndRemove(b *testing.B) {
	for _, n := range []int{1000, 2000, 5000, 6562} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := mustSampler(b, clusterWeights(n), WithRestore(), WithRejection(chacha20rng.ByShift))
			rng := chacha20rng.New([32]byte{})
			dst := make([]uint32, n)
			for b.Loop() {
				if err := s.RestoreAll(); err != nil {
					b.Fatal(err)
				}
				s.SampleAndRemoveMany(rng, dst)
			}
			reportPerDraw(b, n)
		})
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
