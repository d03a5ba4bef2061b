package csv

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// MaxLine is the greatest length of a line in bytes, its end included.
const MaxLine = 4096

// lines passes a text on line by line to a CSV reader. It takes out what that
// reader would not: a byte order mark, and comments and blank lines that begin
// with space. It refuses what would make that reader gather more than a line: a
// line without end, and a quoted field that goes on over several lines.
type lines struct {
	r    *bufio.Reader
	line int    // number of the line in rest
	rest []byte // of the current line
	err  error  // what comes after rest
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
	if errors.Is(err, bufio.ErrBufferFull) {
		l.fail(fmt.Errorf("%w: over %d bytes long", ErrLine, MaxLine))
		return
	}
	if err != nil && err != io.EOF {
		l.err = err // the start of a line is no entry
		return
	}
	l.err = err
	if l.line == 1 {
		if bytes.HasPrefix(line, []byte("\xff\xfe")) || bytes.HasPrefix(line, []byte("\xfe\xff")) {
			l.fail(fmt.Errorf("%w: UTF-16, save the file as UTF-8", ErrEncoding))
			return
		}
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	}
	content := bytes.TrimSpace(line)
	switch {
	case len(content) == 0 || content[0] == '#':
		line = []byte{'\n'} // the line still counts
	case bytes.Count(content, []byte{'"'})%2 != 0:
		l.fail(fmt.Errorf(`%w: a " has no second one on its line`, ErrLine))
		return
	}
	l.rest = line
}

func (l *lines) fail(err error) {
	l.rest, l.err = nil, &Error{Line: l.line, Err: err}
}
