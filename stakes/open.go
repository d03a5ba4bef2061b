package stakes

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/csv"
	"github.com/schedgen/schedgen/stakes/example"
)

// The names that [Open] does not take for paths. A file of such a name can be
// given as ./example.
const (
	Stdin   = "-"
	Example = "example"
)

// ErrSource says that a stake list could not be opened.
var ErrSource = errors.New("cannot open stake list")

// List is a stake list as its source has it, neither checked nor sorted.
type List struct {
	Entries  []schedule.Entry
	HasVotes bool   // Key is a vote account, Node its identity; otherwise both are the same
	Source   string // where it comes from, for messages
}

// Open reads the stake list of that name: [Example], [Stdin], for which it reads
// stdin to its end, or the path of a CSV file. The error is an [ErrSource] when
// nothing can be opened, and one of stakes/csv when the list is wrong.
func Open(name string, stdin io.Reader) (*List, error) {
	switch name {
	case Example:
		return read(bytes.NewReader(example.CSV()), "the example stake list")
	case Stdin:
		if stdin == nil {
			return nil, fmt.Errorf("%w: no standard input", ErrSource)
		}
		return read(stdin, "standard input")
	}
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w %s: no such file, want the path of a CSV file, - for standard input, or example", ErrSource, name)
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
		return nil, fmt.Errorf("%w %s: is a directory, want a CSV file", ErrSource, name)
	}
	return read(f, name)
}

func read(r io.Reader, source string) (*List, error) {
	entries, hasVotes, err := csv.Read(r, source)
	if err != nil {
		return nil, err
	}
	return &List{Entries: entries, HasVotes: hasVotes, Source: source}, nil
}

// sourceError names the list once: the error of a system call does so too.
func sourceError(name string, err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	return fmt.Errorf("%w %s: %w", ErrSource, name, err)
}
