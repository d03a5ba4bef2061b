package stakes_test

import (
	"fmt"

	"github.com/schedgen/schedgen/stakes"
)

func ExampleOpen() {
	list, err := stakes.Open(stakes.Example, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(list.Entries), "entries, with vote accounts:", list.HasVotes)
	// Output: 1400 entries, with vote accounts: true
}
