package noderpc_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/noderpc/rpctest"
	"github.com/schedgen/schedgen/schedule"
)

func Example() {
	mainnet, _ := schedule.ClusterSchedule("mainnet-beta")
	node := rpctest.Start(rpctest.Cluster{EpochSchedule: mainnet, Slot: 450_000_123})
	defer node.Close()

	c, err := noderpc.Dial(node.URL, noderpc.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	info, err := c.EpochInfo(context.Background(), noderpc.Finalized)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("epoch %d, slot %d of %d\n", info.Epoch, info.SlotIndex, info.SlotsInEpoch)
	far := schedule.Slot(1_000_000_000)
	_, err = c.LeaderSchedule(context.Background(), &far, nil)
	fmt.Println(errors.Is(err, noderpc.ErrUnavailable))
	// Output:
	// epoch 1041, slot 288123 of 432000
	// true
}
