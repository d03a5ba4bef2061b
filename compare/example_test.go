package compare_test

import (
	"context"
	"fmt"
	"log"

	"github.com/schedgen/schedgen/compare"
	"github.com/schedgen/schedgen/schedule"
)

// Somebody else left one entry of the list out.
func ExampleExplain() {
	var entries []schedule.Entry
	for i := range 50 {
		entries = append(entries, schedule.Entry{Key: schedule.Pubkey{31: byte(i + 1)}, Stake: uint64(i+1) * 1_000_000_007})
	}
	params := schedule.Params{Epoch: 7, Slots: 8192}
	list, err := schedule.NewStakes(entries[1:], schedule.KeyedByVote)
	if err != nil {
		log.Fatal(err)
	}
	theirs, err := schedule.Derive(list, params)
	if err != nil {
		log.Fatal(err)
	}
	explanation, err := compare.Explain(context.Background(), compare.Case{
		Entries: entries, Params: params, Other: compare.Derived("theirs", theirs),
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(explanation.AsIs.Equal, "of", explanation.AsIs.Compared, "slots agree")
	fmt.Println(explanation)
	// Output:
	// 7984 of 8192 slots agree
	// explained: with entry 11111111111111111111111111111112 with 1000000007 lamports missing, all 8192 slots agree
}

func ExampleStakes() {
	a := []schedule.Entry{{Key: schedule.Pubkey{1}, Stake: 500}, {Key: schedule.Pubkey{2}, Stake: 300}}
	b := []schedule.Entry{{Key: schedule.Pubkey{1}, Stake: 480}}
	d := compare.Stakes(a, b, schedule.KeyedByVote)
	for _, c := range d.Changes {
		fmt.Println(c.Kind, c.Change)
	}
	fmt.Println("total", d.Change)
	// Output:
	// lost -300
	// stake -20
	// total -320
}
