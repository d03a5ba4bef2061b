package chacha20rng_test

import (
	"encoding/binary"
	"fmt"

	"github.com/schedgen/schedgen/chacha20rng"
)

// The first three draws of epoch 1 for a total stake of 60.
func Example() {
	var seed [32]byte
	binary.LittleEndian.PutUint64(seed[:], 1) // the epoch
	rng := chacha20rng.New(seed)
	stake := chacha20rng.Modulo(60)
	fmt.Println(rng.Roll(stake), rng.Roll(stake), rng.Roll(stake), "after", rng.Pos(), "words")
	// Output: 34 31 20 after 3 words
}
