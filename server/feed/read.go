package feed

import (
	"bufio"
	"context"
	"io"
	"strconv"
	"strings"

	"github.com/schedgen/schedgen/stakes"
	"github.com/schedgen/schedgen/stakes/list"
	"github.com/schedgen/schedgen/stakes/snapshot"
)

// read reads a source that is open already, whatever kind it is of, and calls it by
// a name. An archive that is named like a snapshot is compared with its name.
func read(ctx context.Context, r io.Reader, name string) (*list.Set, error) {
	b := bufio.NewReaderSize(&cancelable{ctx, r}, max(snapshot.HeadSize, 4096))
	head, err := b.Peek(snapshot.HeadSize)
	if err != nil && err != io.EOF {
		return nil, named(name, err)
	}
	var set *list.Set
	if _, ok := snapshotSlot(name); ok && snapshot.IsArchive(head) {
		set, err = snapshot.Read(b, name)
	} else {
		set, err = stakes.Open(ctx, stakes.Stdin, stakes.Options{Stdin: b})
	}
	if err != nil {
		return nil, &renamedError{text: renamed(err.Error(), name), err: err}
	}
	for i := range set.Lists {
		l := &set.Lists[i]
		l.Name = name
		l.Provenance.Source = renamed(l.Provenance.Source, name)
	}
	return set, nil
}

// anonymous is what package stakes calls a source that it did not open itself.
const anonymous = "standard input"

func renamed(text, name string) string {
	if rest, ok := strings.CutPrefix(text, anonymous); ok {
		return name + rest
	}
	return strings.Replace(text, " "+anonymous, " "+name, 1)
}

// A renamedError is an error about a source that package stakes did not open.
type renamedError struct {
	text string
	err  error
}

func (e *renamedError) Error() string { return e.text }
func (e *renamedError) Unwrap() error { return e.err }

// cancelable stops reading when its context ends.
type cancelable struct {
	ctx context.Context
	r   io.Reader
}

func (c *cancelable) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}

// quoted returns a name as it may stand in a line: itself, or in quotes where it has
// characters that are not printed.
func quoted(name string) string {
	if q := strconv.Quote(name); q != `"`+name+`"` {
		return q
	}
	return name
}
