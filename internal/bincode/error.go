package bincode

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Errors are wrapped in an [*Error]; test for them with errors.Is. An error of
// the stream below is wrapped as it is.
var (
	// ErrTruncated: the data ends inside a value.
	ErrTruncated = errors.New("data ends early")
	// ErrTrailing: the data goes on after its last value.
	ErrTrailing = errors.New("data goes on after its end")
	// ErrLength: a length that no data can have.
	ErrLength = errors.New("impossible length")
	// ErrValue: a byte that is none of the values of its type.
	ErrValue = errors.New("impossible value")
)

// Error says where in the data something is wrong.
type Error struct {
	Offset int64  // of the value's first byte, from 0
	What   string // path of the value, as in accounts[3].lamports; "" when it is about none
	Err    error  // what is wrong, and what would be right
}

// Error returns one line: offset, path, problem.
func (e *Error) Error() string {
	if e.What == "" {
		return fmt.Sprintf("byte %d: %v", e.Offset, e.Err)
	}
	return fmt.Sprintf("byte %d: %s: %v", e.Offset, e.What, e.Err)
}

// Unwrap returns what is wrong.
func (e *Error) Unwrap() error { return e.Err }

// A frame is one step of a path.
type frame struct {
	name  string
	index uint64
	isOne bool // of several: index counts
}

// path returns the text of the frames and a field below them.
func path(frames []frame, field string) string {
	var b strings.Builder
	for _, f := range frames {
		if b.Len() > 0 && f.name != "" {
			b.WriteByte('.')
		}
		b.WriteString(f.name)
		if f.isOne {
			b.WriteString("[" + strconv.FormatUint(f.index, 10) + "]")
		}
	}
	if b.Len() > 0 && field != "" {
		b.WriteByte('.')
	}
	b.WriteString(field)
	return b.String()
}
