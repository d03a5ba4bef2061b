package vectors

import (
	"encoding/binary"
	"fmt"

	"github.com/schedgen/schedgen/schedule"
)

// splitMix64 (Steele, Lea, Flood 2014) makes the inputs that are too long to
// list.
type splitMix64 uint64

func (s *splitMix64) next() uint64 {
	*s += 0x9E3779B97F4A7C15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// key is four outputs, each as 8 little-endian bytes.
func (s *splitMix64) key() (key schedule.Pubkey) {
	for i := 0; i < len(key); i += 8 {
		binary.LittleEndian.PutUint64(key[i:], s.next())
	}
	return key
}

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
	g := splitMix64(seed)
	weights := make([]uint64, n)
	for i := range weights {
		if r := g.next(); r%5 != 0 {
			weights[i] = r >> 30
		}
	}
	return weights
}
