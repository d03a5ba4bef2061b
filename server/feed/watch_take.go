package feed

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server/epochs"
	"github.com/schedgen/schedgen/server/store"
	"github.com/schedgen/schedgen/stakes/list"
	"github.com/schedgen/schedgen/stakes/snapshot"
)

// take reads a file and decides when it is read again.
func (w *Watch) take(ctx context.Context, root *os.Root, c candidate, now time.Time) {
	f, name := c.file, quoted(c.name)
	in := w.feed.ingest(ctx, Watched, name, func() ([]*list.List, error) {
		return readFile(ctx, root, c, name)
	})
	err := in.Failed()
	switch {
	case ctx.Err() != nil:
		return
	case err == nil:
		f.taken = true
		return
	case errors.Is(err, fs.ErrNotExist): // removed meanwhile
		return
	}
	f.tries++
	f.next = now.Add(f.wait.failed())
	f.left = f.tries >= mostTries && ofContent(err)
	w.complain(f, name, err)
}

// mostTries is how often a file is read that does not change and has the wrong
// content: for some ten minutes.
const mostTries = 8

// ofContent reports whether an error will be the same as long as the file is. Those
// of the disk may pass, and what is not known of the cluster may come from another
// file.
func ofContent(err error) bool {
	var system syscall.Errno
	var ownStore *store.Error
	switch {
	case errors.As(err, &system), errors.As(err, &ownStore):
		return errors.Is(err, store.ErrCluster)
	case errors.Is(err, epochs.ErrNoEpochSchedule), errors.Is(err, schedule.ErrKeyingUnknown):
		return false
	}
	return true
}

// complain logs why a file is not taken, once as long as that stays the same.
func (w *Watch) complain(f *file, name string, err error) {
	level, text := w.log.Warn, "stakes refused"
	if errors.Is(err, ErrIncomplete) || errors.Is(err, io.ErrUnexpectedEOF) {
		level, text = w.log.Info, "file is not complete"
	}
	if f.said == err.Error() {
		level = w.log.Debug
	}
	f.said = err.Error()
	about := []any{"origin", string(Watched), "file", name, "error", err, "tries", f.tries}
	if f.left {
		level, text = w.log.Warn, "stakes refused, until the file changes"
	} else {
		about = append(about, "next", f.next)
	}
	level(text, about...)
}

// readFile reads a file whose size and time of change are those that were seen, and
// still are when it was read.
func readFile(ctx context.Context, root *os.Root, c candidate, name string) ([]*list.List, error) {
	r, err := root.OpenFile(c.name, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil, bare(name, err)
	}
	defer r.Close()
	if err := unchanged(r, c.file, name); err != nil {
		return nil, err
	}
	t := &tail{r: r}
	set, err := read(ctx, t, name)
	if changed := unchanged(r, c.file, name); changed != nil {
		return nil, changed
	}
	if err != nil {
		return nil, err
	}
	if t.cutOff() {
		return nil, fmt.Errorf("%s: %w: its last line has no end, which is all that tells a list from the beginning of one", name, ErrIncomplete)
	}
	return chosen(set, nil, "a file that says so itself, such as schedgen stakes convert writes")
}

func unchanged(r *os.File, f *file, name string) error {
	info, err := r.Stat()
	switch {
	case err != nil:
		return bare(name, err)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s: %w", name, ErrNotRegular)
	case info.Size() != f.size || !info.ModTime().Equal(f.modified):
		return fmt.Errorf("%s: %w: it changes while it is read", name, ErrIncomplete)
	}
	return nil
}

// bare names the file instead of the path that an error of the system has.
func bare(name string, err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		err = pathErr.Err
	}
	return fmt.Errorf("%s: %w", name, err)
}

// A tail knows how what was read begins and ends.
type tail struct {
	r     io.Reader
	begun bool
	text  bool // begins as CSV does: neither with a control character nor as JSON
	last  byte
}

func (t *tail) Read(p []byte) (int, error) {
	n, err := t.r.Read(p)
	if n > 0 {
		if !t.begun {
			t.begun, t.text = true, isPlainText(p[:n])
		}
		t.last = p[n-1]
	}
	return n, err
}

// cutOff reports whether a text ends within a line. Other kinds say themselves where
// they end.
func (t *tail) cutOff() bool { return t.text && t.last != '\n' && t.last != '\r' }

func isPlainText(head []byte) bool {
	if snapshot.IsArchive(head) {
		return false
	}
	text := false
	for _, c := range head {
		switch {
		case c == '\t' || c == '\n' || c == '\r' || c == ' ':
		case c < ' ':
			return false
		case !text && (c == '{' || c == '['):
			return false
		case c < 0x80: // what comes before may be a byte order mark
			text = true
		}
	}
	return text
}
