package schedule

import "fmt"

// Keying says what an entry of a stake list stands for, and with it which keys
// break ties between equal stakes.
type Keying uint8

const (
	// KeyedByVote: one entry a vote account (SIMD-0180): mainnet-beta from
	// epoch 842 on, testnet from epoch 830 on.
	KeyedByVote Keying = iota
	// KeyedByIdentity: one entry a node identity, with the stake of all of its
	// vote accounts: earlier epochs.
	KeyedByIdentity
)

// String returns "vote" or "identity".
func (k Keying) String() string {
	switch k {
	case KeyedByVote:
		return "vote"
	case KeyedByIdentity:
		return "identity"
	}
	return fmt.Sprintf("Keying(%d)", uint8(k))
}

// ParseKeying reads "vote" or "identity"; anything else is ErrKeying.
func ParseKeying(s string) (Keying, error) {
	for _, k := range []Keying{KeyedByVote, KeyedByIdentity} {
		if s == k.String() {
			return k, nil
		}
	}
	return 0, fmt.Errorf("%w %q, want vote or identity", ErrKeying, s)
}
