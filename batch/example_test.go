package batch_test

import (
	"context"
	"fmt"
	"log"

	"github.com/schedgen/schedgen/batch"
	"github.com/schedgen/schedgen/schedule"
)

// Count how many of its slots an identity leads in each of three epochs, on all
// cores.
func Example() {
	stakes, err := schedule.NewStakes([]schedule.Entry{
		{Key: schedule.Pubkey{1}, Stake: 70},
		{Key: schedule.Pubkey{2}, Stake: 30},
	}, schedule.KeyedByVote)
	if err != nil {
		log.Fatal(err)
	}
	mainnet, err := schedule.ClusterSchedule("mainnet-beta")
	if err != nil {
		log.Fatal(err)
	}
	var pool batch.Pool
	jobs := batch.Epochs(stakes, mainnet, 900, 902)
	for r, err := range pool.Derive(context.Background(), jobs, batch.Options{Want: batch.Counts}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(r.Params.Epoch, r.Slots(0), r.Slots(1))
	}
	// Output:
	// 900 302064 129936
	// 901 303484 128516
	// 902 302324 129676
}
