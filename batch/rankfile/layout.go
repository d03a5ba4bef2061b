package rankfile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/schedgen/schedgen/schedule"
)

const (
	magic   = "SGRANKS\n"
	version = 1

	headerSize  = 16
	entrySize   = 72
	listSize    = 64 // of a row of the list table
	epochSize   = 48 // of a row of the epoch table
	trailerSize = 48
	alignment   = 8
)

var (
	// ErrFormat says that a file is not what this package describes: of another
	// kind or version, cut short, or changed. The value is a *FormatError.
	ErrFormat = errors.New("not a valid rank file")
	// ErrOrder says that epochs were not written in ascending order.
	ErrOrder = errors.New("epochs must ascend")
	// ErrClosed says that a Writer was closed before.
	ErrClosed = errors.New("rank file is closed")
	// ErrRepeat says that rotations are longer than a rank file can say.
	ErrRepeat = errors.New("a rank file holds rotations of at most 4294967295 slots")
)

// FormatError says where a file is wrong. It matches ErrFormat.
type FormatError struct {
	Offset uint64 // of what is wrong, in bytes
	What   string
}

func (e *FormatError) Error() string {
	return fmt.Sprintf("rankfile: %v: at byte %d: %s", ErrFormat, e.Offset, e.What)
}

// Is reports whether target is ErrFormat.
func (e *FormatError) Is(target error) bool { return target == ErrFormat }

func wrong(offset uint64, format string, args ...any) error {
	return &FormatError{Offset: offset, What: fmt.Sprintf(format, args...)}
}

var (
	order      = binary.LittleEndian
	castagnoli = crc32.MakeTable(crc32.Castagnoli)
)

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// appendChecksum appends the checksum of b[start:].
func appendChecksum(b []byte, start int) []byte {
	return order.AppendUint32(b, checksum(b[start:]))
}

// A listRow is a row of the list table.
type listRow struct {
	offset  uint64
	entries uint32
	keying  uint32
	total   uint64
	digest  [32]byte
}

func (l listRow) append(b []byte) []byte {
	start := len(b)
	b = order.AppendUint64(b, l.offset)
	b = order.AppendUint32(b, l.entries)
	b = order.AppendUint32(b, l.keying)
	b = order.AppendUint64(b, l.total)
	b = append(b, l.digest[:]...)
	b = order.AppendUint32(b, 0)
	return appendChecksum(b, start)
}

func parseListRow(b []byte) (l listRow, ok bool) {
	l.offset, l.entries, l.keying = order.Uint64(b), order.Uint32(b[8:]), order.Uint32(b[12:])
	l.total = order.Uint64(b[16:])
	copy(l.digest[:], b[24:])
	return l, order.Uint32(b[60:]) == checksum(b[:60])
}

// Epoch describes an epoch of a file.
type Epoch struct {
	Epoch     uint64
	FirstSlot schedule.Slot // absolute
	Slots     uint64
	Repeat    uint32 // slots of a rotation
	List      uint32 // number of its stake list in the file

	offset   uint64
	checksum uint32
}

func (e Epoch) append(b []byte) []byte {
	start := len(b)
	b = order.AppendUint64(b, e.Epoch)
	b = order.AppendUint64(b, uint64(e.FirstSlot))
	b = order.AppendUint64(b, e.Slots)
	b = order.AppendUint64(b, e.offset)
	b = order.AppendUint32(b, e.Repeat)
	b = order.AppendUint32(b, e.List)
	b = order.AppendUint32(b, e.checksum)
	return appendChecksum(b, start)
}

func parseEpoch(b []byte) (e Epoch, ok bool) {
	e.Epoch, e.FirstSlot, e.Slots = order.Uint64(b), schedule.Slot(order.Uint64(b[8:])), order.Uint64(b[16:])
	e.offset, e.Repeat, e.List = order.Uint64(b[24:]), order.Uint32(b[32:]), order.Uint32(b[36:])
	e.checksum = order.Uint32(b[40:])
	return e, order.Uint32(b[44:]) == checksum(b[:44])
}

// A trailer says where the tables are.
type trailer struct {
	lists, epochs uint64 // offsets of the tables
	epochCount    uint64
	listCount     uint32
}

func (t trailer) append(b []byte) []byte {
	start := len(b)
	b = order.AppendUint64(b, t.lists)
	b = order.AppendUint64(b, t.epochs)
	b = order.AppendUint64(b, t.epochCount)
	b = order.AppendUint32(b, t.listCount)
	b = order.AppendUint32(b, version)
	b = order.AppendUint32(b, 0)
	b = appendChecksum(b, start)
	return append(b, magic...)
}

func parseTrailer(b []byte) (t trailer, ok bool) {
	t.lists, t.epochs, t.epochCount = order.Uint64(b), order.Uint64(b[8:]), order.Uint64(b[16:])
	t.listCount = order.Uint32(b[24:])
	return t, order.Uint32(b[36:]) == checksum(b[:36])
}
