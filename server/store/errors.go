package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"

	bbolterrors "go.etcd.io/bbolt/errors"
)

// Errors are wrapped in an [*Error], which names the file; test for them with
// errors.Is. A place that may not be read or written is fs.ErrPermission.
var (
	// ErrLocked: another process has the store open.
	ErrLocked = errors.New("in use by another process")
	// ErrNotStore: the file is something else.
	ErrNotStore = errors.New("not a store of stake lists")
	// ErrDamaged: the file, or the list of one epoch, is not what was written.
	ErrDamaged = errors.New("damaged")
	// ErrNewer: a later release wrote the file.
	ErrNewer = errors.New("written by a later release")
	// ErrReadOnly: the store is open for reading only.
	ErrReadOnly = errors.New("read-only")
	// ErrFull: no room on the disk, or no more than a limit allows.
	ErrFull = errors.New("no room")
	// ErrNone: no list of that epoch.
	ErrNone = errors.New("no stake list")
	// ErrNoEpoch: a list that does not say which epoch it leads.
	ErrNoEpoch = errors.New("stake list does not say which epoch it leads")
	// ErrClosed: the store was closed.
	ErrClosed = errors.New("store is closed")
)

// Error says what is wrong with a store, or with the list of one epoch in it.
type Error struct {
	Path  string  // of the file
	Epoch *uint64 // nil when it is about the whole file
	Err   error   // what is wrong, and what would be right
}

// Error returns one line: file, epoch, problem.
func (e *Error) Error() string {
	if e.Epoch != nil {
		return fmt.Sprintf("%s: epoch %d: %v", e.Path, *e.Epoch, e.Err)
	}
	return e.Path + ": " + e.Err.Error()
}

// Unwrap returns what is wrong.
func (e *Error) Unwrap() error { return e.Err }

// kinds are what errors of bbolt and of the system stand for, with what to do.
var kinds = []struct {
	is   error
	kind error
	hint string
}{
	{bbolterrors.ErrTimeout, ErrLocked, "stop that one or name another directory"},
	{bbolterrors.ErrInvalid, ErrNotStore, "move it away or name another directory"},
	{bbolterrors.ErrVersionMismatch, ErrNotStore, "move it away or name another directory"},
	{bbolterrors.ErrChecksum, ErrDamaged, "move it away; lists can be put in again"},
	{bbolterrors.ErrDatabaseReadOnly, ErrReadOnly, ""},
	{bbolterrors.ErrDatabaseNotOpen, ErrClosed, ""},
	{bbolterrors.ErrMaxSizeReached, ErrFull, ""},
	{syscall.EROFS, ErrReadOnly, ""},
	{syscall.ENOSPC, ErrFull, "make some on the disk"},
	{syscall.EDQUOT, ErrFull, "raise the quota"},
	{syscall.EFBIG, ErrFull, "raise the limit of a file's size"},
}

// classify wraps an error of bbolt or the system in the error of this package that
// it stands for.
func classify(err error) error {
	for _, k := range kinds {
		// When the file cannot grow, bbolt gives the system's error as text.
		text := fmt.Sprint(k.is)
		_, system := k.is.(syscall.Errno)
		if !errors.Is(err, k.is) && !(system && strings.HasSuffix(err.Error(), ": "+text)) {
			continue
		}
		if k.hint == "" {
			return fmt.Errorf("%w: %w", k.kind, bare(err))
		}
		return fmt.Errorf("%w: %w; %s", k.kind, bare(err), k.hint)
	}
	return bare(err)
}

// bare drops the path that an error of the system has: an Error names it.
func bare(err error) error {
	switch err := err.(type) {
	case *fs.PathError:
		return err.Err
	case *os.LinkError:
		return err.Err
	}
	return err
}
