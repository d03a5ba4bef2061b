package schedulefile

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"io"
	"strconv"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/schedulefile/internal/flatparquet"
)

// maxParquet bounds a Parquet file, which is held in memory: that of an epoch has
// under 1 MB.
const maxParquet = 256 << 20

func readParquet(r *bufio.Reader) (*Observed, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxParquet+1))
	if err != nil {
		return nil, err
	}
	if len(b) > maxParquet {
		return nil, fmt.Errorf("%w: a Parquet file of more than %d bytes", ErrSpan, maxParquet)
	}
	f, err := flatparquet.Open(b)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	names := make([]string, len(f.Columns))
	for i, c := range f.Columns {
		if c.Kind != flatparquet.Other { // a nested column is not the one that its name says
			names[i] = c.Name
		}
	}
	at, err := findColumns(names)
	if err != nil {
		return nil, err
	}
	t := newTable(at)
	for group := range f.Groups() {
		if err := t.parquetGroup(f, group); err != nil {
			return nil, err
		}
	}
	o := t.finish()
	o.Format = FormatParquet
	return ownMetadata(f, o)
}

// parquetGroup adds the rows of a row group.
func (t *table) parquetGroup(f *flatparquet.File, group int) error {
	numbers := func(column int) ([]uint64, error) {
		if column < 0 {
			return nil, nil
		}
		v, err := f.Numbers(group, column)
		return v, columnError(f, column, err)
	}
	keys := func(column int) ([]uint32, error) {
		if column < 0 {
			return nil, nil
		}
		v, err := f.Texts(group, column, t.parquetKey(f.Columns[column]))
		return v, columnError(f, column, err)
	}
	slots, err := numbers(t.at.slot)
	if err != nil {
		return err
	}
	indices, err := numbers(t.at.index)
	if err != nil {
		return err
	}
	leaders, err := keys(t.at.leader)
	if err != nil {
		return err
	}
	votes, err := keys(t.at.vote)
	if err != nil {
		return err
	}
	for row, leader := range leaders {
		slot, index, vote := uint64(0), uint64(0), uint32(None)
		if slots != nil {
			slot = slots[row]
		}
		if indices != nil {
			index = indices[row]
		}
		if votes != nil {
			vote = votes[row]
		}
		if err := t.add(slot, index, leader, vote); err != nil {
			return fmt.Errorf("row %d: %w", t.rows, err)
		}
	}
	return nil
}

// parquetKey returns what gives the numbers of keys in a column: base58 texts, or
// 32 bytes.
func (t *table) parquetKey(c flatparquet.Column) func([]byte) (uint32, error) {
	return func(value []byte) (uint32, error) {
		var raw schedule.Pubkey
		if c.Kind == flatparquet.FixedRaw && c.Size == len(raw) {
			copy(raw[:], value)
			return t.b.number(raw), nil
		}
		return t.b.leader(value)
	}
}

func columnError(f *flatparquet.File, column int, err error) error {
	if err == nil {
		return nil
	}
	return &Error{Path: "column " + f.Columns[column].Name, Err: fmt.Errorf("%w: %w", ErrFormat, err)}
}

// ownMetadata adds to o what WriteParquet puts into the metadata of a file, which
// may be an old one's after somebody changed the rows.
func ownMetadata(f *flatparquet.File, o *Observed) (*Observed, error) {
	number := func(key string) (*uint64, error) {
		text, ok := f.Lookup(key)
		if !ok {
			return nil, nil
		}
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%w: metadata %s is %s, want a number", ErrFormat, key, quote(text))
		}
		return &n, nil
	}
	var err error
	if o.Epoch, err = number(MetaEpoch); err != nil {
		return nil, err
	}
	first, err := number(MetaFirstSlot)
	if err != nil {
		return nil, err
	}
	slots, err := number(MetaSlots)
	if err != nil {
		return nil, err
	}
	if first == nil || slots == nil {
		return o, nil
	}
	if err := checkSpan(*slots, uint64(f.Rows)); err != nil {
		return nil, fmt.Errorf("metadata %s: %w", MetaSlots, err)
	}
	source := o.Source
	if o, err = o.Place(schedule.Slot(*first), *slots); err != nil {
		return nil, fmt.Errorf("metadata: %w", err)
	}
	o.Source = source
	return o, checkDigest(f, o)
}

// checkDigest compares the leaders, if all are there, with the digest that the
// file names.
func checkDigest(f *flatparquet.File, o *Observed) error {
	want, ok := f.Lookup(MetaDigest)
	if !ok {
		return nil
	}
	got, ok := o.Digest()
	if ok && want != hex.EncodeToString(got[:]) {
		return fmt.Errorf("%w: %x, its metadata say %s", ErrDigest, got, quote(want))
	}
	return nil
}
