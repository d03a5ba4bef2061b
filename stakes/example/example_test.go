package example_test

import (
	"bytes"
	"fmt"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/csv"
	"github.com/schedgen/schedgen/stakes/example"
)

func Example() {
	entries, _, err := csv.Read(bytes.NewReader(example.CSV()), "example")
	if err != nil {
		fmt.Println(err)
		return
	}
	stakes, err := schedule.NewStakes(entries, schedule.KeyedByVote)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(stakes.Len(), "vote accounts,", stakes.Total()/1e15, "million SOL")
	// Output: 1400 vote accounts, 400 million SOL
}
