package rpc_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/noderpc/rpctest"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/rpc"
)

func Example() {
	// A made-up node, 123 slots into epoch 1041 of mainnet-beta.
	mainnet, _ := schedule.ClusterSchedule("mainnet-beta")
	genesis, _ := schedule.ParsePubkey("5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d")
	entries := []schedule.Entry{{Key: schedule.Pubkey{1}, Node: schedule.Pubkey{2}, Stake: 1_000_000_000}}
	node := rpctest.Start(rpctest.Cluster{
		Genesis: genesis, EpochSchedule: mainnet, Slot: mainnet.FirstSlot(1041) + 123,
		VoteAccounts: rpctest.VoteAccountsOf(entries, 449_712_122),
	})
	defer node.Close()

	c, err := noderpc.Dial(node.URL, noderpc.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	set, err := rpc.Read(context.Background(), c)
	if err != nil {
		fmt.Println(err)
		return
	}
	l := set.Latest()
	fmt.Println(len(l.Entries), "vote account with stake")
	fmt.Println(strings.TrimPrefix(l.Provenance.String(), node.URL))
	// Output:
	// 1 vote account with stake
	//  (rpc), mainnet-beta, stakes of epoch 1042, read at slot 449712123, vintage approximate: read 123 slots after slot 449712000, the first of epoch 1041, where the network records these stakes: rewards, closed accounts and new identities since then are in them
}
