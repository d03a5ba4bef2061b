package json

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/internal/text"
	"github.com/schedgen/schedgen/stakes/list"
)

const (
	marker  = "schedgen-stakes" // the member format of our own form
	version = "1"
)

// own is what our own form says beside its rows.
type own struct {
	version    string
	keyedBy    string
	provenance *list.Provenance
}

// format reads the member format, which other JSON may have, too.
func (doc *document) format() error {
	v, err := doc.d.next()
	if err != nil {
		return err
	}
	if v.kind != '"' || v.text != marker {
		return doc.d.skip(v)
	}
	return doc.once("format", func() error {
		if doc.form == formRows {
			return doc.d.fail("%w: want format before stakes", ErrMember)
		}
		return doc.is(formOwn)
	})
}

// member reads a member of our own form.
func (o *own) member(d *decoder, name string) error {
	switch name {
	case "version":
		v, err := d.nextOf('0', "the number "+version)
		if err != nil {
			return err
		}
		if o.version = v.text; v.text != version {
			return d.fail("%w: version %s of our own form, want %s", ErrForm, text.Quote(v.text), version)
		}
	case "keyedBy":
		v, err := d.nextOf('"', "vote or identity")
		if err != nil {
			return err
		}
		if _, err := schedule.ParseKeying(v.text); err != nil {
			return d.fail("%w: %w", ErrMember, err)
		}
		o.keyedBy = v.text
	case "provenance":
		raw, err := d.raw(text.MaxProvenance + maxToken)
		if err != nil {
			return err
		}
		p, err := text.ParseProvenance(raw)
		var kind *json.UnmarshalTypeError
		if errors.As(err, &kind) && kind.Type != nil {
			for _, name := range strings.Split(kind.Field, ".") {
				if name != "" {
					d.path = append(d.path, step{name: name, index: -1})
				}
			}
			return d.fail("%w: a JSON %s, want %s", ErrProvenance, strings.Trim(text.Quote(kind.Value), `"`), wanted(kind.Type))
		}
		if err != nil {
			return d.fail("%w", err)
		}
		o.provenance = &p
	}
	return nil
}

// wanted says what a value of a provenance should have been.
func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Uint64:
		return fmt.Sprintf("a whole number of at most %d", uint64(math.MaxUint64))
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a string"
	case reflect.Array:
		return "a hash in base58"
	case reflect.Slice:
		return "an array"
	case reflect.Pointer:
		return wanted(t.Elem())
	}
	return "an object"
}

// ownList makes the list of our own form.
func (doc *document) ownList(name string) (*list.List, error) {
	o := &doc.own
	for _, member := range []string{"version", "keyedBy"} {
		if !doc.seen[member] {
			return nil, doc.d.fail("%w: no %s", ErrMember, member)
		}
	}
	if doc.rows == nil {
		return nil, doc.d.fail("%w: no stakes", ErrMember)
	}
	l := doc.rows.list()
	if keyed := keyedBy(l.HasVotes); len(l.Entries) > 0 && keyed != o.keyedBy {
		return nil, doc.d.fail("%w: keyedBy is %s, and the rows are keyed by %s", ErrMember, o.keyedBy, keyed)
	}
	l.Provenance = list.Provenance{
		Kind: list.KindJSON, Source: name, Vintage: list.VintageUnknown,
		Reason: "the file does not say where its stakes come from",
	}
	if o.provenance != nil {
		l.Provenance = *o.provenance
	}
	return l, nil
}

func keyedBy(hasVotes bool) string {
	if hasVotes {
		return schedule.KeyedByVote.String()
	}
	return schedule.KeyedByIdentity.String()
}

// Write prints a stake list in our own form, which [Read] reads back without
// loss. A zero Node stands for Key.
//
// Errors, with which nothing is written: [ErrNoEntries]; [ErrKey] for an entry
// with votes that nobody leads for, and for one without whose Node is another
// than its Key; [ErrAccount] when not each entry has an account; [ErrProvenance].
func Write(w io.Writer, l *list.List) error {
	if err := check(l); err != nil {
		return err
	}
	provenance, err := text.AppendProvenance(nil, l.Provenance, list.KindJSON)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "{\n  \"format\": %q,\n  \"version\": %s,\n  \"keyedBy\": %q,\n  \"provenance\": %s,\n  \"stakes\": [",
		marker, version, keyedBy(l.HasVotes), provenance)
	for i, e := range l.Entries {
		separator := ",\n"
		if i == 0 {
			separator = "\n"
		}
		out.WriteString(separator + "    {")
		if l.HasVotes {
			out.WriteString(`"vote":"` + e.Key.String() + `",`)
		}
		if e.Node.IsZero() {
			e.Node = e.Key
		}
		out.WriteString(`"node":"` + e.Node.String() + `","stake":"` + strconv.FormatUint(e.Stake, 10) + `"`)
		if l.Accounts != nil {
			a := l.Accounts[i]
			out.WriteString(`,"balance":"` + strconv.FormatUint(a.Lamports, 10) + `","bls":` + strconv.FormatBool(a.BLS))
		}
		out.WriteByte('}')
	}
	out.WriteString("\n  ]\n}\n")
	return out.Flush()
}

// check says what keeps a list from being written so that it can be read.
func check(l *list.List) error {
	if len(l.Entries) == 0 {
		return ErrNoEntries
	}
	if l.Accounts != nil && len(l.Accounts) != len(l.Entries) {
		return fmt.Errorf("%w: %d accounts of %d entries", ErrAccount, len(l.Accounts), len(l.Entries))
	}
	for _, e := range l.Entries {
		switch {
		case e.Node.IsZero() && e.Key.IsZero() && l.HasVotes:
			return fmt.Errorf("%w: 32 zero bytes are no identity", ErrKey)
		case !e.Node.IsZero() && e.Node != e.Key && !l.HasVotes:
			return fmt.Errorf("%w: vote account %v has identity %v in a list without vote accounts", ErrKey, e.Key, e.Node)
		}
	}
	return nil
}
