package vectors_test

import (
	"fmt"
	"io"

	"github.com/schedgen/schedgen/vectors"
)

func ExampleCheck() {
	o := vectors.Options{Backends: []string{"generic"}, Quick: true}
	passed, failed, err := vectors.Check(io.Discard, o)
	fmt.Println(passed > 200, failed, err)
	// Output: true 0 <nil>
}
