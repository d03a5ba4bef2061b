package flatparquet

import (
	"encoding/binary"

	"github.com/parquet-go/parquet-go/encoding/thrift"
)

// decodeThrift decodes the structure that b begins with, in thrift's compact
// protocol, and returns its length.
func decodeThrift(b []byte, v any) (int, error) {
	w := walker{b: b}
	if err := w.structure(0); err != nil {
		return 0, err
	}
	n := len(b) - len(w.b)
	if err := thrift.Unmarshal(&protocol, b[:n], v); err != nil {
		return 0, damaged("%v", err)
	}
	return n, nil
}

var protocol thrift.CompactProtocol

// A walker passes over a structure and checks that all of it is there: the
// library makes room for a list as soon as it has read its length.
type walker struct{ b []byte }

// maxDepth is more than the depth of any structure of the file format.
const maxDepth = 24

func (w *walker) structure(depth int) error {
	if depth > maxDepth {
		return damaged("metadata nested over %d deep", maxDepth)
	}
	for {
		header, err := w.byte()
		if err != nil || header == 0 {
			return err
		}
		if header>>4 == 0 { // the field's number is not a difference
			if _, err := w.varint(); err != nil {
				return err
			}
		}
		if kind := header & 15; kind == kindTrue || kind == kindFalse {
			continue // a field of this kind has no other value
		} else if err := w.value(kind, depth); err != nil {
			return err
		}
	}
}

// Kinds of values in thrift's compact protocol.
const (
	kindTrue = iota + 1
	kindFalse
	kindByte
	kindInt16
	kindInt32
	kindInt64
	kindDouble
	kindBytes
	kindList
	kindSet
	kindMap
	kindStruct
)

func (w *walker) value(kind byte, depth int) error {
	switch kind {
	case kindTrue, kindFalse, kindByte:
		return w.skip(1)
	case kindInt16, kindInt32, kindInt64:
		_, err := w.varint()
		return err
	case kindDouble:
		return w.skip(8)
	case kindBytes:
		n, err := w.varint()
		if err != nil {
			return err
		}
		return w.skip(n)
	case kindList, kindSet:
		return w.list(depth)
	case kindStruct:
		return w.structure(depth + 1)
	}
	return damaged("metadata with a value of kind %d", kind) // no maps in the file format
}

func (w *walker) list(depth int) error {
	header, err := w.byte()
	if err != nil {
		return err
	}
	n := uint64(header >> 4)
	if n == 15 {
		if n, err = w.varint(); err != nil {
			return err
		}
	}
	if n > uint64(len(w.b)) { // each takes a byte at least
		return damaged("a list of %d in %d bytes of metadata", n, len(w.b))
	}
	if depth > maxDepth {
		return damaged("metadata nested over %d deep", maxDepth)
	}
	for range n {
		if err := w.value(header&15, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (w *walker) byte() (byte, error) {
	if len(w.b) == 0 {
		return 0, damaged("metadata end early")
	}
	b := w.b[0]
	w.b = w.b[1:]
	return b, nil
}

func (w *walker) varint() (uint64, error) {
	v, rest, err := uvarint(w.b)
	w.b = rest
	return v, err
}

func (w *walker) skip(n uint64) error {
	if n > uint64(len(w.b)) {
		return damaged("metadata end early")
	}
	w.b = w.b[n:]
	return nil
}

// uvarint reads an unsigned number of variable length and returns what follows.
func uvarint(b []byte) (v uint64, rest []byte, err error) {
	v, n := binary.Uvarint(b)
	if n <= 0 {
		return 0, nil, damaged("a number is cut short, or too long")
	}
	return v, b[n:], nil
}

// zigzag is uvarint for numbers that may be negative.
func zigzag(b []byte) (int64, []byte, error) {
	u, rest, err := uvarint(b)
	return int64(u>>1) ^ -int64(u&1), rest, err
}
