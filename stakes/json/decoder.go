package json

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/schedgen/schedgen/stakes/internal/text"
)

const (
	maxDepth = 64      // objects and arrays within each other
	maxToken = 1 << 16 // bytes of a string or number, and of the space before it
)

// A decoder reads JSON token by token, so that what nobody asks for is not kept.
type decoder struct {
	json *json.Decoder
	in   *input
	path path
	open int // objects and arrays that have not ended
}

// A kind is the first character of a token: n for null, t for true and false, 0
// for numbers.
type kind byte

// A value is a token: a whole value, or the beginning of an object or array, or
// the end of one.
type value struct {
	kind kind
	text string // of a string or number
	bool bool
}

func newDecoder(r io.Reader) (*decoder, error) {
	b := bufio.NewReader(r)
	in := &input{r: b}
	start, err := b.Peek(len(utf8BOM))
	if err != nil && err != io.EOF {
		return nil, err
	}
	switch {
	case bytes.HasPrefix(start, []byte(utf8BOM)):
		in.skipped, _ = b.Discard(len(utf8BOM))
	case bytes.HasPrefix(start, []byte("\xff\xfe")), bytes.HasPrefix(start, []byte("\xfe\xff")):
		return nil, fmt.Errorf("%w: UTF-16, save the file as UTF-8", ErrEncoding)
	}
	d := &decoder{json: json.NewDecoder(in), in: in}
	d.json.UseNumber()
	return d, nil
}

const utf8BOM = "\xef\xbb\xbf"

// An input lets a decoder read a bounded number of bytes for one token.
type input struct {
	r       io.Reader
	skipped int   // before the JSON
	total   int64 // after that
	left    int
}

var errTooLong = errors.New("too long")

// Read waits for so much that the decoder, which looks through a stretch of space
// again each time that it gets longer, does not do so for every byte of a slow
// source.
func (in *input) Read(p []byte) (int, error) {
	const least = 512
	if in.left == 0 {
		return 0, errTooLong
	}
	p = p[:min(len(p), in.left)]
	n, err := io.ReadAtLeast(in.r, p, min(len(p), least))
	if err == io.ErrUnexpectedEOF {
		err = io.EOF
	}
	in.left -= n
	in.total += int64(n)
	return n, err
}

// fail returns an *Error about the token read last.
func (d *decoder) fail(format string, args ...any) error {
	return d.at(d.json.InputOffset(), fmt.Errorf(format, args...))
}

func (d *decoder) at(offset int64, err error) error {
	return &Error{Offset: int64(d.in.skipped) + offset, Path: d.path.String(), Err: err}
}

// next reads a token.
func (d *decoder) next() (value, error) {
	d.in.left = maxToken
	token, err := d.json.Token()
	if err != nil {
		return value{}, d.syntax(err, maxToken)
	}
	switch t := token.(type) {
	case json.Delim:
		if t == '}' || t == ']' {
			d.open--
			return value{kind: kind(t)}, nil
		}
		if d.open++; d.open > maxDepth {
			return value{}, d.fail("%w: over %d objects and arrays within each other", ErrLimit, maxDepth)
		}
		return value{kind: kind(t)}, nil
	case string:
		return value{kind: '"', text: t}, nil
	case json.Number:
		return value{kind: '0', text: t.String()}, nil
	case bool:
		return value{kind: 't', bool: t}, nil
	}
	return value{kind: 'n'}, nil
}

// syntax says where the JSON ends to make sense; limit is what the token was
// bounded by.
func (d *decoder) syntax(err error, limit int) error {
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, errTooLong):
		return d.fail("%w: over %d bytes long", ErrLimit, limit)
	case err == io.EOF, err == io.ErrUnexpectedEOF:
		return d.at(d.in.total, fmt.Errorf("%w: cut short: %w", ErrSyntax, io.ErrUnexpectedEOF))
	case errors.As(err, &syntax):
		return d.fail("%w: %w", ErrSyntax, err)
	}
	return d.at(d.in.total, err)
}

// object calls visit with the name of each member of an object that has been
// opened; visit reads the value.
func (d *decoder) object(visit func(name string) error) error {
	for {
		v, err := d.next()
		if err != nil || v.kind == '}' {
			return err
		}
		d.path = append(d.path, step{name: v.text, index: -1})
		if err := visit(v.text); err != nil {
			return err
		}
		d.path = d.path[:len(d.path)-1]
	}
}

// array calls visit with each element of an array that has been opened. Of an
// object or array, visit reads the rest.
func (d *decoder) array(visit func(v value) error) error {
	for i := 0; ; i++ {
		d.path = append(d.path, step{index: i})
		v, err := d.next()
		if err == nil && v.kind != ']' {
			err = visit(v)
		}
		if err != nil {
			return err
		}
		d.path = d.path[:len(d.path)-1]
		if v.kind == ']' {
			return nil
		}
	}
}

// skip reads what is left of a value.
func (d *decoder) skip(v value) error {
	if v.kind != '{' && v.kind != '[' {
		return nil
	}
	for outer := d.open - 1; d.open > outer; {
		if _, err := d.next(); err != nil {
			return err
		}
	}
	return nil
}

// skipNext reads a value that nobody asks for.
func (d *decoder) skipNext() error {
	v, err := d.next()
	if err != nil {
		return err
	}
	return d.skip(v)
}

// nextOf reads a token of a kind; what says what would be right.
func (d *decoder) nextOf(k kind, what string) (value, error) {
	v, err := d.next()
	if err == nil && v.kind != k {
		err = d.fail("%w: %s, want %s", ErrMember, v, what)
	}
	return v, err
}

// raw reads a value of any kind as JSON, if it has no more than limit bytes.
func (d *decoder) raw(limit int) ([]byte, error) {
	d.in.left = limit
	var raw json.RawMessage
	if err := d.json.Decode(&raw); err != nil {
		return nil, d.syntax(err, limit)
	}
	return raw, nil
}

// end checks that nothing follows.
func (d *decoder) end() error {
	d.in.left = maxToken
	switch _, err := d.json.Token(); {
	case err == io.EOF:
		return nil
	case err == nil:
		return d.fail("%w: more after the end of the list", ErrSyntax)
	default:
		return d.syntax(err, maxToken)
	}
}

// uint64 returns the whole number that a value stands for.
func (d *decoder) uint64(v value) (uint64, error) {
	if v.kind != '0' && v.kind != '"' {
		return 0, d.fail("%w: %s, want a whole number", ErrMember, v)
	}
	n, err := strconv.ParseUint(v.text, 10, 64)
	if err != nil {
		return 0, d.fail("%w: %s, want a whole number of at most %d", ErrMember, text.Quote(v.text), uint64(math.MaxUint64))
	}
	return n, nil
}

// String names a value in an error.
func (v value) String() string {
	switch v.kind {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case 'n':
		return "null"
	case 't':
		return strconv.FormatBool(v.bool)
	case '"':
		return "the string " + text.Quote(v.text)
	}
	return "the number " + strings.Trim(text.Quote(v.text), `"`)
}
