package rankfile

import (
	"crypto/sha256"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/schedgen/schedgen/schedule"
)

// A Writer writes a rank file, front to back. A file is complete once Close has
// returned nil. After an error of the io.Writer every call returns that error.
//
// Memory: one block, 48 bytes an epoch, and about 100 bytes a stake list.
type Writer struct {
	w      io.Writer
	offset uint64
	err    error
	buf    []byte

	epochs []byte // rows of the epoch table
	last   uint64 // epoch of the last row
	lists  []byte // rows of the list table

	// Lists of the same content are written once.
	numbers map[listID]uint32
	current *schedule.Stakes // list of the last schedule,
	number  uint32           // and its number
}

type listID struct {
	digest [32]byte
	keying schedule.Keying
}

// NewWriter returns a Writer to w, which gets a block at a time and needs no
// buffer of its own.
func NewWriter(w io.Writer) *Writer {
	return &Writer{w: w, numbers: map[listID]uint32{}}
}

// Write appends a schedule, and its stake list where the file does not have that
// yet. It keeps nothing of the schedule. ErrOrder, with nothing written, when
// its epoch is not after all epochs before; ErrRepeat likewise.
func (w *Writer) Write(s *schedule.Schedule) error {
	if w.err != nil {
		return w.err
	}
	if w.epochs != nil && s.Epoch() <= w.last {
		return fmt.Errorf("rankfile: %w: %d after %d", ErrOrder, s.Epoch(), w.last)
	}
	if s.Stakes() == nil {
		return fmt.Errorf("rankfile: %w: the schedule is empty", schedule.ErrNoStake)
	}
	if uint64(s.Repeat()) > math.MaxUint32 {
		return fmt.Errorf("rankfile: epoch %d: %w, not %d", s.Epoch(), ErrRepeat, s.Repeat())
	}
	w.list(s.Stakes())
	w.buf = s.AppendRanks(w.begin())
	row := Epoch{
		Epoch: s.Epoch(), FirstSlot: s.FirstSlot(), Slots: s.Slots(), Repeat: uint32(s.Repeat()), List: w.number,
		offset: w.offset, checksum: checksum(w.buf),
	}
	w.flush()
	w.epochs, w.last = row.append(w.epochs), s.Epoch()
	return w.err
}

// list makes w.number that of a stake list.
func (w *Writer) list(st *schedule.Stakes) {
	if st == w.current {
		return
	}
	w.buf = appendList(w.begin(), st)
	id := listID{sha256.Sum256(w.buf), st.Keying()}
	number, known := w.numbers[id]
	if !known {
		number = uint32(len(w.numbers))
		w.numbers[id] = number
		row := listRow{
			offset: w.offset, entries: uint32(st.Len()), keying: uint32(st.Keying()), total: st.Total(), digest: id.digest,
		}
		w.lists = row.append(w.lists)
		w.flush()
	}
	w.current, w.number = st, number
}

// appendList appends a list block.
func appendList(b []byte, st *schedule.Stakes) []byte {
	b = slices.Grow(b, entrySize*st.Len())
	for _, e := range st.All() {
		b = append(b, e.Key[:]...)
		b = append(b, e.Node[:]...)
		b = order.AppendUint64(b, e.Stake)
	}
	return b
}

// begin returns an empty buffer for a block, after the header where that is not
// written yet.
func (w *Writer) begin() []byte {
	if w.offset == 0 {
		w.buf = append(w.buf[:0], magic...)
		w.buf = order.AppendUint32(w.buf, version)
		w.buf = order.AppendUint32(w.buf, 0)
		w.flush()
	}
	return w.buf[:0]
}

// flush writes w.buf and what fills it up.
func (w *Writer) flush() {
	for len(w.buf)%alignment != 0 {
		w.buf = append(w.buf, 0)
	}
	if w.err == nil {
		_, w.err = w.w.Write(w.buf)
	}
	w.offset += uint64(len(w.buf))
}

// Close writes the tables and the trailer. It does not close the io.Writer.
func (w *Writer) Close() error {
	if w.err != nil {
		return w.err
	}
	w.begin()
	t := trailer{
		lists: w.offset, epochs: w.offset + uint64(len(w.lists)),
		epochCount: uint64(len(w.epochs) / epochSize), listCount: uint32(len(w.numbers)),
	}
	for _, w.buf = range [][]byte{w.lists, w.epochs, t.append(nil)} {
		w.flush()
	}
	if w.err != nil {
		return w.err
	}
	w.err = fmt.Errorf("rankfile: %w", ErrClosed)
	return nil
}
