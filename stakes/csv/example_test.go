package csv_test

import (
	"fmt"
	"strings"

	"github.com/schedgen/schedgen/stakes/csv"
)

func ExampleRead() {
	list := `# epoch 900
vote_pubkey,node_pubkey,stake
8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR,4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi,500000000000
`
	entries, hasVotes, err := csv.Read(strings.NewReader(list), "list.csv")
	fmt.Println(len(entries), hasVotes, err)
	fmt.Println(entries[0].Node, "leads with", entries[0].Stake, "lamports")

	_, _, err = csv.Read(strings.NewReader("pubkey,stake\n4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi,1.5\n"), "list.csv")
	fmt.Println(err)
	// Output:
	// 1 true <nil>
	// 4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi leads with 500000000000 lamports
	// list.csv:2:45: stake: bad stake: "1.5" is a fraction, want a whole number of lamports in decimal digits
}
