package clienttest_test

import (
	"context"
	"fmt"
	"time"

	"github.com/gagliardetto/solana-go/rpc"

	"github.com/schedgen/schedgen/server"
	"github.com/schedgen/schedgen/slotclock"
)

// A client of Solana cannot tell the service from a node.
func Example() {
	clock := slotclock.Assume(388_800_000, time.Now(), 400*time.Millisecond)
	service, err := server.New(server.Config{Listen: "127.0.0.1:0", Example: true, Anchor: &clock})
	if err != nil {
		fmt.Println(err)
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- service.Run(ctx) }()
	for len(service.Ready()) > 0 && len(ended) == 0 {
		time.Sleep(10 * time.Millisecond)
	}

	client := rpc.New(service.URL())
	leaders, err := client.GetSlotLeaders(ctx, 388_799_998, 3)
	for _, leader := range leaders {
		fmt.Println(leader)
	}
	fmt.Println(err)

	stop()
	fmt.Println(<-ended)
	// Output:
	// 68ZHQNcko4Cb6HaA7zxiXwVNT2q8GrKFY6EW6qkGUtxR
	// 68ZHQNcko4Cb6HaA7zxiXwVNT2q8GrKFY6EW6qkGUtxR
	// 3kXoWz2CCHoKKskwp4mPUGQRkqrE7dUV3HE2o44bLoea
	// <nil>
	// <nil>
}
