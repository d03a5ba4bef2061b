package text

// A Column is a fact about an entry of a stake list.
type Column uint8

const (
	NoColumn Column = iota
	Vote            // vote account
	Node            // identity that leads, or the only key
	Stake           // active stake in lamports
	Balance         // of the vote account, in lamports
	BLS             // whether the vote account has a BLS public key
	Columns         // how many there are
)

// longest is the length of the longest known name.
const longest = len("voteaccountpubkey")

// ColumnOf returns the column that a name stands for, or NoColumn. Upper and
// lower case are the same, and _, - and space do not count.
func ColumnOf(name string) Column {
	var plain [longest]byte
	n := 0
	for _, c := range []byte(name) {
		if c == '_' || c == '-' || c == ' ' {
			continue
		}
		if n == longest {
			return NoColumn
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		plain[n] = c
		n++
	}
	switch string(plain[:n]) {
	case "votepubkey", "voteaccount", "voteaccountpubkey", "voteaddress", "voteidentity", "vote":
		return Vote
	case "pubkey", "identity", "identitypubkey", "nodepubkey", "node":
		return Node
	case "stake", "activatedstake", "activestake", "lamports":
		return Stake
	case "balance":
		return Balance
	case "bls":
		return BLS
	}
	return NoColumn
}
