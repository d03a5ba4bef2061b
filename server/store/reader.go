package store

import (
	"encoding/binary"
	"fmt"
	"slices"

	"go.etcd.io/bbolt"
)

// A reader reads the values of a store: in a transaction, or, where the file is
// damaged, from what a walk over its pages found. A value may be nil for none, and
// is gone with the transaction.
type reader interface {
	own(key []byte) ([]byte, error)
	list(epoch uint64) ([]byte, error)
	each(do func(epoch uint64, v []byte)) error
}

type txReader struct{ *bbolt.Tx }

func (r txReader) own(key []byte) ([]byte, error) { return r.Bucket(ownBucket).Get(key), nil }

func (r txReader) list(epoch uint64) ([]byte, error) {
	return r.Bucket(listBucket).Get(epochKey(epoch)), nil
}

func (r txReader) each(do func(epoch uint64, v []byte)) error {
	return r.Bucket(listBucket).ForEach(func(k, v []byte) error {
		if len(k) == 8 {
			do(binary.BigEndian.Uint64(k), v)
		}
		return nil
	})
}

func epochKey(epoch uint64) []byte { return binary.BigEndian.AppendUint64(nil, epoch) }

func (p *pages) value(at span, ok bool) ([]byte, error) {
	if !ok {
		return nil, nil
	}
	v := make([]byte, at.n) // no more than the file has
	_, err := p.r.ReadAt(v, at.at)
	return v, err
}

func (p *pages) own(key []byte) ([]byte, error) {
	at, ok := p.owns[string(key)]
	return p.value(at, ok)
}

func (p *pages) list(epoch uint64) ([]byte, error) {
	at, ok := p.lists[epoch]
	return p.value(at, ok)
}

func (p *pages) each(do func(epoch uint64, v []byte)) error {
	for epoch := range p.lists {
		v, err := p.list(epoch)
		if err != nil {
			return err
		}
		do(epoch, v)
	}
	return nil
}

// The index names the epochs that are held. A damaged page may leave out lists as
// if they had never been there; the index tells that they were.
type index struct {
	Epochs []uint64 `json:"epochs"` // ascending
}

func readIndex(r reader) (index, error) {
	var x index
	v, err := r.own(indexKey)
	if v == nil || err != nil {
		return x, err
	}
	if _, err := parseValue(v, &x); err != nil {
		return index{}, fmt.Errorf("%w: index of epochs: %w", ErrDamaged, err)
	}
	return x, nil
}

func addToIndex(tx *bbolt.Tx, epoch uint64) error {
	x, err := readIndex(txReader{tx})
	if err != nil {
		return err
	}
	i, found := slices.BinarySearch(x.Epochs, epoch)
	if found {
		return nil
	}
	x.Epochs = slices.Insert(x.Epochs, i, epoch)
	v, err := appendValue(nil, x, nil)
	if err != nil {
		return err
	}
	return tx.Bucket(ownBucket).Put(indexKey, v)
}

var errGone = fmt.Errorf("%w: the list that was there is gone", ErrDamaged)

// missing says whether a list that is not there should be.
func missing(r reader, epoch uint64) error {
	x, err := readIndex(r)
	if err != nil {
		return err
	}
	if slices.Contains(x.Epochs, epoch) {
		return errGone
	}
	if p, ok := r.(*pages); ok && p.err != nil && len(x.Epochs) == 0 {
		return p.err // the index may have been where nothing can be found
	}
	return ErrNone
}
