package schedule

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mr-tron/base58"
)

// Pubkey is an ed25519 public key or a program-derived address, 32 bytes. Its
// text form is base58 in Bitcoin's alphabet, 32 to 44 characters.
type Pubkey [32]byte

const (
	base58Digits  = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
	maxPubkeyText = 44 // characters of the largest 32-byte number
)

// ParsePubkey reads the base58 text of a key. The error is ErrPubkeyDigit, with
// the bad character and its position counted from 1, or ErrPubkeySize.
func ParsePubkey(s string) (Pubkey, error) {
	var p Pubkey
	if len(s) == 0 {
		return p, fmt.Errorf("%w: the text is empty", ErrPubkeySize)
	}
	// Base58 takes quadratic time, so that the length is looked at first.
	if len(s) > maxPubkeyText {
		return p, fmt.Errorf("%w: %d bytes of text, a public key has at most %d", ErrPubkeySize, len(s), maxPubkeyText)
	}
	for i := range len(s) {
		if strings.IndexByte(base58Digits, s[i]) < 0 {
			_, n := utf8.DecodeRuneInString(s[i:])
			return p, fmt.Errorf("public key %q: %w: %s at position %d", s, ErrPubkeyDigit, strconv.Quote(s[i:i+n]), i+1)
		}
	}
	b, err := base58.Decode(s)
	if err != nil {
		return p, fmt.Errorf("public key %q: %w: %v", s, ErrPubkeyDigit, err)
	}
	if len(b) != len(p) {
		return p, fmt.Errorf("public key %q: %w: %d bytes, a public key has %d", s, ErrPubkeySize, len(b), len(p))
	}
	copy(p[:], b)
	return p, nil
}

// String returns the base58 text of p.
func (p Pubkey) String() string { return base58.Encode(p[:]) }

// Compare orders keys as unsigned bytes, first byte first.
func (p Pubkey) Compare(q Pubkey) int { return bytes.Compare(p[:], q[:]) }

// IsZero reports whether p is 32 zero bytes.
func (p Pubkey) IsZero() bool { return p == Pubkey{} }

// AppendText appends the base58 text of p to b.
func (p Pubkey) AppendText(b []byte) ([]byte, error) { return append(b, p.String()...), nil }

// MarshalText returns the base58 text of p; JSON strings and object keys follow
// from it.
func (p Pubkey) MarshalText() ([]byte, error) { return p.AppendText(nil) }

// UnmarshalText sets p from base58 text and leaves it alone on an error, which
// is one of ParsePubkey's.
func (p *Pubkey) UnmarshalText(text []byte) error {
	q, err := ParsePubkey(string(text))
	if err != nil {
		return err
	}
	*p = q
	return nil
}
