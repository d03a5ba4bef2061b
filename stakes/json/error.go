package json

import (
	"errors"
	"fmt"
	"strings"

	"github.com/schedgen/schedgen/stakes/internal/text"
)

// Errors are wrapped in an [*Error], with what was found; test for them with
// errors.Is. A bad key is one of schedule.ErrPubkeyDigit and ErrPubkeySize, input
// that ends too early is io.ErrUnexpectedEOF, too, and a reply that is an error is
// an [*RPCError].
var (
	// ErrSyntax: not JSON, or cut short.
	ErrSyntax = errors.New("bad JSON")
	// ErrLimit: objects and arrays nested too deep, or a string, number or
	// stretch of white space too long for what is read here.
	ErrLimit = errors.New("JSON out of bounds")
	// ErrEncoding: text in UTF-16.
	ErrEncoding = errors.New("bad text encoding")
	// ErrForm: JSON that has none of the forms, or more than one.
	ErrForm = errors.New("no form of a stake list")
	// ErrNoEntries: a list without entries.
	ErrNoEntries = errors.New("no stake entries")
	// ErrMember: a member of an object that is missing, is there twice, or has a
	// value of another type than it should.
	ErrMember = errors.New("bad member")
	// ErrKey: an identity that cannot lead.
	ErrKey = errors.New("bad key")
	// ErrStake: a stake that is no whole number of lamports.
	ErrStake = errors.New("bad stake")
	// ErrAccount: a balance that is no whole number of lamports.
	ErrAccount = errors.New("bad account")
	// ErrProvenance: a provenance that cannot be.
	ErrProvenance = text.ErrProvenance
)

// Error says where in the input something is wrong.
type Error struct {
	Name string // file name, or what else the caller of Read said
	// Offset is the number of bytes up to the end of what is wrong, or to its
	// beginning when it is no JSON at all.
	Offset int64
	Path   string // of the value, as in result.current[3].activatedStake; "" for the whole
	Err    error  // what is wrong, and what would be right
}

// Error returns one line: name, offset, path, problem.
func (e *Error) Error() string {
	where := fmt.Sprintf("%s: at byte %d", e.Name, e.Offset)
	if e.Path != "" {
		where += ": " + e.Path
	}
	return where + ": " + e.Err.Error()
}

// Unwrap returns what is wrong.
func (e *Error) Unwrap() error { return e.Err }

// An RPCError is what a node answered instead of stakes.
type RPCError struct {
	Code    int64
	Message string
}

func (e *RPCError) Error() string {
	return fmt.Sprintf("the node answered with error %d: %s", e.Code, text.Quote(e.Message))
}

// A path leads from the whole input to a value.
type path []step

// A step goes to a member of an object, or to an element of an array.
type step struct {
	name  string
	index int // of an element; -1 for a member
}

// String returns the path as in result.current[3]; names that are no plain words
// are quoted.
func (p path) String() string {
	var b strings.Builder
	for _, s := range p {
		switch {
		case s.index >= 0:
			fmt.Fprintf(&b, "[%d]", s.index)
		case !isWord(s.name):
			fmt.Fprintf(&b, "[%s]", text.Quote(s.name))
		case b.Len() > 0:
			b.WriteByte('.')
			fallthrough
		default:
			b.WriteString(s.name)
		}
	}
	return b.String()
}

// isWord reports whether a name of a member needs no quotes.
func isWord(name string) bool {
	const longest = 40
	for _, c := range []byte(name) {
		if !('a' <= c|0x20 && c|0x20 <= 'z' || '0' <= c && c <= '9' || c == '_' || c == '-') {
			return false
		}
	}
	return name != "" && len(name) <= longest
}
