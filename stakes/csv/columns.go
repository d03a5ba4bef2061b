package csv

import (
	"fmt"
	"strings"
)

// Names of the columns, as the header that Write prints has them.
const (
	pubkeyColumn = "pubkey"
	voteColumn   = "vote_pubkey"
	nodeColumn   = "node_pubkey"
	stakeColumn  = "stake"
)

const forms = "pubkey,stake or vote_pubkey,node_pubkey,stake"

// accepted are the names a header may use, by column. Upper and lower case are
// the same, and _, - and space do not count.
const accepted = "pubkey, identity or node_pubkey; vote_pubkey or vote_account; stake, activated_stake or lamports"

// A columns says at which field of a row each column is.
type columns struct {
	vote  int // -1 in the form of two columns
	node  int // the only key in the form of two columns
	stake int
}

func (c columns) count() int {
	if c.vote < 0 {
		return 2
	}
	return 3
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
		return columns{vote: -1, node: 0, stake: 1}, nil
	case 3:
		return columns{vote: 0, node: 1, stake: 2}, nil
	}
	return columns{}, fmt.Errorf("%w: %d, want %s", ErrFields, fields, forms)
}

// columnOf returns the column that a name in a header stands for, or "".
func columnOf(name string) string {
	switch strings.NewReplacer("_", "", "-", "", " ", "").Replace(strings.ToLower(name)) {
	case "votepubkey", "voteaccount", "voteaddress", "vote":
		return voteColumn
	case "pubkey", "identity", "identitypubkey", "nodepubkey", "node":
		return nodeColumn
	case "stake", "activatedstake", "activestake", "lamports":
		return stakeColumn
	}
	return ""
}

// isHeader reports whether a list's first row names columns: one of its fields
// is a known name, or all of them look like names and like nothing else.
func isHeader(row []string) bool {
	words := true
	for _, field := range row {
		if columnOf(field) != "" {
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
	at := map[string]int{}
	for i, name := range row {
		column := columnOf(name)
		if column == "" {
			return columns{}, fmt.Errorf("%w: unknown column %s, want %s", ErrHeader, quote(name), accepted)
		}
		if first, ok := at[column]; ok {
			return columns{}, fmt.Errorf("%w: %s and %s are the same column, want %s",
				ErrHeader, quote(row[first]), quote(name), forms)
		}
		at[column] = i
	}
	c := columns{vote: -1}
	var hasNode, hasStake bool
	if i, ok := at[voteColumn]; ok {
		c.vote = i
	}
	c.node, hasNode = at[nodeColumn]
	c.stake, hasStake = at[stakeColumn]
	switch {
	case !hasStake:
		return columns{}, fmt.Errorf("%w: no stake column, want %s", ErrHeader, forms)
	case !hasNode && c.vote >= 0:
		return columns{}, fmt.Errorf("%w: vote_pubkey without the node_pubkey that leads for it, want %s", ErrHeader, forms)
	case !hasNode:
		return columns{}, fmt.Errorf("%w: no key column, want %s", ErrHeader, forms)
	}
	return c, nil
}
