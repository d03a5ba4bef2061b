package rpctest_test

import (
	"context"
	"fmt"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/noderpc/rpctest"
)

func Example() {
	node := rpctest.Start(rpctest.Cluster{Slot: 1000})
	defer node.Close()
	node.Fail("getSlot", rpctest.Status(404))

	c, err := noderpc.Dial(node.URL, noderpc.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 2 {
		slot, err := c.Slot(context.Background(), noderpc.Finalized)
		fmt.Println(slot, err != nil)
	}
	fmt.Println(len(node.Calls("getSlot")), "calls")
	// Output:
	// 0 true
	// 1000 false
	// 2 calls
}
