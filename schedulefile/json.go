package schedulefile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/schedgen/schedgen/schedule"
)

// A jsonReader reads a JSON text front to back, value by value. It knows where it
// is, refuses objects that have a name twice, and holds one value at a time.
type jsonReader struct {
	d       *jsontext.Decoder
	skipped int64  // bytes before the text that d has
	text    []byte // of the last string with escapes
	b       *builder
}

// readJSON reads the formats that are JSON. They are told apart by the first name
// in the object.
func readJSON(r *bufio.Reader, skipped int64) (*Observed, error) {
	j := &jsonReader{d: jsontext.NewDecoder(r), skipped: skipped, b: newBuilder()}
	o, err := j.schedule()
	if err == nil {
		err = j.end()
	}
	if err != nil {
		return nil, j.locate(err)
	}
	return o, nil
}

func (j *jsonReader) schedule() (*Observed, error) {
	if j.d.PeekKind() == 'n' {
		if err := j.d.SkipValue(); err != nil {
			return nil, err
		}
		return nil, ErrUnavailable
	}
	if kind := j.d.PeekKind(); kind != '{' && kind != 0 {
		return nil, fmt.Errorf("%w: JSON of another kind, %s", ErrFormat, wanted)
	}
	if err := j.open('{'); err != nil {
		return nil, err
	}
	if j.d.PeekKind() == '}' { // an answer about a leader without slots
		return j.leaderLists(nil)
	}
	name, err := j.str()
	if err != nil {
		return nil, err
	}
	switch string(name) {
	case "epoch", "leaderScheduleEntries":
		return j.entries(string(name))
	case "jsonrpc", "id", "result", "error":
		return j.reply(string(name))
	case "topic", "key", "value":
		return j.message(string(name))
	}
	return j.leaderLists(name)
}

// open reads the beginning of an object or array.
func (j *jsonReader) open(kind jsontext.Kind) error {
	switch got := j.d.PeekKind(); {
	case got == kind || got == 0:
		_, err := j.d.ReadToken()
		return err
	default:
		return j.unexpected(map[jsontext.Kind]string{'{': "an object", '[': "an array"}[kind])
	}
}

// unexpected returns the error that the next value is not what is wanted.
func (j *jsonReader) unexpected(want string) error {
	v, err := j.d.ReadValue()
	if err != nil {
		return err
	}
	return fmt.Errorf("%w: %s, want %s", ErrFormat, quote(v), want)
}

// more reports whether the object or array goes on; if not, its end is read.
func (j *jsonReader) more() (bool, error) {
	switch j.d.PeekKind() {
	case '}', ']':
		_, err := j.d.ReadToken()
		return false, err
	case 0:
		_, err := j.d.ReadToken() // says what is wrong
		return false, err
	}
	return true, nil
}

// each reads the rest of an object: each is called after a name and reads or
// skips its value. With a first name, that one has been read.
func (j *jsonReader) each(first string, each func(name string) error) error {
	if first != "" {
		if err := each(first); err != nil {
			return err
		}
	}
	for {
		more, err := j.more()
		if err != nil || !more {
			return err
		}
		name, err := j.str()
		if err != nil {
			return err
		}
		if err := each(string(name)); err != nil {
			return err
		}
	}
}

// str reads a string, valid until the next value is read.
func (j *jsonReader) str() ([]byte, error) {
	if kind := j.d.PeekKind(); kind != '"' && kind != 0 {
		return nil, j.unexpected("a string")
	}
	v, err := j.d.ReadValue()
	if err != nil {
		return nil, err
	}
	if len(v) < 2 { // never
		return nil, fmt.Errorf("%w: %s, want a string", ErrFormat, quote(v))
	}
	if plain := v[1 : len(v)-1]; bytes.IndexByte(plain, '\\') < 0 {
		return plain, nil
	}
	j.text, err = jsontext.AppendUnquote(j.text[:0], v)
	return j.text, err
}

// uint reads a number that is a whole one in decimal digits.
func (j *jsonReader) uint() (uint64, error) {
	if kind := j.d.PeekKind(); kind != '0' && kind != 0 {
		return 0, j.unexpected("a whole number")
	}
	v, err := j.d.ReadValue()
	if err != nil {
		return 0, err
	}
	return parseSlot(v)
}

// leader reads who leads, or null.
func (j *jsonReader) leader() (uint32, error) {
	if j.d.PeekKind() == 'n' {
		return None, j.d.SkipValue()
	}
	text, err := j.str()
	if err != nil {
		return None, err
	}
	return j.b.leader(text)
}

// end checks that nothing follows.
func (j *jsonReader) end() error {
	switch _, err := j.d.ReadToken(); {
	case err == io.EOF:
		return nil
	case err != nil:
		return err
	}
	return fmt.Errorf("%w: the JSON value has ended, and more follows", ErrFormat)
}

// locate says where an error occurred: behind the value that was read last, or
// where the syntax is wrong.
func (j *jsonReader) locate(err error) error {
	located := &Error{Offset: j.skipped + j.d.InputOffset(), Path: string(j.d.StackPointer()), Err: err}
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) {
		located.Offset, located.Path = j.skipped+syntax.ByteOffset, string(syntax.JSONPointer)
		located.Err = fmt.Errorf("%w: %s", ErrFormat, clip(syntax.Err.Error()))
	}
	if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
		located.Err = fmt.Errorf("%w: the JSON text ends early", ErrFormat)
	}
	return located
}

// entries reads the object of `solana leader-schedule --output json`.
func (j *jsonReader) entries(first string) (*Observed, error) {
	var epoch *uint64
	listed := false
	err := j.each(first, func(name string) error {
		switch name {
		case "epoch":
			e, err := j.uint()
			epoch = &e
			return err
		case "leaderScheduleEntries":
			listed = true
			return j.array(j.entry)
		}
		return j.d.SkipValue()
	})
	if err != nil {
		return nil, err
	}
	if !listed {
		return nil, fmt.Errorf("%w: no leaderScheduleEntries", ErrFormat)
	}
	o := j.b.finish()
	o.Format, o.Epoch = schedule.FormatJSON, epoch
	return o, nil
}

// array reads an array; each is called for each of its elements and reads it.
func (j *jsonReader) array(each func() error) error {
	if err := j.open('['); err != nil {
		return err
	}
	for {
		more, err := j.more()
		if err != nil || !more {
			return err
		}
		if err := each(); err != nil {
			return err
		}
	}
}

func (j *jsonReader) entry() error {
	if err := j.open('{'); err != nil {
		return err
	}
	var slot uint64
	var hasSlot, hasLeader bool
	leader := uint32(None)
	for {
		more, err := j.more()
		if err != nil {
			return err
		}
		if !more {
			break
		}
		name, err := j.str()
		if err != nil {
			return err
		}
		switch string(name) {
		case "slot":
			hasSlot = true
			slot, err = j.uint()
		case "leader":
			hasLeader = true
			leader, err = j.leader()
		default:
			err = j.d.SkipValue()
		}
		if err != nil {
			return err
		}
	}
	if !hasSlot || !hasLeader {
		return fmt.Errorf("%w: an entry without %s", ErrFormat, map[bool]string{true: "leader", false: "slot"}[hasSlot])
	}
	return j.b.add(slot, leader, None)
}

// int reads a whole number that may be negative.
func (j *jsonReader) int() (int64, error) {
	if kind := j.d.PeekKind(); kind != '0' && kind != 0 {
		return 0, j.unexpected("a whole number")
	}
	v, err := j.d.ReadValue()
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseInt(string(v), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%w: %s, want a whole number", ErrFormat, quote(v))
	}
	return n, nil
}
