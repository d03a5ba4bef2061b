package atomicfile_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/schedgen/schedgen/internal/atomicfile"
)

func Example() {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "out.txt")

	err = atomicfile.Write(path, func(w io.Writer) error {
		_, err := fmt.Fprintln(w, "all of it")
		return err
	})
	content, _ := os.ReadFile(path)
	fmt.Printf("%s%v\n", content, err)
	// Output:
	// all of it
	// <nil>
}
