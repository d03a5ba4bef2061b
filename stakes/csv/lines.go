package csv

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/schedgen/schedgen/stakes/internal/text"
	"github.com/schedgen/schedgen/stakes/list"
)

// MaxLine is the greatest length of a line in bytes, its end included. Only the
// line that says where a list comes from may be longer.
const MaxLine = 4096

// marker begins the line that says where a list comes from; the rest is the JSON
// of a list.Provenance.
const marker = "# schedgen: "

// lines passes a text on line by line to a CSV reader. It takes out what that
// reader would not: a byte order mark, and comments and blank lines that begin
// with space. It refuses what would make that reader gather more than a line: a
// line without end, and a quoted field that goes on over several lines.
type lines struct {
	r          *bufio.Reader
	line       int    // number of the line in rest
	rest       []byte // of the current line
	err        error  // what comes after rest
	rows       bool   // a line that is no comment has been seen
	provenance *list.Provenance
}

func newLines(r io.Reader) *lines {
	return &lines{r: bufio.NewReaderSize(r, MaxLine)}
}

func (l *lines) Read(p []byte) (int, error) {
	for len(l.rest) == 0 {
		if l.err != nil {
			return 0, l.err
		}
		l.next()
	}
	n := copy(p, l.rest)
	l.rest = l.rest[n:]
	return n, nil
}

// next reads a line into rest. An error other than io.EOF is an *Error, except
// for those of the reader below.
func (l *lines) next() {
	l.line++
	line, err := l.r.ReadSlice('\n')
	if l.line == 1 {
		if bytes.HasPrefix(line, []byte("\xff\xfe")) || bytes.HasPrefix(line, []byte("\xfe\xff")) {
			l.fail(fmt.Errorf("%w: UTF-16, save the file as UTF-8", ErrEncoding))
			return
		}
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	}
	marked := bytes.HasPrefix(line, []byte(marker+"{"))
	if marked && errors.Is(err, bufio.ErrBufferFull) {
		line, err = l.long(line)
	}
	if errors.Is(err, bufio.ErrBufferFull) {
		most := MaxLine
		if marked {
			most = maxMarked
		}
		l.fail(fmt.Errorf("%w: over %d bytes long", ErrLine, most))
		return
	}
	if err != nil && err != io.EOF {
		l.err = err // the start of a line is no entry
		return
	}
	l.err = err
	content := bytes.TrimSpace(line)
	switch {
	case marked:
		if err := l.mark(content[len(marker):]); err != nil {
			l.fail(err)
			return
		}
		line = []byte{'\n'}
	case len(content) == 0 || content[0] == '#':
		line = []byte{'\n'} // the line still counts
	case bytes.Count(content, []byte{'"'})%2 != 0:
		l.fail(fmt.Errorf(`%w: a " has no second one on its line`, ErrLine))
		return
	default:
		l.rows = true
	}
	l.rest = line
}

// maxMarked is the greatest length of a marked line.
const maxMarked = len(marker) + text.MaxProvenance + len("\r\n")

// long reads on a line that is longer than the buffer. The error is
// bufio.ErrBufferFull when it is too long for a marked one, too.
func (l *lines) long(start []byte) (line []byte, err error) {
	line = bytes.Clone(start)
	err = bufio.ErrBufferFull
	for errors.Is(err, bufio.ErrBufferFull) && len(line) <= maxMarked {
		var more []byte
		more, err = l.r.ReadSlice('\n')
		line = append(line, more...)
	}
	if len(line) > maxMarked {
		return nil, bufio.ErrBufferFull
	}
	return line, err
}

// mark keeps what a marked line says.
func (l *lines) mark(content []byte) error {
	switch {
	case l.provenance != nil:
		return fmt.Errorf("%w: a second line that begins with %q, want one list a file", ErrProvenance, marker)
	case l.rows:
		return fmt.Errorf("%w: want the line that begins with %q before the first row", ErrProvenance, marker)
	}
	p, err := text.ParseProvenance(content)
	if err != nil {
		return err
	}
	l.provenance = &p
	return nil
}

func (l *lines) fail(err error) {
	l.rest, l.err = nil, &Error{Line: l.line, Err: err}
}
