package csv

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/internal/text"
	"github.com/schedgen/schedgen/stakes/list"
)

// ReadList reads a stake list; name stands for it in errors. Entries are in the
// order of their rows, and may hold zero stakes and one key twice:
// schedule.NewStakes deals with both.
//
// A list that WriteList wrote comes back as it was. Of any other it is not known
// which epoch it leads: it is of list.KindCSV and list.VintageUnknown, and name
// is its source.
//
// With HasVotes the list has the form of three columns, Key is the vote account
// and Node the identity; without, Key and Node are the same. An error in the
// list is an [*Error]. Memory grows with the entries read, not with the length
// of a line, which is at most [MaxLine].
func ReadList(r io.Reader, name string) (*list.List, error) {
	p := newParser(r)
	l, err := p.all()
	var located *Error
	switch {
	case errors.As(err, &located):
		located.Name = name
		return nil, located
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	l.HasVotes = p.columns.vote >= 0
	l.Provenance = list.Provenance{
		Kind: list.KindCSV, Source: name, Vintage: list.VintageUnknown,
		Reason: "the file does not say which epoch its stakes lead",
	}
	if known := p.lines.provenance; known != nil {
		l.Provenance = *known
	}
	return l, nil
}

// Read is ReadList for those who need the entries alone.
func Read(r io.Reader, name string) (entries []schedule.Entry, hasVotes bool, err error) {
	l, err := ReadList(r, name)
	if err != nil {
		return nil, false, err
	}
	return l.Entries, l.HasVotes, nil
}

type parser struct {
	lines   *lines
	r       *csv.Reader
	columns columns
}

func newParser(r io.Reader) *parser {
	lines := newLines(r)
	p := &parser{lines: lines, r: csv.NewReader(lines)}
	p.r.FieldsPerRecord = -1 // checked here, with a clearer error
	p.r.TrimLeadingSpace = true
	p.r.ReuseRecord = true
	return p
}

func (p *parser) all() (*list.List, error) {
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
	l := &list.List{}
	for ; err == nil; row, err = p.row() {
		if err := p.entry(l, row); err != nil {
			return nil, err
		}
	}
	if err != io.EOF {
		return nil, err
	}
	if len(l.Entries) == 0 {
		return nil, &Error{Err: fmt.Errorf("%w: nothing after the header", ErrNoEntries)}
	}
	return l, nil
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

// entry adds a row to the list.
func (p *parser) entry(l *list.List, row []string) error {
	c := p.columns
	var e schedule.Entry
	if len(row) != c.count {
		return p.lineError(fmt.Errorf("%w: %d, want %d as in the first row", ErrFields, len(row), c.count))
	}
	var err error
	if e.Node, err = schedule.ParsePubkey(row[c.node]); err != nil {
		return p.fieldError(c.node, c.nodeName(), err)
	}
	e.Key = e.Node
	if c.vote >= 0 {
		if e.Node.IsZero() {
			return p.fieldError(c.node, nodeColumn, fmt.Errorf("%w: 32 zero bytes are no identity", ErrKey))
		}
		if e.Key, err = schedule.ParsePubkey(row[c.vote]); err != nil {
			return p.fieldError(c.vote, voteColumn, err)
		}
	}
	if e.Stake, err = text.Lamports(row[c.stake], ErrStake); err != nil {
		return p.fieldError(c.stake, stakeColumn, err)
	}
	l.Entries = append(l.Entries, e)
	if c.balance < 0 {
		return nil
	}
	var a list.Account
	if a.Lamports, err = text.Lamports(row[c.balance], ErrAccount); err != nil {
		return p.fieldError(c.balance, balanceColumn, err)
	}
	if a.BLS, err = parseBool(row[c.bls]); err != nil {
		return p.fieldError(c.bls, blsColumn, err)
	}
	l.Accounts = append(l.Accounts, a)
	return nil
}

// parseBool reads true or false, in upper or lower case: spreadsheets change it.
func parseBool(s string) (bool, error) {
	switch {
	case strings.EqualFold(s, "true"):
		return true, nil
	case strings.EqualFold(s, "false"):
		return false, nil
	}
	return false, fmt.Errorf("%w: %s, want true or false", ErrAccount, text.Quote(s))
}

func (p *parser) lineError(err error) error {
	line, _ := p.r.FieldPos(0)
	return &Error{Line: line, Err: err}
}

func (p *parser) fieldError(field int, name string, err error) error {
	line, column := p.r.FieldPos(field)
	return &Error{Line: line, Column: column, Field: name, Err: err}
}
