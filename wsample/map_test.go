package wsample

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedgen/schedgen/internal/cpu"
	"github.com/schedgen/schedgen/internal/cpu/cputest"
)

// checkBoundaries compares mapper with the prefix sums of weights at each sum
// and right below it, where an error of one shows.
func checkBoundaries(t *testing.T, weights []uint64, mapper func(uint64) int) {
	t.Helper()
	var sum uint64
	for i, w := range weights {
		if w == 0 {
			continue
		}
		for _, x := range []uint64{sum, sum + w/2, sum + w - 1} {
			if got := mapper(x); got != i {
				t.Fatalf("Map(%d) = %d, want %d", x, got, i)
			}
		}
		sum += w
	}
	for _, x := range []uint64{sum, math.MaxUint64} { // behind the last one
		if got := mapper(x); got != len(weights) {
			t.Fatalf("Map(%d) = %d, want %d, for a total of %d", x, got, len(weights), sum)
		}
	}
}

func TestMapAtEveryBoundary(t *testing.T) {
	for _, n := range heightSizes {
		if testing.Short() && n > 10_000 && n != 59050 {
			continue
		}
		for _, shape := range allShapes() {
			t.Run(fmt.Sprintf("%d/%s", n, shape.name), func(t *testing.T) {
				weights := shape.make(n, rand.New(rand.NewPCG(1, uint64(n))))
				checkBoundaries(t, weights, mustTable(t, weights).Map)
			})
		}
	}
}

func TestSamplerMapAtEveryBoundary(t *testing.T) {
	cputest.Each(t, func(t *testing.T, b cpu.Backend) {
		for _, n := range heightSizes {
			if testing.Short() && n > 10_000 && n != 59050 {
				continue
			}
			for _, shape := range positive {
				weights := shape.make(n, rand.New(rand.NewPCG(1, uint64(n))))
				s := mustSampler(t, weights, WithBackend(string(b)))
				checkBoundaries(t, weights, s.Map)
				checkWeights(t, s, weights)
			}
		}
	})
}

func checkWeights(t *testing.T, s *Sampler, weights []uint64) {
	t.Helper()
	for i, want := range weights {
		if got, err := s.Weight(i); err != nil || got != want {
			t.Fatalf("Weight(%d) of %d = %d, %v, want %d", i, len(weights), got, err, want)
		}
	}
}

// TestMapAfterRemovals removes about half of a list: what is left must map like
// a list with zeros in the places removed.
func TestMapAfterRemovals(t *testing.T) {
	cputest.Each(t, func(t *testing.T, b cpu.Backend) {
		for _, n := range heightSizes {
			if testing.Short() && n > 10_000 {
				continue
			}
			for _, shape := range positive {
				mapAfterRemovals(t, b, n, shape)
			}
		}
	})
}

func mapAfterRemovals(t *testing.T, b cpu.Backend, n int, shape shape) {
	rng := rand.New(rand.NewPCG(2, uint64(n)))
	weights := shape.make(n, rng)
	s := mustSampler(t, weights, WithBackend(string(b)))
	left := n
	for i := range weights {
		if rng.Uint64N(2) == 0 {
			continue
		}
		if err := s.Remove(i); err != nil {
			t.Fatal(err)
		}
		weights[i] = 0
		left--
	}
	if s.Total() != sumOf(weights) || s.Left() != left || s.Len() != n {
		t.Fatalf("%d %s: Total, Left, Len = %d, %d, %d, want %d, %d, %d",
			n, shape.name, s.Total(), s.Left(), s.Len(), sumOf(weights), left, n)
	}
	checkBoundaries(t, weights, s.Map)
	checkWeights(t, s, weights)
}

func TestMapIsTheLinearScan(t *testing.T) {
	sizes := heightSizes
	if testing.Short() {
		sizes = sizes[:14]
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom(sizes).Draw(t, "n")
		pick := rapid.IntRange(0, len(allShapes())-1).Draw(t, "shape")
		weights := allShapes()[pick].make(n, rand.New(rand.NewPCG(3, rapid.Uint64().Draw(t, "seed"))))
		table, err := NewTable(weights)
		if err != nil {
			t.Fatal(err)
		}
		var s *Sampler
		if pick < len(positive) {
			if s, err = NewSampler(weights); err != nil {
				t.Fatal(err)
			}
		}
		if want := sumOf(weights); table.Total() != want || table.Len() != n {
			t.Fatalf("Total, Len = %d, %d, want %d, %d", table.Total(), table.Len(), want, n)
		}
		for _, x := range append(rapid.SliceOfN(rapid.Uint64Range(0, table.Total()-1), 1, 10).Draw(t, "x"),
			0, table.Total()-1, table.Total(), math.MaxUint64) {
			want := linearMap(weights, x)
			if got := table.Map(x); got != want {
				t.Fatalf("Table.Map(%d) = %d, want %d", x, got, want)
			}
			if s != nil && s.Map(x) != want {
				t.Fatalf("Sampler.Map(%d) = %d, want %d", x, s.Map(x), want)
			}
		}
	})
}

// TestMapEveryNumber maps every x of the weights 2,000,000/(i+1), about 15
// million of them.
func TestMapEveryNumber(t *testing.T) {
	weights := harmonicWeights(1018)
	step := uint64(1)
	if testing.Short() {
		step = 97
	}
	table := mustTable(t, weights)
	var samplers []*Sampler
	for _, b := range cpu.Available() {
		samplers = append(samplers, mustSampler(t, weights, WithBackend(string(b))))
	}
	want, end := 0, weights[0]
	for x := uint64(0); x < table.Total(); x += step {
		for x >= end {
			want++
			end += weights[want]
		}
		if got := table.Map(x); got != want {
			t.Fatalf("Table.Map(%d) = %d, want %d", x, got, want)
		}
		for _, s := range samplers {
			if got := s.Map(x); got != want {
				t.Fatalf("Sampler.Map(%d) = %d, want %d, with %s", x, got, want, s.Backend())
			}
		}
	}
}

func harmonicWeights(n int) []uint64 {
	return fill(n, func(i int) uint64 { return 2_000_000 / uint64(i+1) })
}

// TestTreeOfTheComment checks the figures of the package comment.
func TestTreeOfTheComment(t *testing.T) {
	s := mustSampler(t, []uint64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, WithBackend(string(cpu.Generic)))
	check := func(want ...node) {
		t.Helper()
		if fmt.Sprint(s.tree.nodes) != fmt.Sprint(want) {
			t.Errorf("nodes are %v, want %v", s.tree.nodes, want)
		}
	}
	last := node{10, 10, 10, 10, 10, 10, 10, 10}
	check(node{45, 55, 55, 55, 55, 55, 55, 55}, node{1, 3, 6, 10, 15, 21, 28, 36}, last)
	if got := s.Map(17); got != 5 {
		t.Errorf("Map(17) = %d, want 5", got)
	}
	if err := s.Remove(5); err != nil {
		t.Fatal(err)
	}
	check(node{39, 49, 49, 49, 49, 49, 49, 49}, node{1, 3, 6, 10, 15, 15, 22, 30}, last)
}

// TestGuideOfTheComment checks the figures of the package comment.
func TestGuideOfTheComment(t *testing.T) {
	guide := make([]uint16, 7+guidePad)
	makeGuide(guide, []uint64{40, 70, 90, 100}, 0, 4)
	if got, want := guide[:7], []uint16{0, 0, 0, 1, 1, 2, 3}; !slices.Equal(got, want) {
		t.Errorf("guide is %v, want %v", got, want)
	}
}

// TestOnlyNeededNodes bounds the tree's memory: a level more must not multiply
// it by nine.
func TestOnlyNeededNodes(t *testing.T) {
	for _, n := range heightSizes {
		tree := newTree(fill(n, func(int) uint64 { return 1 }), uint64(n))
		if words := 8 * len(tree.nodes); words > 2*n+8*tree.height {
			t.Errorf("%d weights take %d words of tree", n, words)
		}
	}
}
