package wsample_test

import (
	"fmt"

	"github.com/schedgen/schedgen/chacha20rng"
	"github.com/schedgen/schedgen/wsample"
)

// The first leaders of epoch 1 with three validators, heaviest first.
func ExampleTable() {
	table, err := wsample.NewTable([]uint64{30, 20, 10})
	if err != nil {
		fmt.Println(err)
		return
	}
	rng := chacha20rng.New([32]byte{1}) // the epoch, little-endian
	leaders := make([]uint16, 12)
	if err := table.Sample16(rng, leaders); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(leaders)
	fmt.Println(table.Map(29), table.Map(30), table.Map(49), table.Map(50), table.Map(60))
	// Output:
	// [1 1 0 1 1 2 2 1 0 1 2 1]
	// 0 1 1 2 3
}

// The order in which a shuffle takes four nodes, without the one at index 2.
func ExampleSampler() {
	sampler, err := wsample.NewSampler([]uint64{40, 30, 20, 10},
		wsample.WithRejection(chacha20rng.ByShift), wsample.WithRestore())
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := sampler.Remove(2); err != nil {
		fmt.Println(err)
		return
	}
	rng := chacha20rng.NewChaCha8([32]byte{})
	for sampler.Left() > 0 {
		index := sampler.SampleAndRemove(rng)
		fmt.Println(index, "leaves", sampler.Left(), "of weight", sampler.Total())
	}
	if err := sampler.RestoreAll(); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("restored:", sampler.Left(), "of weight", sampler.Total())
	// Output:
	// 1 leaves 2 of weight 50
	// 0 leaves 1 of weight 10
	// 3 leaves 0 of weight 0
	// restored: 4 of weight 100
}
