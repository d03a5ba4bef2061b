package json_test

import (
	"fmt"
	"os"
	"strings"

	"github.com/schedgen/schedgen/stakes/json"
)

func Example() {
	reply := `{"jsonrpc":"2.0","result":{"current":[{
		"votePubkey":"8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR","nodePubkey":"4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi",
		"activatedStake":8986136427945553,"epochCredits":[[1005,16,0]],"lastVote":434591990}],"delinquent":[]},"id":1}`
	set, err := json.Read(strings.NewReader(reply), "reply.json")
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := json.Write(os.Stdout, set.Latest()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// {
	//   "format": "schedgen-stakes",
	//   "version": 1,
	//   "keyedBy": "vote",
	//   "provenance": {"kind":"get-vote-accounts","source":"reply.json","epoch":1006,"vintage":"approximate","reason":"taken within epoch 1005, at or after slot 434591990; exact only if read at the epoch's first slot"},
	//   "stakes": [
	//     {"vote":"8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR","node":"4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi","stake":"8986136427945553"}
	//   ]
	// }
}

func ExampleRead_error() {
	_, err := json.Read(strings.NewReader(`[{"pubkey":"4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi","stake":1.5}]`), "list.json")
	fmt.Println(err)
	// Output: list.json: at byte 68: [0].stake: bad stake: "1.5" is a fraction, want a whole number of lamports in decimal digits
}
