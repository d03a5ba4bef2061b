// Command gen makes the example stake list.
//
//	go run ./gen -o example.csv
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	path := flag.String("o", "example.csv", "file to write")
	flag.Parse()
	content, err := generate()
	if err == nil {
		err = os.WriteFile(*path, content, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}
