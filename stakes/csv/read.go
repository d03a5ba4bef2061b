package csv

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/schedgen/schedgen/schedule"
)

// Read reads a stake list; name stands for it in errors. Entries are in the
// order of their rows, and may hold zero stakes and one key twice:
// schedule.NewStakes deals with both.
//
// With hasVotes the list has the form of three columns, Key is the vote account
// and Node the identity; without, Key and Node are the same. An error in the
// list is an [*Error]. Memory grows with the entries read, not with the length
// of a line, which is at most [MaxLine].
func Read(r io.Reader, name string) (entries []schedule.Entry, hasVotes bool, err error) {
	p := newParser(r)
	entries, err = p.all()
	if err == nil {
		return entries, p.columns.vote >= 0, nil
	}
	var located *Error
	if !errors.As(err, &located) {
		return nil, false, fmt.Errorf("%s: %w", name, err)
	}
	located.Name = name
	return nil, false, located
}

type parser struct {
	r       *csv.Reader
	columns columns
}

func newParser(r io.Reader) *parser {
	p := &parser{r: csv.NewReader(newLines(r))}
	p.r.FieldsPerRecord = -1 // checked here, with a clearer error
	p.r.TrimLeadingSpace = true
	p.r.ReuseRecord = true
	return p
}

func (p *parser) all() ([]schedule.Entry, error) {
	row, err := p.row()
	if err == io.EOF {
		return nil, &Error{Err: fmt.Errorf("%w: want rows of %s", ErrNoEntries, forms)}
	}
	if err != nil {
		return nil, err
	}
	header := isHeader(row)
	if header {
		p.columns, err = headerColumns(row)
	} else {
		p.columns, err = defaultColumns(len(row))
	}
	if err != nil {
		return nil, p.lineError(err)
	}
	if header {
		row, err = p.row()
	}
	var entries []schedule.Entry
	for ; err == nil; row, err = p.row() {
		entry, err := p.entry(row)
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry)
	}
	if err != io.EOF {
		return nil, err
	}
	if len(entries) == 0 {
		return nil, &Error{Err: fmt.Errorf("%w: nothing after the header", ErrNoEntries)}
	}
	return entries, nil
}

// row reads the next row, the space around its fields taken off.
func (p *parser) row() ([]string, error) {
	row, err := p.r.Read()
	var syntax *csv.ParseError
	if errors.As(err, &syntax) {
		return nil, &Error{Line: syntax.Line, Column: syntax.Column, Err: fmt.Errorf("%w: %w", ErrLine, syntax.Err)}
	}
	if err != nil {
		return nil, err
	}
	for i := range row {
		row[i] = strings.TrimSpace(row[i])
	}
	return row, nil
}

func (p *parser) entry(row []string) (schedule.Entry, error) {
	c := p.columns
	var e schedule.Entry
	if len(row) != c.count() {
		return e, p.lineError(fmt.Errorf("%w: %d, want %d as in the first row", ErrFields, len(row), c.count()))
	}
	var err error
	if e.Node, err = schedule.ParsePubkey(row[c.node]); err != nil {
		return e, p.fieldError(c.node, c.nodeName(), err)
	}
	e.Key = e.Node
	if c.vote >= 0 {
		if e.Node.IsZero() {
			return e, p.fieldError(c.node, nodeColumn, fmt.Errorf("%w: 32 zero bytes are no identity", ErrKey))
		}
		if e.Key, err = schedule.ParsePubkey(row[c.vote]); err != nil {
			return e, p.fieldError(c.vote, voteColumn, err)
		}
	}
	if e.Stake, err = parseStake(row[c.stake]); err != nil {
		return e, p.fieldError(c.stake, stakeColumn, err)
	}
	return e, nil
}

func (p *parser) lineError(err error) error {
	line, _ := p.r.FieldPos(0)
	return &Error{Line: line, Err: err}
}

func (p *parser) fieldError(field int, name string, err error) error {
	line, column := p.r.FieldPos(field)
	return &Error{Line: line, Column: column, Field: name, Err: err}
}

// parseStake reads a number of lamports. A stake in SOL, rounded or scaled would
// give another schedule, so that nothing but plain digits is taken.
func parseStake(s string) (uint64, error) {
	lamports, err := strconv.ParseUint(s, 10, 64)
	if err == nil {
		return lamports, nil
	}
	problem := "is no number"
	digits := strings.Trim(s, "0123456789")
	switch {
	case s == "":
		return 0, fmt.Errorf("%w: the field is empty, want a whole number of lamports", ErrStake)
	case errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("%w: %s is too large, at most 18446744073709551615 lamports", ErrStake, quote(s))
	case isNumber(s) && strings.ContainsAny(s, "eE"):
		problem = "has an exponent"
	case isNumber(s) && s[0] == '-':
		problem = "is negative"
	case isNumber(s) && digits == ".":
		problem = "is a fraction"
	}
	return 0, fmt.Errorf("%w: %s %s, want a whole number of lamports in decimal digits", ErrStake, quote(s), problem)
}

// isNumber reports whether s is a decimal number of any kind.
func isNumber(s string) bool {
	if strings.Trim(s, "+-.0123456789eE") != "" {
		return false
	}
	_, err := strconv.ParseFloat(s, 64)
	return err == nil || errors.Is(err, strconv.ErrRange)
}

// quote shows a field in an error: on one line, and not at any length.
func quote(s string) string {
	const most = 60
	if len(s) > most {
		return strconv.Quote(s[:most]) + "..."
	}
	return strconv.Quote(s)
}
