package example

import _ "embed"

//go:generate go run ./gen -o example.csv

//go:embed example.csv
var csv string

// CSV returns a copy of the list, in the form of stakes/csv with vote accounts.
func CSV() []byte { return []byte(csv) }
