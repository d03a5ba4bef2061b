package csv_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/csv"
	"github.com/schedgen/schedgen/stakes/list"
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

func ExampleWriteList() {
	epoch := uint64(1007)
	l := &list.List{
		Entries:  []schedule.Entry{{Key: schedule.Pubkey{31: 1}, Node: schedule.Pubkey{31: 2}, Stake: 500_000_000_000}},
		HasVotes: true,
		Provenance: list.Provenance{
			Kind: list.KindSnapshot, Source: "snapshot.tar.zst", Epoch: &epoch, Vintage: list.VintageExact,
		},
	}
	if err := csv.WriteList(os.Stdout, l); err != nil {
		fmt.Println(err)
	}
	// Output:
	// # schedgen: {"kind":"snapshot","source":"snapshot.tar.zst","epoch":1007,"vintage":"exact"}
	// vote_pubkey,node_pubkey,stake
	// 11111111111111111111111111111112,11111111111111111111111111111113,500000000000
}
