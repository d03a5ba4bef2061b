package wsample

import (
	"slices"
	"sync"
	"testing"

	"github.com/schedgen/schedgen/internal/cpu"
	"github.com/schedgen/schedgen/internal/cpu/cputest"
)

// TestConcurrentReaders lets goroutines read one table and one sampler at once:
// with -race a write shows, and each must get what a lone reader gets.
func TestConcurrentReaders(t *testing.T) {
	cputest.Each(t, func(t *testing.T, b cpu.Backend) {
		weights := harmonicWeights(1018)
		table := mustTable(t, weights)
		s := mustSampler(t, weights, WithPoison(1_000_000), WithBackend(string(b)))
		if err := s.Remove(17); err != nil {
			t.Fatal(err)
		}
		read := func() []uint32 {
			r := newRNG(t, b, seedOf(7))
			got := make([]uint32, 1200)
			s.SampleMany(r, got[:300])
			table.Sample32(r, got[300:600])
			for i := range got[600:] {
				got[600+i] = s.Sample(r) + uint32(s.Map(uint64(i)*20_000)) + uint32(table.Map(uint64(i)*20_000))
				w, err := s.Weight(i)
				if err != nil {
					t.Error(err)
				}
				got[600+i] += uint32(w)
			}
			half := make([]uint16, 300)
			if err := table.Sample16(r, half); err != nil {
				t.Error(err)
			}
			for _, h := range half {
				got = append(got, uint32(h))
			}
			return got
		}
		want := read()
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				for range 5 {
					if !slices.Equal(read(), want) {
						t.Error("a concurrent reader got other draws")
					}
				}
			})
		}
		wg.Wait()
	})
}

func TestNoAllocation(t *testing.T) {
	cputest.Each(t, func(t *testing.T, b cpu.Backend) {
		weights := harmonicWeights(1018)
		table := mustTable(t, weights)
		s := mustSampler(t, weights, WithRestore(), WithPoison(1000), WithBackend(string(b)))
		r := newRNG(t, b, seedOf(8))
		dst16, dst32 := make([]uint16, 1000), make([]uint32, 1000)
		for name, f := range map[string]func(){
			"Table.Map":      func() { table.Map(12345) },
			"Table.Sample":   func() { table.Sample(r) },
			"Table.Sample16": func() { _ = table.Sample16(r, dst16) },
			"Table.Sample32": func() { table.Sample32(r, dst32) },
			"Sampler.Map":    func() { s.Map(12345) },
			"Sampler.Weight": func() { _, _ = s.Weight(5) },
			"Sampler.Sample": func() { s.Sample(r) },
			"SampleMany":     func() { s.SampleMany(r, dst32) },
			"SampleAndRemoveMany and RestoreAll": func() {
				s.SampleAndRemoveMany(r, dst32)
				_ = s.RestoreAll()
			},
			"SampleAndRemove, Remove and RestoreAll": func() {
				s.SampleAndRemove(r)
				_ = s.Remove(5)
				_ = s.RestoreAll()
			},
		} {
			if n := testing.AllocsPerRun(20, f); n != 0 {
				t.Errorf("%s allocates %v times", name, n)
			}
		}
	})
}
