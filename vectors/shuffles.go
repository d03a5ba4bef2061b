package vectors

import (
	"fmt"
	"io/fs"
	"math/bits"
	"slices"

	"github.com/schedgen/schedgen/chacha20rng"
	"github.com/schedgen/schedgen/internal/cpu"
	"github.com/schedgen/schedgen/wsample"
)

// shuffleVector is one Turbine shuffle, with both generators that it has had.
type shuffleVector struct {
	Name    string  `json:"name"`
	Seed    bytes32 `json:"seed"`
	Weights []word  `json:"weights"`
	// Generator stands for Weights when they are many.
	Generator *struct {
		Seed word `json:"seed"`
		N    int  `json:"n"`
	} `json:"generator"`
	Removed  []int          `json:"removed"`
	ChaCha20 shuffleOutcome `json:"chacha20"`
	ChaCha8  shuffleOutcome `json:"chacha8"`
}

type shuffleOutcome struct {
	First  []int   `json:"first"`
	Length int     `json:"length"`
	SHA256 bytes32 `json:"sha256"`
	Words  uint64  `json:"words"`
}

func shuffles(files fs.FS, name string) ([]testCase, error) {
	var file struct {
		Shuffles []shuffleVector `json:"shuffles"`
	}
	if err := decode(files, name, &file); err != nil {
		return nil, err
	}
	var cases []testCase
	for _, v := range file.Shuffles {
		cases = append(cases, testCase{name: "shuffles/" + v.Name, run: v.check})
	}
	return cases, nil
}

func (v shuffleVector) check(b cpu.Backend) error {
	weights := numbers(v.Weights)
	if v.Generator != nil {
		weights = shuffleWeights(uint64(v.Generator.Seed), v.Generator.N)
	}
	for _, rounds := range []int{20, 8} {
		want := v.ChaCha20
		if rounds == 8 {
			want = v.ChaCha8
		}
		for _, many := range []bool{false, true} {
			if err := v.checkOrder(b, rounds, weights, want, many); err != nil {
				return fmt.Errorf("ChaCha%d, many at once %t: %w", rounds, many, err)
			}
		}
	}
	return nil
}

func (v shuffleVector) checkOrder(b cpu.Backend, rounds int, weights []uint64, want shuffleOutcome, many bool) error {
	r, err := newRNG(rounds, v.Seed, b)
	if err != nil {
		return err
	}
	order, err := shuffle(weights, v.Removed, r, b, many)
	if err != nil {
		return err
	}
	return firstError(
		expectFirst("index at", want.First, order),
		expect("length of the order", want.Length, len(order)),
		expect("SHA-256 of the order", want.SHA256, hashNumbers(order)),
		expect("words used", want.Words, r.Pos()),
	)
}

// shuffle orders all indices that are not removed: by draws without replacement,
// then those of weight zero by rolls and swap removal. A weight that would
// overflow the sum counts as zero.
func shuffle(weights []uint64, removed []int, r *chacha20rng.RNG, b cpu.Backend, many bool) ([]int, error) {
	var sum uint64
	var weighted, zeros []int // indices
	var positive []uint64
	for i, w := range weights {
		next, carry := bits.Add64(sum, w, 0)
		if w == 0 || carry != 0 {
			zeros = append(zeros, i)
			continue
		}
		sum = next
		weighted = append(weighted, i)
		positive = append(positive, w)
	}
	zeros = slices.DeleteFunc(zeros, func(i int) bool { return slices.Contains(removed, i) })
	order, err := shuffleWeighted(positive, weighted, removed, r, b, many)
	if err != nil {
		return nil, err
	}
	for len(zeros) > 0 {
		last := len(zeros) - 1
		at := r.Roll(chacha20rng.Shift(uint64(len(zeros))))
		order = append(order, zeros[at])
		zeros[at] = zeros[last]
		zeros = zeros[:last]
	}
	return order, nil
}

// shuffleWeighted draws all of the positive weights; indices are their names.
func shuffleWeighted(positive []uint64, indices, removed []int, r *chacha20rng.RNG, b cpu.Backend, many bool) ([]int, error) {
	if len(positive) == 0 {
		return nil, nil
	}
	s, err := wsample.NewSampler(positive,
		wsample.WithRejection(chacha20rng.ByShift), wsample.WithBackend(string(b)))
	if err != nil {
		return nil, err
	}
	for _, i := range removed {
		if at, found := slices.BinarySearch(indices, i); found {
			if err := s.Remove(at); err != nil {
				return nil, err
			}
		}
	}
	drawn := make([]uint32, s.Left())
	if many {
		s.SampleAndRemoveMany(r, drawn)
	} else {
		for i := range drawn {
			drawn[i] = s.SampleAndRemove(r)
		}
	}
	order := make([]int, len(drawn))
	for i, at := range drawn {
		if uint64(at) >= uint64(len(indices)) {
			return nil, mismatch(fmt.Sprintf("draw %d to be below", i), len(indices), at)
		}
		order[i] = indices[at]
	}
	return order, nil
}
