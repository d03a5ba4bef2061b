package wsample

import (
	"errors"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedgen/schedgen/chacha20rng"
	"github.com/schedgen/schedgen/internal/cpu"
	"github.com/schedgen/schedgen/internal/cpu/cputest"
)

// model is the definition of a Sampler, in time linear in the weights a draw.
type model struct {
	full, weights []uint64
	poison        uint64
	poisoned      bool
	rejection     chacha20rng.Rejection
}

// rollByDefinition is the roll of rand 0.8, from single words.
func rollByDefinition(r *chacha20rng.RNG, n uint64, k chacha20rng.Rejection) uint64 {
	zone := n<<bits.LeadingZeros64(n) - 1
	if k == chacha20rng.ByModulo {
		zone = math.MaxUint64 - (math.MaxUint64-n+1)%n
	}
	for {
		if high, low := bits.Mul64(r.Uint64(), n); low <= zone {
			return high
		}
	}
}

func (m *model) draw(r *chacha20rng.RNG, remove bool) uint32 {
	sum := sumOf(m.weights)
	if sum == 0 {
		return Empty
	}
	if m.poisoned {
		return Indeterminate
	}
	x := rollByDefinition(r, sum+m.poison, m.rejection)
	if x >= sum {
		m.poisoned = remove
		return Indeterminate
	}
	i := linearMap(m.weights, x)
	if remove {
		m.weights[i] = 0
	}
	return uint32(i)
}

func (m *model) left() int {
	n := 0
	for _, w := range m.weights {
		if w > 0 {
			n++
		}
	}
	return n
}

func drawSeed(t *rapid.T) (seed [32]byte) {
	copy(seed[:], rapid.SliceOfN(rapid.Byte(), 8, 8).Draw(t, "seed"))
	return seed
}

func newRNG(tb rapid.TB, b cpu.Backend, seed [32]byte) *chacha20rng.RNG {
	r := chacha20rng.New(seed)
	if err := r.SetBackend(string(b)); err != nil {
		tb.Fatal(err)
	}
	return r
}

// TestSamplerIsTheDefinition takes a sampler and the model through the same
// random calls: same answers, same words used, same counts after each.
func TestSamplerIsTheDefinition(t *testing.T) {
	cputest.Each(t, func(t *testing.T, b cpu.Backend) {
		rapid.Check(t, func(t *rapid.T) { samplerAgainstModel(t, b) })
	})
}

func samplerAgainstModel(t *rapid.T, b cpu.Backend) {
	n := rapid.SampledFrom([]int{1, 2, 3, 8, 9, 10, 30, 81, 82, 300, 729, 730}).Draw(t, "n")
	shape := rapid.SampledFrom(positive[:5]).Draw(t, "shape")
	weights := shape.make(n, rand.New(rand.NewPCG(4, rapid.Uint64().Draw(t, "weights"))))
	m := &model{full: weights, weights: slices.Clone(weights)}
	m.rejection = rapid.SampledFrom([]chacha20rng.Rejection{chacha20rng.ByModulo, chacha20rng.ByShift}).Draw(t, "rejection")
	m.poison = sumOf(weights) / rapid.SampledFrom([]uint64{3, 100, math.MaxUint64}).Draw(t, "poison share")
	seed := drawSeed(t)
	r, rm := newRNG(t, b, seed), chacha20rng.New(seed)
	options := []Option{WithPoison(m.poison), WithRejection(m.rejection), WithBackend(string(b))}
	restorable := rapid.Bool().Draw(t, "restorable")
	if restorable {
		options = append(options, WithRestore())
	}
	s, err := NewSampler(weights, options...)
	if err != nil {
		t.Fatal(err)
	}
	many := func(t *rapid.T, remove bool, f func(*chacha20rng.RNG, []uint32)) {
		got := make([]uint32, rapid.IntRange(0, n+n/2).Draw(t, "count"))
		f(r, got)
		for i := range got {
			if want := m.draw(rm, remove); got[i] != want {
				t.Fatalf("draw %d is %d, want %d", i, got[i], want)
			}
		}
	}
	t.Repeat(map[string]func(*rapid.T){
		"Sample": func(t *rapid.T) {
			if got, want := s.Sample(r), m.draw(rm, false); got != want {
				t.Fatalf("got %d, want %d", got, want)
			}
		},
		"SampleAndRemove": func(t *rapid.T) {
			if got, want := s.SampleAndRemove(r), m.draw(rm, true); got != want {
				t.Fatalf("got %d, want %d", got, want)
			}
		},
		"SampleMany":          func(t *rapid.T) { many(t, false, s.SampleMany) },
		"SampleAndRemoveMany": func(t *rapid.T) { many(t, true, s.SampleAndRemoveMany) },
		"Remove": func(t *rapid.T) {
			i := rapid.IntRange(0, n-1).Draw(t, "i")
			if err := s.Remove(i); err != nil {
				t.Fatal(err)
			}
			m.weights[i] = 0
		},
		"RestoreAll": func(t *rapid.T) {
			if err := s.RestoreAll(); restorable != (err == nil) {
				t.Fatalf("restorable %t, error %v", restorable, err)
			} else if err != nil && !errors.Is(err, ErrNoRestore) {
				t.Fatal(err)
			} else if err == nil {
				m.weights, m.poisoned = slices.Clone(m.full), false
			}
		},
		"": func(t *rapid.T) {
			if r.Pos() != rm.Pos() {
				t.Fatalf("%d words used, want %d", r.Pos(), rm.Pos())
			}
			if s.Total() != sumOf(m.weights) || s.Left() != m.left() || s.Len() != n || s.Poisoned() != m.poisoned {
				t.Fatalf("Total, Left, Len, Poisoned = %d, %d, %d, %t, want %d, %d, %d, %t",
					s.Total(), s.Left(), s.Len(), s.Poisoned(), sumOf(m.weights), m.left(), n, m.poisoned)
			}
			i := rapid.IntRange(0, n-1).Draw(t, "i")
			if w, err := s.Weight(i); err != nil || w != m.weights[i] {
				t.Fatalf("Weight(%d) = %d, %v, want %d", i, w, err, m.weights[i])
			}
		},
	})
}

// TestRemovingAllIsAPermutation draws lists to their end.
func TestRemovingAllIsAPermutation(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom(heightSizes[:11]).Draw(t, "n")
		shape := rapid.SampledFrom(positive).Draw(t, "shape")
		weights := shape.make(n, rand.New(rand.NewPCG(5, rapid.Uint64().Draw(t, "weights"))))
		k := rapid.SampledFrom([]chacha20rng.Rejection{chacha20rng.ByModulo, chacha20rng.ByShift}).Draw(t, "rejection")
		s, err := NewSampler(weights, WithRejection(k))
		if err != nil {
			t.Fatal(err)
		}
		seed := drawSeed(t)
		m, rm := &model{weights: slices.Clone(weights), rejection: k}, chacha20rng.New(seed)
		r, order := chacha20rng.New(seed), make([]uint32, n)
		s.SampleAndRemoveMany(r, order)
		seen := make([]bool, n)
		for at, i := range order {
			if i >= uint32(n) || seen[i] {
				t.Fatalf("draw %d of %d is %d, out of range or drawn before", at, n, i)
			}
			seen[i] = true
			if want := m.draw(rm, true); i != want {
				t.Fatalf("draw %d is %d, want %d", at, i, want)
			}
		}
		used := r.Pos()
		if got := s.SampleAndRemove(r); got != Empty || s.Left() != 0 || s.Total() != 0 || r.Pos() != used {
			t.Fatalf("after the last: draw %d, Left %d, Total %d, %d words", got, s.Left(), s.Total(), r.Pos()-used)
		}
	})
}
