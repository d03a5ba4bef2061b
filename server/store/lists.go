package store

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"time"

	"go.etcd.io/bbolt"

	"github.com/schedgen/schedgen/stakes/list"
)

// Put says what became of a list.
type Put struct {
	Epoch    uint64
	Replaced bool // another list of the epoch was there
	Same     bool // the same entries were there; what is told of them may be new
	Meta     Meta // of what is there now
}

// errUnchanged ends a transaction that has nothing to write.
var errUnchanged = errors.New("unchanged")

// Put keeps a list in the place of any other of its epoch. When it returns without
// an error the list is on the disk; with one, what was there still is.
//
// Errors are *Error: ErrNoEpoch, ErrCluster, ErrFull, ErrReadOnly, ErrDamaged.
func (s *Store) Put(l *list.List) (Put, error) {
	meta, value, err := encode(l, time.Now())
	if err != nil {
		return Put{}, s.fail(err)
	}
	put := Put{Epoch: meta.Epoch, Meta: meta}
	err = s.update(func(tx *bbolt.Tx) error { return put.write(tx, &meta, value, s.unsure.Load()) })
	if err != nil && err != errUnchanged {
		return Put{}, s.failEpoch(meta.Epoch, err)
	}
	return put, nil
}

// write puts the list where it belongs, unless it is there; always, if the disk
// may not have what is there.
func (put *Put) write(tx *bbolt.Tx, meta *Meta, value []byte, always bool) error {
	cluster, err := readCluster(txReader{tx})
	if err != nil {
		return err
	}
	known, err := cluster.With(ClusterOf(&meta.Provenance))
	if err != nil {
		return err
	}
	if err := writeCluster(tx, cluster, known); err != nil {
		return err
	}
	lists := tx.Bucket(listBucket)
	if v := lists.Get(epochKey(put.Epoch)); v != nil {
		put.Replaced = true
		old, _, err := decodeMeta(put.Epoch, v)
		if err == nil && old.Content == meta.Content {
			// The head may be whole and the rest not.
			if _, _, err := decode(put.Epoch, v); err == nil {
				put.Replaced, put.Same = false, true
			}
		}
		if put.Same && !always && reflect.DeepEqual(old.Provenance, meta.Provenance) && cluster.equal(known) {
			put.Meta = old
			return errUnchanged
		}
	}
	if err := addToIndex(tx, put.Epoch); err != nil {
		return err
	}
	return lists.Put(epochKey(put.Epoch), value)
}

// update runs fn in a transaction that writes.
func (s *Store) update(fn func(*bbolt.Tx) error) error {
	if s.damage != nil {
		return fmt.Errorf("%w: no list is taken into it", s.damage)
	}
	if err := s.ready(); err != nil {
		return err
	}
	if err := s.present(); err != nil {
		return err
	}
	if failed := s.failed.Load(); failed != nil {
		return failed.Err
	}
	var size int64
	ours := false // the error is fn's
	err := guard(func() error {
		return s.db.Update(func(tx *bbolt.Tx) error {
			size = tx.Size()
			err := fn(tx)
			ours = err != nil
			return err
		})
	})
	s.wrote(err, ours)
	if err == nil {
		s.least.Store(size)
	}
	return err
}

// wrote notes how a write ended; ours tells that it was not begun.
func (s *Store) wrote(err error, ours bool) {
	switch {
	case err == nil:
		s.unsure.Store(false)
	case panicked(err):
		s.giveUp(err)
	case ours:
	case errors.Is(classify(err), ErrFull):
		s.unsure.Store(true)
	default:
		// What a disk failed to write it may say later to have written.
		s.failed.Store(&Error{Path: s.path, Err: fmt.Errorf("nothing more is written after a failure of the disk: %w; start again", bare(err))})
	}
}

// present refuses to write into a file that nobody would find any more.
func (s *Store) present() error {
	there, err := os.Stat(s.path)
	if err != nil {
		return err
	}
	open, err := s.file.Stat()
	if err == nil && !os.SameFile(there, open) {
		err = fmt.Errorf("%w: the file was replaced while it was open", ErrDamaged)
	}
	return err
}

// Get returns the list of an epoch. Errors are *Error: ErrNone, and ErrDamaged when
// the list is not the one that was put in.
func (s *Store) Get(epoch uint64) (*list.List, Meta, error) {
	var value []byte
	err := s.read(func(r reader) error {
		v, err := r.list(epoch)
		if v == nil && err == nil {
			return missing(r, epoch)
		}
		value = bytes.Clone(v) // the checks are done without holding back a writer
		return err
	})
	if err != nil {
		return nil, Meta{}, s.failEpoch(epoch, err)
	}
	l, meta, err := decode(epoch, value)
	if err != nil {
		return nil, Meta{}, s.failEpoch(epoch, err)
	}
	return l, meta, nil
}

// Epochs returns what is held, ascending. Only the heads of lists are read: one
// that is damaged has Meta.Err, and one that is not may still be damaged further
// on, which Get tells.
func (s *Store) Epochs() ([]Meta, error) {
	var metas []Meta
	err := s.read(func(r reader) error {
		metas = nil
		found := map[uint64]bool{}
		err := r.each(func(epoch uint64, v []byte) {
			found[epoch] = true
			metas = append(metas, s.metaOf(epoch, v))
		})
		if err != nil {
			return err
		}
		x, err := readIndex(r)
		for _, epoch := range x.Epochs {
			if !found[epoch] {
				metas = append(metas, Meta{Epoch: epoch, Err: s.failEpoch(epoch, errGone)})
			}
		}
		if s.damage != nil {
			return nil // as many as can be found
		}
		return err
	})
	if err != nil {
		return nil, s.fail(err)
	}
	slices.SortFunc(metas, func(a, b Meta) int { return cmp.Compare(a.Epoch, b.Epoch) })
	return metas, nil
}

// metaOf reads the head of a value.
func (s *Store) metaOf(epoch uint64, v []byte) Meta {
	meta, _, err := decodeMeta(epoch, v)
	if err != nil {
		return Meta{Epoch: epoch, Bytes: len(v), Err: s.failEpoch(epoch, err)}
	}
	return meta
}
