package csv

import (
	"fmt"

	"github.com/schedgen/schedgen/stakes/internal/text"
)

// Names of the columns, as the header that WriteList prints has them.
const (
	pubkeyColumn  = "pubkey"
	voteColumn    = "vote_pubkey"
	nodeColumn    = "node_pubkey"
	stakeColumn   = "stake"
	balanceColumn = "balance"
	blsColumn     = "bls"
)

const forms = "pubkey,stake or vote_pubkey,node_pubkey,stake"

// accepted are the names a header may use, by column. Upper and lower case are
// the same, and _, - and space do not count.
const accepted = "pubkey, identity or node_pubkey; vote_pubkey or vote_account; stake, activated_stake or lamports; balance; bls"

// A columns says at which field of a row each column is, -1 where it is missing.
type columns struct {
	vote    int // missing in the form of two columns
	node    int // the only key in the form of two columns
	stake   int
	balance int // with bls or not at all
	bls     int
	count   int // fields of a row
}

// nodeName is what the node column is called in errors.
func (c columns) nodeName() string {
	if c.vote < 0 {
		return pubkeyColumn
	}
	return nodeColumn
}

// defaultColumns are those of a list without header.
func defaultColumns(fields int) (columns, error) {
	switch fields {
	case 2:
		return columns{vote: -1, node: 0, stake: 1, balance: -1, bls: -1, count: 2}, nil
	case 3:
		return columns{vote: 0, node: 1, stake: 2, balance: -1, bls: -1, count: 3}, nil
	}
	return columns{}, fmt.Errorf("%w: %d, want %s", ErrFields, fields, forms)
}

// isHeader reports whether a list's first row names columns: one of its fields
// is a known name, or all of them look like names and like nothing else.
func isHeader(row []string) bool {
	words := true
	for _, field := range row {
		if text.ColumnOf(field) != text.NoColumn {
			return true
		}
		words = words && isWord(field)
	}
	return words
}

// isWord reports whether a field looks like a name: it begins with a letter,
// goes on with letters, digits, _, - and spaces, and is too short for a key.
func isWord(field string) bool {
	const minKey = 32
	if field == "" || len(field) >= minKey {
		return false
	}
	for i, c := range []byte(field) {
		letter := 'a' <= c|0x20 && c|0x20 <= 'z'
		other := '0' <= c && c <= '9' || c == '_' || c == '-' || c == ' '
		if !letter && (i == 0 || !other) {
			return false
		}
	}
	return true
}

// headerColumns reads a header.
func headerColumns(row []string) (columns, error) {
	var at [text.Columns]int
	for column := range at {
		at[column] = -1
	}
	for i, name := range row {
		column := text.ColumnOf(name)
		if column == text.NoColumn {
			return columns{}, fmt.Errorf("%w: unknown column %s, want %s", ErrHeader, text.Quote(name), accepted)
		}
		if first := at[column]; first >= 0 {
			return columns{}, fmt.Errorf("%w: %s and %s are the same column, want %s",
				ErrHeader, text.Quote(row[first]), text.Quote(name), forms)
		}
		at[column] = i
	}
	c := columns{
		vote: at[text.Vote], node: at[text.Node], stake: at[text.Stake],
		balance: at[text.Balance], bls: at[text.BLS], count: len(row),
	}
	switch {
	case c.stake < 0:
		return columns{}, fmt.Errorf("%w: no stake column, want %s", ErrHeader, forms)
	case c.node < 0 && c.vote >= 0:
		return columns{}, fmt.Errorf("%w: vote_pubkey without the node_pubkey that leads for it, want %s", ErrHeader, forms)
	case c.node < 0:
		return columns{}, fmt.Errorf("%w: no key column, want %s", ErrHeader, forms)
	case (c.balance < 0) != (c.bls < 0):
		return columns{}, fmt.Errorf("%w: one of balance and bls without the other, want both or none", ErrHeader)
	}
	return c, nil
}
