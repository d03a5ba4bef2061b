package bincode_test

import (
	"bytes"
	"fmt"

	"github.com/schedgen/schedgen/internal/bincode"
)

func Example() {
	data := []byte{
		2, 0, 0, 0, 0, 0, 0, 0, // two accounts
		10, 0, 0, 0, 0, 0, 0, 0, 0, // lamports, no owner
		11, 0, 0, 0, 0, 0, 0, 0, 7, // what should be an option
	}
	r := bincode.NewReader(bytes.NewReader(data))
	const size = 9 // of an account, at least
	n := r.Len(size, "accounts")
	for i := uint64(0); i < n && r.Err() == nil; i++ {
		r.EnterAt("accounts", i)
		fmt.Println(r.U64("lamports"), r.Option("owner"))
		r.Leave()
	}
	fmt.Println(r.Err())
	// Output:
	// 10 false
	// 11 false
	// byte 25: accounts[1].owner: impossible value: 7, an option is 0 or 1
}
