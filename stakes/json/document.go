package json

import (
	"strconv"

	"github.com/schedgen/schedgen/stakes/internal/text"
	"github.com/schedgen/schedgen/stakes/list"
)

// A form is one of those in which stakes come.
type form uint8

const (
	noForm form = iota
	formOwn
	formVoteAccounts
	formEpochNew
	formRows
)

// A document gathers what an object says until it is known which form it has:
// members come in any order.
type document struct {
	d      *decoder
	seen   map[string]bool // members that mean something
	form   form
	inner  *document // of the member result or value
	within bool      // this is that
	rows   *rows
	own    own
	epoch  epochNew
	failed string // member error, where it is a text
}

// member reads a member of the object.
func (doc *document) member(name string) error {
	switch name {
	case "current", "delinquent":
		return doc.voteAccounts(name)
	case "entries", "validators", "stakes", "data":
		return doc.listMember(name)
	case "format":
		return doc.format()
	case "version", "keyedBy", "provenance":
		if doc.form == formOwn {
			return doc.once(name, func() error { return doc.own.member(doc.d, name) })
		}
	case "staked_pubkeys", "staked_lamports":
		if err := doc.is(formEpochNew); err != nil {
			return err
		}
		return doc.once(name, func() error { return doc.epoch.member(doc.d, name) })
	case "epoch", "start_slot", "end_slot", "excluded_stake_lamports", "leader_slots":
		return doc.once(name, func() error { return doc.epoch.member(doc.d, name) })
	case "result", "value":
		if !doc.within {
			return doc.once(name, func() error { return doc.innerMember(name) })
		}
	case "topic", "key":
		if !doc.within {
			return doc.once(name, func() error { return doc.epoch.member(doc.d, name) })
		}
	case "error":
		if !doc.within {
			return doc.rpcError()
		}
	}
	return doc.d.skipNext()
}

// once reads a member that may be there once.
func (doc *document) once(name string, read func() error) error {
	if doc.seen[name] {
		return doc.d.fail("%w: it is there twice", ErrMember)
	}
	doc.seen[name] = true
	return read()
}

// is notes what form the object has.
func (doc *document) is(f form) error {
	if doc.form != noForm && doc.form != f {
		return doc.d.fail("%w: more than one list, %s", ErrForm, forms)
	}
	doc.form = f
	return nil
}

// voteAccounts reads a list of a getVoteAccounts result.
func (doc *document) voteAccounts(name string) error {
	if err := doc.is(formVoteAccounts); err != nil {
		return err
	}
	return doc.once(name, func() error {
		if doc.rows == nil {
			doc.rows = &rows{moment: true}
		}
		if _, err := doc.d.nextOf('[', "an array of vote accounts"); err != nil {
			return err
		}
		return doc.rows.read(doc.d)
	})
}

// listMember reads a member that may be the list of rows. Only our own form must
// have it as an array; in others such a name can mean anything.
func (doc *document) listMember(name string) error {
	if doc.form == formOwn && name != "stakes" {
		return doc.d.skipNext()
	}
	v, err := doc.d.next()
	if err != nil {
		return err
	}
	switch {
	case v.kind != '[' && doc.form == formOwn:
		return doc.d.fail("%w: %s, want an array of objects", ErrMember, v)
	case v.kind != '[':
		return doc.d.skip(v)
	case doc.rows != nil:
		return doc.d.fail("%w: a second list, %s", ErrForm, forms)
	}
	doc.rows = &rows{accounts: doc.form == formOwn}
	if doc.form != formOwn {
		if err := doc.is(formRows); err != nil {
			return err
		}
	}
	return doc.rows.read(doc.d)
}

// innerMember reads a member that holds the whole thing, if it is an object.
func (doc *document) innerMember(name string) error {
	v, err := doc.d.next()
	if err != nil {
		return err
	}
	switch {
	case v.kind == '{':
		doc.inner = &document{d: doc.d, seen: map[string]bool{}, within: true}
		return doc.d.object(doc.inner.member)
	case v.kind == '[' && name == "result" && doc.rows == nil:
		if err := doc.is(formRows); err != nil {
			return err
		}
		doc.rows = &rows{}
		return doc.rows.read(doc.d)
	}
	return doc.d.skip(v)
}

// rpcError reads the member error of a JSON-RPC reply, which is null or missing
// where there is none.
func (doc *document) rpcError() error {
	v, err := doc.d.next()
	if err != nil {
		return err
	}
	if v.kind != '{' {
		doc.failed = v.text
		return doc.d.skip(v)
	}
	rpc := &RPCError{}
	err = doc.d.object(func(name string) error {
		v, err := doc.d.next()
		if err != nil {
			return err
		}
		switch {
		case name == "code" && v.kind == '0':
			rpc.Code, _ = strconv.ParseInt(v.text, 10, 64) // 0 for what is no code
		case name == "message" && v.kind == '"':
			rpc.Message = v.text
		}
		return doc.d.skip(v)
	})
	if err != nil {
		return err
	}
	return doc.d.fail("%w", rpc)
}

// list makes the list of the form that the document turned out to have.
func (doc *document) list(name string) (*list.List, error) {
	if doc.inner != nil && doc.inner.form != noForm {
		if doc.form != noForm {
			return nil, doc.d.fail("%w: more than one list, %s", ErrForm, forms)
		}
		if err := doc.epoch.checkTopic(doc.d); err != nil {
			return nil, err
		}
		return doc.inner.list(name)
	}
	var l *list.List
	var err error
	switch doc.form {
	case formOwn:
		l, err = doc.ownList(name)
	case formVoteAccounts:
		l, err = doc.voteAccountsList(name)
	case formEpochNew:
		l, err = doc.epoch.list(doc.d, name)
	case formRows:
		l = doc.rows.list()
		l.Provenance = list.Provenance{
			Kind: list.KindRows, Source: name, Vintage: list.VintageUnknown,
			Reason: "the file does not say which epoch its stakes lead",
		}
	default:
		return nil, doc.formless()
	}
	if err != nil {
		return nil, err
	}
	if len(l.Entries) == 0 {
		return nil, doc.d.fail("%w: the list has no entry with stake", ErrNoEntries)
	}
	return l, nil
}

// formless says why there is no list.
func (doc *document) formless() error {
	switch {
	case doc.seen["topic"]:
		if err := doc.epoch.checkTopic(doc.d); err != nil {
			return err
		}
	case doc.failed != "":
		return doc.d.fail("%w: the reply is an error: %s", ErrForm, text.Quote(doc.failed))
	case doc.seen["result"]:
		return doc.d.fail("%w: the result of the reply has no vote accounts, %s", ErrForm, forms)
	}
	return doc.d.fail("%w: %s", ErrForm, forms)
}
