package store

import (
	"fmt"
	"strconv"

	bbolterrors "go.etcd.io/bbolt/errors"
)

// inspect looks at the whole structure of the file, and not into lists. The error is
// ErrNotStore, ErrNewer, or ErrDamaged; with the last, s.found is what can still be
// read.
func (s *Store) inspect() error {
	info, err := s.file.Stat()
	if err != nil {
		return err
	}
	p := walkPages(s.file, info.Size())
	if p.err == bbolterrors.ErrInvalid {
		return p.err
	}
	s.found = p
	s.least.Store(int64(p.high * p.size))
	own, lists := p.buckets[string(ownBucket)], p.buckets[string(listBucket)]
	switch {
	case p.err != nil && !own && !lists:
		return fmt.Errorf("%w: %w", ErrNotStore, p.err)
	case p.err != nil:
		return p.err
	case !own || !lists:
		return fmt.Errorf("%w: a database of something else", ErrNotStore)
	}
	if err := checkVersion(p); err != nil {
		return err
	}
	if _, err := readCluster(p); err != nil {
		return err
	}
	return p.complete()
}

func checkVersion(r reader) error {
	v, err := r.own(versionKey)
	if err != nil || string(v) == version {
		return err
	}
	if n, err := strconv.ParseUint(string(v), 10, 64); err == nil && n > 1 {
		return fmt.Errorf("%w: form %d, this one knows %s", ErrNewer, n, version)
	}
	return fmt.Errorf("%w: form %q, want %s", ErrDamaged, v, version)
}

// complete compares the lists that are there with the index.
func (p *pages) complete() error {
	x, err := readIndex(p)
	if err != nil {
		return err
	}
	for _, epoch := range x.Epochs {
		if _, ok := p.lists[epoch]; !ok {
			return fmt.Errorf("%w: the list of epoch %d is gone", ErrDamaged, epoch)
		}
	}
	if len(p.lists) > len(x.Epochs) {
		return fmt.Errorf("%w: %d lists, %d in the index", ErrDamaged, len(p.lists), len(x.Epochs))
	}
	return nil
}
