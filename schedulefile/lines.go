package schedulefile

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// MaxLine is the greatest length of a line of text or CSV in bytes, its end
// included.
const MaxLine = 4096

const byteOrderMark = "\xef\xbb\xbf"

// blank is what was skipped at the beginning of a file.
type blank struct {
	bytes int64
	lines int // line ends
}

// skipBlank skips space and line ends.
func skipBlank(r *bufio.Reader) (b blank, err error) {
	for {
		c, err := r.ReadByte()
		if err == io.EOF {
			return b, nil
		}
		if err != nil {
			return b, err
		}
		switch c {
		case '\n':
			b.lines++
		case ' ', '\t', '\r':
		default:
			return b, r.UnreadByte()
		}
		b.bytes++
	}
}

// lines gives a text line by line.
type lines struct {
	r     *bufio.Reader
	line  int  // number of the current line, from 1
	ended bool // the current line had a line end
}

// next returns the next line that is not blank and no comment, without the space
// around it, or nil at the end. It is valid until the next call.
func (l *lines) next() ([]byte, error) {
	for {
		line, err := l.r.ReadSlice('\n')
		if err != nil && err != io.EOF && !errors.Is(err, bufio.ErrBufferFull) {
			return nil, err
		}
		if len(line) == 0 {
			return nil, nil
		}
		l.line++
		if len(line) > MaxLine || err == bufio.ErrBufferFull {
			return nil, l.fail(fmt.Errorf("%w: over %d bytes long", ErrLine, MaxLine))
		}
		l.ended = err == nil
		line = bytes.TrimSpace(line)
		if len(line) > 0 && line[0] != '#' {
			return line, nil
		}
	}
}

// fail returns err as one of the current line.
func (l *lines) fail(err error) error { return &Error{Line: l.line, Err: err} }

// checkEnd is called after a row was added to b, which had so many keys and
// whose row before was of slot previous. It refuses a last line that may lack
// its end: a part of a number is a number, and a part of a key can be a key.
func (l *lines) checkEnd(b *builder, keys int, previous uint64) error {
	if l.ended || b.listed > 1 && b.previous == previous+1 && len(b.keys) == keys {
		return nil
	}
	return l.fail(fmt.Errorf("%w; if it is whole, end it", ErrCutShort))
}
