package snapshottest

import (
	"bufio"
	"encoding/binary"
	"io"
	"math"

	"github.com/schedgen/schedgen/internal/splitmix"
	"github.com/schedgen/schedgen/schedule"
)

// A Kind is what a [Mark] is at.
type Kind string

const (
	Length Kind = "length" // 8 bytes: how many elements follow
	Option Kind = "option" // 1 byte, 0 or 1
	Bool   Kind = "bool"   // 1 byte, 0 or 1
	Enum   Kind = "enum"   // 4 bytes
)

// A Mark says where in a manifest there is a value that rules what follows.
type Mark struct {
	Offset int64
	Kind   Kind
	Field  string
}

// encoder writes bincode.
type encoder struct {
	w     *bufio.Writer
	n     int64
	marks []Mark
	fill  splitmix.Source
	err   error
}

func newEncoder(w io.Writer, seed uint64) *encoder {
	return &encoder{w: bufio.NewWriterSize(w, 1<<16), fill: splitmix.Source(seed)}
}

func (e *encoder) write(b []byte) {
	if e.err == nil {
		_, e.err = e.w.Write(b)
	}
	e.n += int64(len(b))
}

func (e *encoder) mark(kind Kind, field string) {
	e.marks = append(e.marks, Mark{Offset: e.n, Kind: kind, Field: field})
}

func (e *encoder) u8(v uint8) { e.write([]byte{v}) }
func (e *encoder) u16(v uint16) {
	e.write(binary.LittleEndian.AppendUint16(make([]byte, 0, 2), v))
}
func (e *encoder) u32(v uint32) {
	e.write(binary.LittleEndian.AppendUint32(make([]byte, 0, 4), v))
}
func (e *encoder) u64(v uint64) {
	e.write(binary.LittleEndian.AppendUint64(make([]byte, 0, 8), v))
}
func (e *encoder) i64(v int64)           { e.u64(uint64(v)) }
func (e *encoder) f64(v float64)         { e.u64(math.Float64bits(v)) }
func (e *encoder) key(k schedule.Pubkey) { e.write(k[:]) }

func (e *encoder) length(n int, field string) {
	e.mark(Length, field)
	e.u64(uint64(n))
}

func (e *encoder) bool(v bool, field string) { e.flag(v, Bool, field) }

// option writes the tag of an optional value and returns whether it follows.
func (e *encoder) option(is bool, field string) bool {
	e.flag(is, Option, field)
	return is
}

func (e *encoder) flag(v bool, kind Kind, field string) {
	e.mark(kind, field)
	if v {
		e.u8(1)
	} else {
		e.u8(0)
	}
}

func (e *encoder) optionKey(k *schedule.Pubkey, field string) {
	if e.option(k != nil, field) {
		e.key(*k)
	}
}

func (e *encoder) zeros(n int) { e.write(make([]byte, n)) }

// filler writes n made-up bytes that no compression makes shorter.
func (e *encoder) filler(n int) {
	for ; n >= 32; n -= 32 {
		k := e.fill.Key()
		e.write(k[:])
	}
	k := e.fill.Key()
	e.write(k[:n])
}

// fillers writes a list of n made-up elements.
func (e *encoder) fillers(n, size int, field string) {
	e.length(n, field)
	for range n {
		e.filler(size)
	}
}

func (e *encoder) flush() error {
	if e.err == nil {
		e.err = e.w.Flush()
	}
	return e.err
}
