package pagetest

import (
	"bytes"

	"github.com/schedgen/schedgen/internal/splitmix"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/csv"
	"github.com/schedgen/schedgen/stakes/example"
)

// entries returns the example list for n = 0, otherwise a made-up list of n vote
// accounts, of which every fortieth identity has two.
func entries(n int) ([]schedule.Entry, error) {
	if n == 0 {
		entries, _, err := csv.Read(bytes.NewReader(example.CSV()), "example")
		return entries, err
	}
	rng := splitmix.Source(uint64(n))
	made := make([]schedule.Entry, n)
	for i := range made {
		made[i] = schedule.Entry{
			Key: rng.Key(), Node: rng.Key(),
			Stake: 100_000_000_000_000_000/uint64(i+12) + rng.Next()>>20,
		}
		if i%40 == 39 {
			made[i].Node = made[i-20].Node
		}
	}
	return made, nil
}
