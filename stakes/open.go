package stakes

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/stakes/csv"
	"github.com/schedgen/schedgen/stakes/example"
	"github.com/schedgen/schedgen/stakes/genesis"
	"github.com/schedgen/schedgen/stakes/json"
	"github.com/schedgen/schedgen/stakes/list"
	"github.com/schedgen/schedgen/stakes/snapshot"
)

// The names that [Open] does not take for paths. A file of such a name can be
// given as ./example.
const (
	Stdin   = "-"
	Example = "example"
)

// ErrSource says that a source of stakes could not be opened, or is of no known
// kind.
var ErrSource = errors.New("cannot open stake list")

// Options say how a source is opened.
type Options struct {
	Stdin io.Reader       // what the name Stdin stands for
	RPC   noderpc.Options // how a node is asked
}

// Open reads the source of stakes of that name: [Example]; [Stdin], for which it
// reads o.Stdin; the address of a node, which begins with http:// or https://; or
// a path, to a file or a folder.
//
// The content tells what a file or standard input is, its name does not: see the
// package. Nothing is read twice or out of order, so that a pipe serves as well as
// a file. The error is an [ErrSource] when nothing can be opened or recognised,
// and else one of the package that reads the kind; all name the source, and none
// the credentials in an address.
func Open(ctx context.Context, name string, o Options) (*list.Set, error) {
	switch {
	case name == Example:
		return openExample()
	case isAddress(name):
		return ask(ctx, name, o.RPC)
	}
	title := name
	if name == Stdin {
		title = "standard input"
	}
	set, err := openLocal(ctx, name, title, o)
	if err != nil {
		return nil, err
	}
	for i := range set.Lists {
		set.Lists[i].Name = title
	}
	return set, nil
}

// openLocal reads standard input, a file or a folder.
func openLocal(ctx context.Context, name, title string, o Options) (*list.Set, error) {
	switch {
	case name == Stdin && o.Stdin == nil:
		return nil, fmt.Errorf("%w: no %s", ErrSource, title)
	case name == Stdin:
		return read(ctx, o.Stdin, title)
	}
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w %s: no such file, want a path, the http address of a node, - for standard input, or example", ErrSource, name)
	}
	if err != nil {
		return nil, sourceError(name, err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, sourceError(name, err)
	}
	if info.IsDir() {
		return openFolder(ctx, name)
	}
	return read(ctx, f, name)
}

func isAddress(name string) bool {
	scheme, _, found := strings.Cut(name, "://")
	return found && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

// openExample reads the list that is part of the program.
func openExample() (*list.Set, error) {
	l, err := csv.ReadList(bytes.NewReader(example.CSV()), "the example stake list")
	if err != nil {
		return nil, err
	}
	l.Provenance.Kind = list.KindExample
	l.Provenance.Reason = "nobody has these keys and stakes"
	return &list.Set{Lists: []list.List{*l}}, nil
}

// read reads what a file or standard input holds.
func read(ctx context.Context, r io.Reader, name string) (*list.Set, error) {
	b := bufio.NewReaderSize(&cancelable{ctx, r}, headSize)
	head, err := b.Peek(headSize)
	if err != nil && err != io.EOF {
		return nil, sourceError(name, err)
	}
	switch recognise(head) {
	case kindArchive:
		return readArchive(b, name)
	case kindJSON:
		return json.Read(b, name)
	case kindCSV:
		l, err := csv.ReadList(b, name)
		if err != nil {
			return nil, err
		}
		return &list.Set{Lists: []list.List{*l}}, nil
	case kindGenesis:
		return genesis.Read(b, name)
	case kindManifest:
		return snapshot.ReadManifest(b, name)
	}
	return nil, fmt.Errorf("%w %s: it begins with the bytes % x, want %s", ErrSource, name, head[:min(len(head), 8)], kinds)
}

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

// sourceError names the source once: the error of a system call does so too.
func sourceError(name string, err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	return fmt.Errorf("%w %s: %w", ErrSource, name, err)
}
