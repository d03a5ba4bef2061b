package leaders

import (
	"errors"

	"github.com/schedgen/schedgen/schedule"
)

// A Key is whose slots a question is about. The slots of an identity are those
// of all of its vote accounts; those of a vote account were drawn for it alone.
// The address of one is never the address of the other.
//
// A schedule has the identities that vote accounts named when its stakes were
// recorded. After a change of identity the vote account is the one to ask about.
type Key struct {
	Pubkey schedule.Pubkey `json:"pubkey"`
	Vote   bool            `json:"vote,omitempty"` // a vote account, otherwise an identity
}

// Identity returns the key of a node identity.
func Identity(p schedule.Pubkey) Key { return Key{Pubkey: p} }

// Vote returns the key of a vote account.
func Vote(p schedule.Pubkey) Key { return Key{Pubkey: p, Vote: true} }

// String returns "identity KEY" or "vote account KEY".
func (k Key) String() string {
	if k.Vote {
		return "vote account " + k.Pubkey.String()
	}
	return "identity " + k.Pubkey.String()
}

// ErrNoKey: a question about no key.
var ErrNoKey = errors.New("no key to look for, want at least one")
