package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"go.etcd.io/bbolt"
)

// DefaultTimeout is how long Open waits for another process to let go of the file.
const DefaultTimeout = time.Second

// version of the form of the file. A later release that cannot be read by this one
// has a greater number.
const version = "1"

var (
	ownBucket  = []byte("schedgen")
	versionKey = []byte("version")
	clusterKey = []byte("cluster")
	indexKey   = []byte("epochs")
	listBucket = []byte("lists")
)

// Options of Open.
type Options struct {
	Timeout  time.Duration // for the lock; 0 means DefaultTimeout
	ReadOnly bool          // change nothing; several processes may read at once
	MaxBytes int           // of the file; 0: no limit
}

// A Store is open from Open to Close and may be used from many goroutines.
type Store struct {
	path   string
	db     *bbolt.DB
	file   *os.File // of db
	damage error    // of the file's structure; then what was found is read
	found  *pages
	least  atomic.Int64
	broken atomic.Pointer[Error] // db may hold its locks for ever
	failed atomic.Pointer[Error] // why nothing more is written
	unsure atomic.Bool           // a write failed: what is there may not be on the disk
	closed atomic.Bool
}

// Open opens the store in a directory, and makes both where they are not there.
//
// A store whose structure is damaged is opened for reading what can still be read;
// Damage tells. Errors are *Error: ErrLocked, ErrNotStore, ErrDamaged, ErrNewer,
// ErrReadOnly, ErrFull, fs.ErrPermission.
func Open(dir string, o Options) (*Store, error) {
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout // bbolt waits for ever otherwise
	}
	s := &Store{path: filepath.Join(dir, fileName)}
	if err := s.open(o); err != nil {
		return nil, s.fail(err)
	}
	return s, nil
}

func (s *Store) open(o Options) error {
	if !o.ReadOnly {
		if err := create(s.path, o.Timeout); err != nil {
			return err
		}
	}
	if err := readable(s.path); err != nil {
		return err
	}
	// Look before writing: where the list of free pages is damaged, lists would be
	// written over others.
	if err := s.connect(boltOptions(o.Timeout, true)); err != nil {
		return err
	}
	s.damage = s.inspect()
	if s.damage != nil && (errors.Is(s.damage, ErrNotStore) || !errors.Is(s.damage, ErrDamaged)) {
		s.db.Close()
		return s.damage
	}
	if s.damage != nil {
		return nil // the database stays open for its lock
	}
	s.found = nil
	if o.ReadOnly {
		return nil
	}
	if err := s.db.Close(); err != nil {
		return err
	}
	options := boltOptions(o.Timeout, false)
	options.MaxSize = o.MaxBytes
	if err := s.connect(options); err != nil {
		return err
	}
	removeLeftovers(filepath.Dir(s.path))
	return nil
}

// readable refuses what is no file that can be read.
func readable(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%w: no regular file", ErrNotStore)
	}
	const least = 2 * 4096 // two pages; of an empty file bbolt would make a database
	if info.Size() < least {
		return fmt.Errorf("%w: it has %d bytes, which is too few; remove it or name another directory", ErrNotStore, info.Size())
	}
	return nil
}

func boltOptions(timeout time.Duration, readOnly bool) *bbolt.Options {
	return &bbolt.Options{Timeout: timeout, ReadOnly: readOnly, NoStatistics: true}
}

// connect opens the database and keeps its file.
func (s *Store) connect(o *bbolt.Options) error {
	o.OpenFile = func(name string, flag int, mode os.FileMode) (*os.File, error) {
		f, err := os.OpenFile(name, flag&^os.O_CREATE, mode)
		s.file = f
		return f, err
	}
	err := guard(func() (err error) {
		s.db, err = bbolt.Open(s.path, fileMode, o)
		return err
	})
	if err != nil && s.file != nil {
		s.file.Close() // not done after a panic; a second Close does no harm
	}
	return err
}

// fits refuses a file that ends before what it should hold: its memory map has no
// memory there.
func (s *Store) fits(want int64) error {
	info, err := s.file.Stat()
	if err != nil {
		return err
	}
	if info.Size() < want {
		return fmt.Errorf("%w: the file ends at %d of %d bytes", ErrDamaged, info.Size(), want)
	}
	return nil
}

// ready refuses a store that cannot be used.
func (s *Store) ready() error {
	if s.closed.Load() {
		return ErrClosed
	}
	if broken := s.broken.Load(); broken != nil {
		return broken.Err
	}
	return s.fits(s.least.Load())
}

// read runs fn with what is in the store.
func (s *Store) read(fn func(reader) error) error {
	if err := s.ready(); err != nil {
		return err
	}
	if s.damage != nil {
		return fn(s.found)
	}
	began := false
	err := guard(func() error {
		return s.db.View(func(tx *bbolt.Tx) error {
			began = true
			return fn(txReader{tx})
		})
	})
	if !began && panicked(err) {
		s.giveUp(err)
	}
	return err
}

// giveUp keeps everyone from the locks of a database that panicked while it held
// them.
func (s *Store) giveUp(err error) { s.broken.Store(&Error{Path: s.path, Err: err}) }

// Damage returns what is wrong with the structure of the file, or nil. A damaged
// store takes no list and gives those that it can find and that are whole.
func (s *Store) Damage() error {
	if s.damage == nil {
		return nil
	}
	return s.fail(s.damage)
}

// Path returns the path of the file.
func (s *Store) Path() string { return s.path }

// Close closes the store; a second Close does no harm. It waits for what is under
// way.
func (s *Store) Close() error {
	if s.closed.Swap(true) {
		return nil
	}
	if s.broken.Load() != nil { // db.Close would wait for ever
		return s.file.Close() // the lock may stay until the process ends
	}
	if err := guard(s.db.Close); err != nil {
		return s.fail(err)
	}
	return nil
}

// fail names the file in an error.
func (s *Store) fail(err error) error {
	var named *Error
	if errors.As(err, &named) {
		return err
	}
	if errors.Is(err, fs.ErrNotExist) {
		return &Error{Path: s.path, Err: fmt.Errorf("%w: no file; open it for writing to make it", fs.ErrNotExist)}
	}
	return &Error{Path: s.path, Err: classify(err)}
}

// failEpoch names the file and an epoch.
func (s *Store) failEpoch(epoch uint64, err error) error {
	return &Error{Path: s.path, Epoch: &epoch, Err: classify(err)}
}
