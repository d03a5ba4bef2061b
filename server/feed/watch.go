package feed

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"sync"
	"time"
)

// WatchOptions say how a folder is watched. A zero value of a field is its default.
type WatchOptions struct {
	// Every is the time between two looks at the folder: 5 s. File systems that
	// are shared over a network do not tell of changes, so that none is asked to.
	Every time.Duration
	// Settle is how long a file must keep its size and time of change before it is
	// read: 10 s.
	Settle time.Duration
	// MostWait limits the waits after failures, which double: 10 min.
	MostWait time.Duration
	// MaxFiles is how many files are looked after, beside as many that are named
	// like snapshots: 32,768.
	MaxFiles int
}

func (o WatchOptions) withDefaults() WatchOptions {
	if o.Every <= 0 {
		o.Every = 5 * time.Second
	}
	if o.Settle <= 0 {
		o.Settle = 10 * time.Second
	}
	if o.MostWait <= 0 {
		o.MostWait = 10 * time.Minute
	}
	if o.MaxFiles <= 0 {
		o.MaxFiles = 1 << 15
	}
	return o
}

// WatchStatus says how it stands with a folder.
type WatchStatus struct {
	Dir      string
	At       time.Time // of the last look
	Ingested int       // files that were taken as they are now
	Waiting  int       // that change, or are tried again
	Refused  int       // that are left alone until they change
	Err      error     // why the folder cannot be looked at
}

// A Watch takes the files of a folder while [Watch.Run] runs.
//
// Only regular files directly in the folder are read, and none through a link. One
// that is hidden or named like a temporary file is passed over; any other is read
// when it has kept its size and time of change for a while, and what was read counts
// only if both are the same afterwards. A file that is not taken is tried again,
// less and less often, and at once when it changes. Snapshots come before other
// files, those of later slots first.
type Watch struct {
	feed *Feed
	dir  string
	o    WatchOptions
	log  *slog.Logger

	files map[string]*file // of Run alone
	full  bool             // it was logged that there are more files

	mu     sync.Mutex
	status WatchStatus
}

// NewWatch returns a watch of a folder. The error names it when it is none, or
// cannot be read.
func (f *Feed) NewWatch(dir string, o WatchOptions) (*Watch, error) {
	w := &Watch{
		feed: f, dir: dir, o: o.withDefaults(), log: f.log.With("folder", quoted(dir)),
		files: map[string]*file{}, status: WatchStatus{Dir: dir},
	}
	root, err := openFolder(dir)
	if err != nil {
		return nil, err
	}
	return w, root.Close()
}

// openFolder opens a folder for reading what is in it and nothing else.
func openFolder(dir string) (*os.Root, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		var pathErr *fs.PathError
		if errors.As(err, &pathErr) {
			err = pathErr.Err
		}
		return nil, fmt.Errorf("%s: %w, want a folder that can be read", quoted(dir), err)
	}
	return root, nil
}

// Run takes files until the context ends, and returns why it did. It is called
// once. A file system that does not answer holds up its end.
func (w *Watch) Run(ctx context.Context) error {
	wait := backoff{least: w.o.Every, most: w.o.MostWait}
	for {
		err := w.scan(ctx)
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		pause := w.o.Every
		if err != nil {
			pause = wait.failed()
		} else {
			wait.worked()
		}
		w.report(err)
		if !sleep(ctx, pause) {
			return context.Cause(ctx)
		}
	}
}

// Status returns how it stands.
func (w *Watch) Status() WatchStatus {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.status
}

// report counts, and logs when the folder cannot be looked at or can again.
func (w *Watch) report(err error) {
	s := WatchStatus{Dir: w.dir, At: w.feed.o.Now(), Err: err}
	for _, f := range w.files {
		switch {
		case f.size < 0: // no file
		case f.taken:
			s.Ingested++
		case f.left:
			s.Refused++
		default:
			s.Waiting++
		}
	}
	w.mu.Lock()
	before := w.status.Err
	w.status = s
	w.mu.Unlock()
	switch {
	case err != nil && before == nil:
		w.log.Warn("folder cannot be looked at", "error", err)
	case err == nil && before != nil:
		w.log.Info("folder can be looked at again")
	}
}

// scan looks at the folder once and takes what has come. It takes at least one file
// that is due, and further ones until it is time to look again, so that of many
// files the one that came last does not wait for all others.
func (w *Watch) scan(ctx context.Context) error {
	start := w.feed.o.Now()
	root, err := openFolder(w.dir)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := w.look(ctx, root, start); err != nil {
		return err
	}
	var due []candidate
	for name, f := range w.files {
		if f.due(start, w.o.Settle) {
			due = append(due, candidate{name, f})
		}
	}
	slices.SortFunc(due, byUse)
	for i, c := range due {
		now := w.feed.o.Now()
		if ctx.Err() != nil || i > 0 && now.Sub(start) >= w.o.Every {
			return nil
		}
		w.take(ctx, root, c, now)
	}
	return nil
}
