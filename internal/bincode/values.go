package bincode

import (
	"encoding/binary"
	"fmt"
	"math"
)

// U8 reads an unsigned integer of 1 byte.
func (r *Reader) U8(field string) uint8 {
	if b := r.take(1, field); b != nil {
		return b[0]
	}
	return 0
}

// U16 reads an unsigned integer of 2 bytes.
func (r *Reader) U16(field string) uint16 {
	if b := r.take(2, field); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

// U32 reads an unsigned integer of 4 bytes, as the tag of an enum is one.
func (r *Reader) U32(field string) uint32 {
	if b := r.take(4, field); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

// U64 reads an unsigned integer of 8 bytes.
func (r *Reader) U64(field string) uint64 {
	if b := r.take(8, field); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// I64 reads a signed integer of 8 bytes.
func (r *Reader) I64(field string) int64 { return int64(r.U64(field)) }

// F64 reads a floating-point number of 8 bytes.
func (r *Reader) F64(field string) float64 { return math.Float64frombits(r.U64(field)) }

// Bool reads a byte that is 0 or 1.
func (r *Reader) Bool(field string) bool { return r.zeroOrOne(field, "a bool") }

// Option reads the tag of an optional value and reports whether the value
// follows.
func (r *Reader) Option(field string) bool { return r.zeroOrOne(field, "an option") }

func (r *Reader) zeroOrOne(field, kind string) bool {
	b := r.U8(field)
	if b > 1 {
		r.Refuse(field, fmt.Errorf("%w: %d, %s is 0 or 1", ErrValue, b, kind))
		return false
	}
	return b == 1
}

// Bytes32 reads 32 bytes, as keys and hashes are.
func (r *Reader) Bytes32(field string) (v [32]byte) {
	copy(v[:], r.take(len(v), field))
	return v
}

// Len reads the number of elements that follow, each of which has at least size
// bytes; 0 counts as 1. A number of elements that cannot follow is ErrLength.
// Still, allocate by what is read, not by the result: it is a claim.
func (r *Reader) Len(size uint64, field string) uint64 {
	n := r.U64(field)
	if r.err != nil {
		return 0
	}
	size = max(size, 1)
	if room := max(r.limit-r.Offset(), 0); n > uint64(room)/size {
		r.Refuse(field, fmt.Errorf("%w: %d elements of at least %d bytes, %d bytes can follow", ErrLength, n, size, room))
		return 0
	}
	return n
}
