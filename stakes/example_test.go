package stakes_test

import (
	"context"
	"fmt"

	"github.com/schedgen/schedgen/stakes"
)

func ExampleOpen() {
	set, err := stakes.Open(context.Background(), stakes.Example, stakes.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	l := set.Latest()
	fmt.Println(len(l.Entries), "entries, with vote accounts:", l.HasVotes)
	fmt.Println(&l.Provenance)
	// Output:
	// 1400 entries, with vote accounts: true
	// the example stake list (example), vintage unknown: nobody has these keys and stakes
}
