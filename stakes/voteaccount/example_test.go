package voteaccount_test

import (
	"fmt"

	"github.com/schedgen/schedgen/stakes/voteaccount"
)

func ExampleParse() {
	data := make([]byte, 3762)
	data[0] = 3              // the tag of version 4
	data[4], data[35] = 7, 9 // the identity
	data[144] = 1            // a BLS public key follows
	state, err := voteaccount.Parse(data)
	fmt.Println(state.Node, "version", state.Version, "BLS", state.HasBLS, err)

	_, err = voteaccount.Parse(make([]byte, 3762))
	fmt.Println(err)
	_, err = voteaccount.Parse([]byte{2, 0, 0, 0, 1, 2})
	fmt.Println(err)
	// Output:
	// UKrXU5bFrTzrqqpZXs8GVDbp4xPweiM65ADXNAy3dda version 4 BLS true <nil>
	// vote account is not initialized: its identity is zero
	// vote account data ends early: 6 bytes, version 3 needs 36
}
