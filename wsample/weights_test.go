package wsample

import (
	"math"
	"math/rand/v2"
	"slices"
)

// heightSizes are the list sizes around which the tree gets one level higher or
// a level is filled.
var heightSizes = []int{1, 2, 8, 9, 10, 80, 81, 82, 728, 729, 730, 6560, 6561, 6562, 59048, 59049, 59050}

// shape makes n weights, the first at least 1, with a sum below 2^64.
type shape struct {
	name string
	make func(n int, rng *rand.Rand) []uint64
}

// positive are the shapes without zeros, which suit a Sampler too.
var positive = []shape{
	{"equal", func(n int, rng *rand.Rand) []uint64 { return slices.Repeat([]uint64{1 + rng.Uint64N(1000)}, n) }},
	{"small", func(n int, rng *rand.Rand) []uint64 {
		return fill(n, func(int) uint64 { return 1 + rng.Uint64N(10) })
	}},
	{"power law", func(n int, rng *rand.Rand) []uint64 {
		return fill(n, func(i int) uint64 { return 1 + (1<<58+rng.Uint64N(1<<50))/(uint64(i+1)*uint64(i+1)) })
	}},
	{"one giant in front", func(n int, rng *rand.Rand) []uint64 {
		w := fill(n, func(int) uint64 { return 1 + rng.Uint64N(1000) })
		w[0] = 1 << 63
		return w
	}},
	{"one giant behind", func(n int, rng *rand.Rand) []uint64 {
		w := fill(n, func(int) uint64 { return 1 + rng.Uint64N(1000) })
		w[n-1] = 1 << 63
		return w
	}},
	{"sum 2^64-1", func(n int, _ *rand.Rand) []uint64 {
		share := math.MaxUint64 / uint64(n)
		w := slices.Repeat([]uint64{share}, n)
		w[n/2] += math.MaxUint64 - share*uint64(n)
		return w
	}},
}

// withZeros are shapes for a Table only.
var withZeros = []shape{
	{"mostly zeros", func(n int, rng *rand.Rand) []uint64 {
		w := fill(n, func(int) uint64 {
			if rng.Uint64N(10) > 0 {
				return 0
			}
			return rng.Uint64N(1 << 40)
		})
		w[rng.IntN(n)] = 7
		return w
	}},
	{"zeros at both ends", func(n int, rng *rand.Rand) []uint64 {
		w := fill(n, func(i int) uint64 {
			if i < n/3 || i > 2*n/3 {
				return 0
			}
			return 1 + rng.Uint64N(100)
		})
		w[n/2] = 1
		return w
	}},
}

func allShapes() []shape { return slices.Concat(positive, withZeros) }

func fill(n int, f func(i int) uint64) []uint64 {
	w := make([]uint64, n)
	for i := range w {
		w[i] = f(i)
	}
	return w
}

// linearMap is the definition of Map.
func linearMap(weights []uint64, x uint64) int {
	var sum uint64
	for i, w := range weights {
		if sum += w; sum > x {
			return i
		}
	}
	return len(weights)
}

func sumOf(weights []uint64) (sum uint64) {
	for _, w := range weights {
		sum += w
	}
	return sum
}
