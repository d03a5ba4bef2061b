package feed

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"
)

// A file is what is known of a file in the folder.
type file struct {
	size     int64
	modified time.Time
	since    time.Time // when it was first seen with both
	seen     time.Time // when it was last seen

	taken bool // as it is now
	left  bool // alone, until it changes
	tries int  // since it changed
	next  time.Time
	wait  backoff
	said  string // the failure that was logged last
}

// A candidate is a file by name.
type candidate struct {
	name string
	file *file
}

// due reports whether a file is to be read. An empty one is about to be written.
func (f *file) due(now time.Time, settle time.Duration) bool {
	return !f.taken && !f.left && f.size > 0 && now.Sub(f.since) >= settle && !now.Before(f.next)
}

// look brings what is known of the files up to date.
func (w *Watch) look(ctx context.Context, root *os.Root, now time.Time) error {
	folder, err := root.Open(".")
	if err != nil {
		return err
	}
	defer folder.Close()
	snapshots, others := 0, 0 // looked after
	const atOnce = 256
	for {
		entries, err := folder.ReadDir(atOnce)
		for _, e := range entries {
			name := e.Name()
			if passedOver(name) {
				continue
			}
			room := &others
			if _, ok := snapshotSlot(name); ok {
				room = &snapshots
			}
			if *room >= w.o.MaxFiles {
				w.overfull()
				continue
			}
			if w.see(root, name, now) {
				*room++
			}
		}
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, io.EOF):
			w.forget(now)
			return nil
		case err != nil:
			return err
		}
	}
}

// see looks at one entry, and reports whether it is a file.
func (w *Watch) see(root *os.Root, name string, now time.Time) bool {
	info, err := root.Lstat(name)
	if err != nil { // removed meanwhile
		return false
	}
	known := w.files[name]
	if !info.Mode().IsRegular() {
		w.skip(name, info.Mode(), known, now)
		return true
	}
	if known == nil || known.size != info.Size() || !known.modified.Equal(info.ModTime()) {
		known = &file{size: info.Size(), modified: info.ModTime(), since: now, wait: w.waits()}
		w.files[name] = known
	}
	known.since = earlier(known.since, now)
	known.seen = now
	return true
}

// skip remembers that an entry is no file.
func (w *Watch) skip(name string, mode fs.FileMode, known *file, now time.Time) {
	if known == nil || known.size >= 0 {
		known = &file{size: -1, since: now, left: true}
		w.files[name] = known
		if !mode.IsDir() {
			w.log.Info("left alone", "file", quoted(name), "error", ErrNotRegular, "mode", mode.String())
		}
	}
	known.seen = now
}

func (w *Watch) waits() backoff { return backoff{least: w.o.Every, most: w.o.MostWait} }

// forget drops what is not there any more.
func (w *Watch) forget(now time.Time) {
	for name, f := range w.files {
		if !f.seen.Equal(now) {
			delete(w.files, name)
		}
	}
}

func (w *Watch) overfull() {
	if !w.full {
		w.full = true
		w.log.Warn("too many files: not all are looked at", "most", w.o.MaxFiles)
	}
}

// earlier returns the earlier time, so that a clock that was set back makes no file
// wait for it.
func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}
