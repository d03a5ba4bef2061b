package vectors

import (
	"fmt"

	"github.com/schedgen/schedgen/internal/splitmix"
)

// stakeRule returns the named function from an entry's number and one output to
// its stake.
func stakeRule(name string) (func(i int, r uint64) uint64, error) {
	switch name {
	case "equal":
		return func(int, uint64) uint64 { return 1_000_000_000 }, nil
	case "uniform40":
		return func(_ int, r uint64) uint64 { return 1 + r&(1<<40-1) }, nil
	case "uniform48":
		return func(_ int, r uint64) uint64 { return 1 + r&(1<<48-1) }, nil
	case "powerlaw":
		return func(i int, r uint64) uint64 {
			base := 77_000_000_000_000_000 / (uint64(i) + 10)
			return base + r%(base/16+1)
		}, nil
	case "smallties":
		return func(_ int, r uint64) uint64 { return 1 + r%3 }, nil
	case "somezero":
		return func(_ int, r uint64) uint64 {
			if r%4 == 0 {
				return 0
			}
			return 1 + r>>32
		}, nil
	}
	return nil, fmt.Errorf("no stake rule is called %q", name)
}

// shuffleWeights: about one in five is zero, the others have 34 bits.
func shuffleWeights(seed uint64, n int) []uint64 {
	g := splitmix.Source(seed)
	weights := make([]uint64, n)
	for i := range weights {
		if r := g.Next(); r%5 != 0 {
			weights[i] = r >> 30
		}
	}
	return weights
}
