package csv

import (
	"errors"
	"fmt"

	"github.com/schedgen/schedgen/stakes/internal/text"
)

// Errors are wrapped in an [*Error], with what was found; test for them with
// errors.Is. A bad key is one of schedule.ErrPubkeyDigit and ErrPubkeySize.
var (
	// ErrNoEntries: no row, or a header and no row.
	ErrNoEntries = errors.New("no stake entries")
	// ErrLine: a line that is too long, or that opens a quote and does not
	// close it.
	ErrLine = errors.New("bad line")
	// ErrFields: a row with a wrong number of fields.
	ErrFields = errors.New("wrong number of fields")
	// ErrHeader: a header with unknown, missing or repeated columns.
	ErrHeader = errors.New("bad header")
	// ErrKey: a node_pubkey that cannot lead.
	ErrKey = errors.New("bad key")
	// ErrStake: a stake that is no whole number of lamports.
	ErrStake = errors.New("bad stake")
	// ErrAccount: a balance that is no whole number of lamports, or a bls that is
	// neither true nor false.
	ErrAccount = errors.New("bad account")
	// ErrProvenance: a line "# schedgen: {...}" that does not say where a list
	// comes from, or that is not before the list.
	ErrProvenance = text.ErrProvenance
	// ErrEncoding: text in UTF-16.
	ErrEncoding = errors.New("bad text encoding")
)

// Error says where in a stake list something is wrong.
type Error struct {
	Name   string // file name, or what else the caller of Read said
	Line   int    // from 1; 0 when it is not about one line
	Column int    // byte in the line at which the field begins, from 1; 0 when it is about the whole line
	Field  string // pubkey, vote_pubkey, node_pubkey, stake, balance or bls; "" when it is about the whole line
	Err    error  // what is wrong, and what would be right
}

// Error returns one line: name, line and column, field, problem.
func (e *Error) Error() string {
	where := e.Name
	if e.Line > 0 {
		where += fmt.Sprintf(":%d", e.Line)
	}
	if e.Column > 0 {
		where += fmt.Sprintf(":%d", e.Column)
	}
	if e.Field != "" {
		where += ": " + e.Field
	}
	return where + ": " + e.Err.Error()
}

// Unwrap returns what is wrong.
func (e *Error) Unwrap() error { return e.Err }
