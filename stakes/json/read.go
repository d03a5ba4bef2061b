package json

import (
	"errors"
	"io"

	"github.com/schedgen/schedgen/stakes/list"
)

const forms = "want schedgen's own form, a getVoteAccounts reply, an epoch.new message, or an array of objects with vote_pubkey, node_pubkey and stake"

// Read reads a stake list in one of the forms that the package describes; name
// stands for it in errors, and is its source unless it says where it comes from.
// The set has one list, with entries in the order of the input. Entries without
// stake and one key twice are left to schedule.NewStakes, but for vote accounts
// without stake in a getVoteAccounts reply, of which there are many: they are
// left out.
//
// An error is an [*Error]. Memory grows with the entries read, not with the
// input: what is not asked for is read past.
func Read(r io.Reader, name string) (*list.Set, error) {
	l, err := read(r, name)
	if err != nil {
		var located *Error
		if !errors.As(err, &located) {
			located = &Error{Err: err}
		}
		located.Name = name
		return nil, located
	}
	return &list.Set{Lists: []list.List{*l}}, nil
}

func read(r io.Reader, name string) (*list.List, error) {
	d, err := newDecoder(r)
	if err != nil {
		return nil, err
	}
	doc := &document{d: d, seen: map[string]bool{}}
	v, err := d.next()
	if err != nil {
		return nil, err
	}
	switch v.kind {
	case '[':
		doc.form, doc.rows = formRows, &rows{}
		err = doc.rows.read(d)
	case '{':
		err = d.object(doc.member)
	default:
		err = d.fail("%w: %s, %s", ErrForm, v, forms)
	}
	if err != nil {
		return nil, err
	}
	if err := d.end(); err != nil {
		return nil, err
	}
	return doc.list(name)
}
