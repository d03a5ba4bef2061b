package wsample

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/schedgen/schedgen/chacha20rng"
	"github.com/schedgen/schedgen/internal/cpu"
	"github.com/schedgen/schedgen/internal/cpu/cputest"
)

func TestNewSamplerErrors(t *testing.T) {
	for _, c := range []struct {
		name    string
		weights []uint64
		option  Option
		want    error
		detail  string
	}{
		{"zero", []uint64{4, 0, 3}, WithRestore(), ErrZeroWeight, "index 1"},
		{"2^64", []uint64{5, math.MaxUint64 - 5, 1}, WithRestore(), ErrOverflow, "index 2, weight 1"},
		{"2^64 with poison", []uint64{5, math.MaxUint64 - 6}, WithPoison(2), ErrOverflow, "poisoned weight is 2"},
	} {
		s, err := NewSampler(c.weights, c.option)
		if !errors.Is(err, c.want) || s != nil {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		} else if !strings.Contains(err.Error(), c.detail) {
			t.Errorf("%s: %q does not say %q", c.name, err, c.detail)
		}
	}
	if _, err := NewSampler([]uint64{5, math.MaxUint64 - 6}, WithPoison(1)); err != nil {
		t.Errorf("2^64-1 with poison: %v", err)
	}
	if _, err := NewSampler([]uint64{1}, WithBackend("abacus")); err == nil || !strings.Contains(err.Error(), "abacus") {
		t.Errorf("backend abacus: %v", err)
	}
}

func TestSamplerBackend(t *testing.T) {
	cputest.Each(t, func(t *testing.T, b cpu.Backend) {
		if got := mustSampler(t, []uint64{1}, WithBackend(string(b))).Backend(); got != string(b) {
			t.Errorf("Backend() = %q, want %q", got, b)
		}
	})
}

func TestIndexErrors(t *testing.T) {
	onBackends(t, func(t *testing.T, on Option) {
		for _, weights := range [][]uint64{nil, {1}, slices.Repeat([]uint64{1}, 10)} {
			s := mustSampler(t, weights, on)
			for _, i := range []int{math.MinInt, -1, len(weights), len(weights) + 1, math.MaxInt} {
				if err := s.Remove(i); !errors.Is(err, ErrIndex) {
					t.Errorf("Remove(%d) of %d: %v", i, len(weights), err)
				}
				if _, err := s.Weight(i); !errors.Is(err, ErrIndex) {
					t.Errorf("Weight(%d) of %d: %v", i, len(weights), err)
				}
			}
			if s.Left() != len(weights) || s.Total() != uint64(len(weights)) {
				t.Errorf("Left, Total = %d, %d after errors, want %d", s.Left(), s.Total(), len(weights))
			}
		}
	})
}

func TestRemoveTwice(t *testing.T) {
	onBackends(t, func(t *testing.T, on Option) {
		s := mustSampler(t, []uint64{4, 5, 6}, WithRestore(), on)
		for range 3 {
			if err := s.Remove(1); err != nil {
				t.Fatal(err)
			}
			if s.Left() != 2 || s.Total() != 10 || s.Map(4) != 2 {
				t.Fatalf("Left, Total, Map(4) = %d, %d, %d, want 2, 10, 2", s.Left(), s.Total(), s.Map(4))
			}
		}
		for range 2 {
			if err := s.RestoreAll(); err != nil {
				t.Fatal(err)
			}
			if w, _ := s.Weight(1); s.Left() != 3 || s.Total() != 15 || w != 5 {
				t.Fatalf("restored: Left, Total, Weight(1) = %d, %d, %d, want 3, 15, 5", s.Left(), s.Total(), w)
			}
		}
	})
}

func TestNoRestore(t *testing.T) {
	onBackends(t, func(t *testing.T, on Option) {
		s := mustSampler(t, []uint64{4, 5, 6}, on)
		if err := s.Remove(2); err != nil {
			t.Fatal(err)
		}
		if err := s.RestoreAll(); !errors.Is(err, ErrNoRestore) || s.Left() != 2 || s.Total() != 9 {
			t.Errorf("RestoreAll: %v; Left, Total = %d, %d, want 2, 9", err, s.Left(), s.Total())
		}
	})
}

// TestEmpty: without a weight left every draw is Empty and uses no word, with a
// poisoned weight too, and in the poisoned state too.
func TestEmpty(t *testing.T) {
	onBackends(t, func(t *testing.T, on Option) {
		for _, poison := range []uint64{0, 1000} {
			r := chacha20rng.New(seedOf(1))
			check := func(name string, s *Sampler) {
				t.Helper()
				pos := r.Pos()
				many := make([]uint32, 3)
				s.SampleMany(r, many)
				got := append(many, s.Sample(r), s.SampleAndRemove(r))
				s.SampleAndRemoveMany(r, many)
				for _, draw := range append(got, many...) {
					if draw != Empty {
						t.Errorf("poison %d, %s: draw %d, want Empty", poison, name, draw)
					}
				}
				if r.Pos() != pos || s.Left() != 0 || s.Map(0) != s.Len() {
					t.Errorf("poison %d, %s: %d words used, Left %d, Map(0) %d", poison, name, r.Pos()-pos, s.Left(), s.Map(0))
				}
			}
			check("no weights", mustSampler(t, nil, WithPoison(poison), on))
			s := mustSampler(t, []uint64{1, 2}, WithPoison(poison), WithRestore(), on)
			for i := range 2 {
				if err := s.Remove(i); err != nil {
					t.Fatal(err)
				}
			}
			check("all removed", s)
			if err := s.RestoreAll(); err != nil {
				t.Fatal(err)
			}
			if poison == 0 {
				continue
			}
			for !s.Poisoned() && s.Left() > 0 {
				s.SampleAndRemove(r)
			}
			for i := range 2 {
				if err := s.Remove(i); err != nil {
					t.Fatal(err)
				}
			}
			if !s.Poisoned() {
				t.Fatal("a poisoned weight of 1000 beside 3 was not met: take another seed")
			}
			check("all removed, poisoned", s)
		}
	})
}

// TestPoison: a draw that leaves its index does not leave the sampler poisoned;
// one that removes does, for draws of either kind, until RestoreAll.
func TestPoison(t *testing.T) {
	onBackends(t, func(t *testing.T, on Option) {
		onBackends(t, func(t *testing.T, on Option) {
			const seed = 2
			weights := []uint64{1, 2, 3}
			s := mustSampler(t, weights, WithPoison(6), WithRestore(), on, on)
			r := chacha20rng.New(seedOf(seed))
			var indices, indeterminate int
			for range 1000 {
				if got := s.Sample(r); got == Indeterminate {
					indeterminate++
				} else if got < 3 {
					indices++
				}
				if s.Poisoned() {
					t.Fatal("Sample left the sampler poisoned")
				}
			}
			// Half of 1000, give or take five standard deviations.
			if indices+indeterminate != 1000 || indeterminate < 421 || indeterminate > 579 {
				t.Errorf("%d indices and %d Indeterminate of 1000, want half each", indices, indeterminate)
			}
			for round := 0; s.SampleAndRemove(r) != Indeterminate; round++ {
				if round == 1000 {
					t.Fatal("no draw of 1000 that removes was Indeterminate")
				}
				if s.Left() == 0 { // all three went first
					if err := s.RestoreAll(); err != nil {
						t.Fatal(err)
					}
				}
			}
			left, total, pos := s.Left(), s.Total(), r.Pos()
			if left == 0 || !s.Poisoned() {
				t.Fatalf("after an Indeterminate draw: Left %d, Poisoned %t", left, s.Poisoned())
			}
			many := make([]uint32, 300)
			s.SampleMany(r, many)
			draws := append(slices.Clone(many), s.Sample(r), s.SampleAndRemove(r))
			s.SampleAndRemoveMany(r, many)
			for i, got := range append(draws, many...) {
				if got != Indeterminate {
					t.Fatalf("draw %d in the poisoned state: %d, want Indeterminate", i, got)
				}
			}
			if s.Left() != left || s.Total() != total || r.Pos() != pos {
				t.Errorf("poisoned draws changed Left, Total or the stream")
			}
			if err := s.RestoreAll(); err != nil {
				t.Fatal(err)
			}
			if s.Poisoned() || s.Left() != 3 || r.Pos() != pos {
				t.Errorf("restored: Poisoned %t, Left %d, %d words used", s.Poisoned(), s.Left(), r.Pos()-pos)
			}
		})
	})
}

// TestOneWeightUsesWords: with one weight the answer is known, but the words of
// a roll are used all the same.
func TestOneWeightUsesWords(t *testing.T) {
	onBackends(t, func(t *testing.T, on Option) {
		for _, k := range []chacha20rng.Rejection{chacha20rng.ByModulo, chacha20rng.ByShift} {
			r, want := chacha20rng.New(seedOf(3)), chacha20rng.New(seedOf(3))
			s := mustSampler(t, []uint64{1}, WithRejection(k), on)
			for i := range 100 {
				if got := s.Sample(r); got != 0 {
					t.Fatalf("%s: draw %d is %d", k, i, got)
				}
				rollByDefinition(want, 1, k)
				if r.Pos() != want.Pos() {
					t.Fatalf("%s: %d words after draw %d, want %d", k, r.Pos(), i, want.Pos())
				}
			}
			if words := r.Pos(); (k == chacha20rng.ByModulo) != (words == 100) {
				t.Errorf("%s: 100 draws of one weight of 1 used %d words", k, words)
			}
		}
	})
}

// onBackends runs f for every backend, with the option that chooses it.
func onBackends(t *testing.T, f func(t *testing.T, on Option)) {
	cputest.Each(t, func(t *testing.T, b cpu.Backend) { f(t, WithBackend(string(b))) })
}
