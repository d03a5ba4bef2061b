package store

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
)

// Meta says what is held of an epoch.
type Meta struct {
	Epoch      uint64          `json:"epoch"`
	Provenance list.Provenance `json:"provenance"`
	Entries    int             `json:"entries"`
	Content    schedule.Pubkey `json:"content"`    // SHA-256 of the entries and accounts: equal where the lists are
	PlainBytes int64           `json:"plainBytes"` // of the entries before compression
	StoredAt   time.Time       `json:"storedAt"`

	Bytes int   `json:"-"` // in the store
	Err   error `json:"-"` // why the list cannot be read; all but Epoch and Bytes is zero then
}

// A value is magic, length and CRC-32C of a head, the head in JSON, and a body: the
// zstd frame of the entries. The head of a list is its Meta, with Content as the
// hash of the body.
const (
	magic      = "sgv1"
	headOffset = len(magic) + 4 + 4
)

var (
	castagnoli = crc32.MakeTable(crc32.Castagnoli)
	errValue   = errors.New("value is not of the form that is written")
)

func appendValue(b []byte, head any, body []byte) ([]byte, error) {
	text, err := json.Marshal(head)
	if err != nil {
		return nil, err
	}
	b = append(b, magic...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(text)))
	b = binary.LittleEndian.AppendUint32(b, crc32.Checksum(text, castagnoli))
	b = append(b, text...)
	return append(b, body...), nil
}

// parseValue reads the head of a value and returns its body.
func parseValue(v []byte, head any) (body []byte, err error) {
	if len(v) < headOffset || string(v[:len(magic)]) != magic {
		return nil, errValue
	}
	n := uint64(binary.LittleEndian.Uint32(v[len(magic):]))
	sum := binary.LittleEndian.Uint32(v[len(magic)+4:])
	rest := v[headOffset:]
	if n > uint64(len(rest)) || crc32.Checksum(rest[:n], castagnoli) != sum {
		return nil, fmt.Errorf("%w: wrong checksum of its head", errValue)
	}
	if err := json.Unmarshal(rest[:n], head); err != nil {
		return nil, err
	}
	return rest[n:], nil
}

// Describe returns what a store would say of a list that is put into it at some
// time, without Bytes. The error is an ErrNoEpoch, or says what no store holds.
func Describe(l *list.List, now time.Time) (Meta, error) {
	meta, _, err := describeList(l, now)
	return meta, err
}

func describeList(l *list.List, now time.Time) (meta Meta, plain []byte, err error) {
	if l.Provenance.Epoch == nil {
		return Meta{}, nil, ErrNoEpoch
	}
	if err := checkEntries(l); err != nil {
		return Meta{}, nil, err
	}
	plain = appendEntries(nil, l)
	return Meta{
		Epoch: *l.Provenance.Epoch, Provenance: l.Provenance, Entries: len(l.Entries),
		Content: sha256.Sum256(plain), PlainBytes: int64(len(plain)), StoredAt: now.UTC(),
	}, plain, nil
}

// encode makes the value of a list.
func encode(l *list.List, now time.Time) (Meta, []byte, error) {
	meta, plain, err := describeList(l, now)
	if err != nil {
		return Meta{}, nil, err
	}
	w, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false))
	if err != nil {
		return Meta{}, nil, err
	}
	defer w.Close()
	value, err := appendValue(nil, meta, w.EncodeAll(plain, nil))
	meta.Bytes = len(value)
	return meta, value, err
}

// decodeMeta reads the head of an epoch's list.
func decodeMeta(epoch uint64, v []byte) (meta Meta, body []byte, err error) {
	if body, err = parseValue(v, &meta); err != nil {
		return Meta{}, nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if p := meta.Provenance.Epoch; meta.Epoch != epoch || p == nil || *p != epoch {
		return Meta{}, nil, fmt.Errorf("%w: the list there is that of epoch %d", ErrDamaged, meta.Epoch)
	}
	meta.Bytes = len(v)
	return meta, body, nil
}

// decode reads a whole list and checks it.
func decode(epoch uint64, v []byte) (*list.List, Meta, error) {
	meta, body, err := decodeMeta(epoch, v)
	if err != nil {
		return nil, Meta{}, err
	}
	const least = 1 << 20 // below, the decoder refuses what it wrote itself
	r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderMaxMemory(uint64(max(meta.PlainBytes, least))))
	if err != nil {
		return nil, Meta{}, err
	}
	defer r.Close()
	plain, err := r.DecodeAll(body, nil)
	if err != nil {
		return nil, Meta{}, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if sha256.Sum256(plain) != meta.Content {
		return nil, Meta{}, fmt.Errorf("%w: the list has another hash than when it was written", ErrDamaged)
	}
	l, err := parseEntries(plain)
	if err != nil {
		return nil, Meta{}, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	l.Provenance = meta.Provenance
	return l, meta, nil
}
