package splice_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"strings"

	"github.com/schedgen/schedgen/server/splice"
)

func Example() {
	result, err := splice.Make(splice.Gzip, splice.Options{}, func(w io.Writer) error {
		_, err := io.WriteString(w, `"`+strings.Repeat("long ", 1000)+`"`)
		return err
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for id := range 2 {
		reply, err := splice.Join(splice.Gzip,
			splice.Literal(`{"result":`), result, splice.Literal(fmt.Sprintf(`,"id":%d}`, id)))
		if err != nil {
			fmt.Println(err)
			return
		}
		r, err := gzip.NewReader(bytes.NewReader(reply.Bytes()))
		if err != nil {
			fmt.Println(err)
			return
		}
		text, err := io.ReadAll(r)
		fmt.Printf("%s…%s %v %v\n", text[:20], text[5006:], reply.Len() < 200, err)
	}
	// Output:
	// {"result":"long long…long ","id":0} true <nil>
	// {"result":"long long…long ","id":1} true <nil>
}
