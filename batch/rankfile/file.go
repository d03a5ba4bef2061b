package rankfile

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"os"
	"sync"

	"github.com/schedgen/schedgen/schedule"
)

// A File is a rank file open for reading. It holds 100 bytes and the stake list
// it was last asked for, and may be used from many goroutines.
type File struct {
	r      io.ReaderAt
	size   uint64
	closer io.Closer
	tables trailer

	mu      sync.Mutex
	current *schedule.Stakes // a list, kept because epochs mostly share one,
	number  uint32           // and its number
}

// Open opens the rank file of that name, which Close closes.
func Open(name string) (*File, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("rankfile: %w", err)
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("rankfile: %w", err)
	}
	file, err := NewFile(f, info.Size())
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	file.closer = f
	return file, nil
}

// NewFile reads a rank file of size bytes from r. It reads the ends of the file
// only; the rest is checked when it is asked for. The error is an ErrFormat, or
// one of r.
func NewFile(r io.ReaderAt, size int64) (*File, error) {
	f := &File{r: r, size: uint64(max(size, 0))}
	if f.size < headerSize+trailerSize {
		return nil, wrong(0, "%d bytes, a rank file has at least %d", f.size, headerSize+trailerSize)
	}
	head, err := f.read(0, headerSize)
	if err != nil {
		return nil, err
	}
	if err := checkMagic(0, head[:8]); err != nil {
		return nil, err
	}
	if v := order.Uint32(head[8:]); v != version {
		return nil, wrong(8, "version %d, this program reads %d", v, version)
	}
	if err := f.readTrailer(); err != nil {
		return nil, err
	}
	return f, nil
}

func checkMagic(offset uint64, b []byte) error {
	if string(b) != magic {
		return wrong(offset, "%q, want %q", b, magic)
	}
	return nil
}

func (f *File) readTrailer() error {
	start := f.size - trailerSize
	b, err := f.read(start, trailerSize)
	if err != nil {
		return err
	}
	if err := checkMagic(start+40, b[40:]); err != nil {
		return fmt.Errorf("%w (the file may have been cut short)", err)
	}
	t, ok := parseTrailer(b)
	if !ok {
		return wrong(start+36, "wrong checksum of the trailer")
	}
	// Both tables fit, and numbers stay far from overflow.
	if t.epochCount > f.size/epochSize || t.lists > f.size || t.lists < headerSize ||
		t.epochs != t.lists+listSize*uint64(t.listCount) || t.epochs+epochSize*t.epochCount != start {
		return wrong(start, "tables of %d lists at %d and of %d epochs at %d do not end at the trailer",
			t.listCount, t.lists, t.epochCount, t.epochs)
	}
	f.tables = t
	return nil
}

// read returns n bytes at offset, up to partSize.
func (f *File) read(offset, n uint64) (b []byte, err error) {
	err = f.readParts(offset, n, func(part []byte) error {
		b = part // the only one
		return nil
	})
	return b, err
}

// partSize is how many bytes are read at a time: whole list entries, and whole
// ranks.
const partSize = entrySize << 14

// readParts reads n bytes at offset and calls each with one part after another,
// of partSize bytes but for the last. A part is valid until each returns. What
// takes memory for a part when it is there takes none for what a file merely
// says that it has.
func (f *File) readParts(offset, n uint64, each func(part []byte) error) error {
	if offset > f.size || n > f.size-offset || n > math.MaxInt {
		return wrong(offset, "%d bytes go past the end, at %d", n, f.size)
	}
	b := make([]byte, min(n, partSize))
	for ; n > 0; n -= uint64(len(b)) {
		b = b[:min(n, partSize)]
		got, err := f.r.ReadAt(b, int64(offset))
		switch {
		case got == len(b):
		case err == nil || errors.Is(err, io.EOF):
			return wrong(offset+uint64(got), "the file ends, its size was given as %d", f.size)
		default:
			return fmt.Errorf("rankfile: at byte %d: %w", offset, err)
		}
		if err := each(b); err != nil {
			return err
		}
		offset += uint64(len(b))
	}
	return nil
}

// Close closes the file that Open opened.
func (f *File) Close() error {
	if f.closer == nil {
		return nil
	}
	return f.closer.Close()
}

// Len returns the number of epochs.
func (f *File) Len() uint64 { return f.tables.epochCount }

// Lists returns the number of stake lists.
func (f *File) Lists() uint32 { return f.tables.listCount }

// epoch returns row i of the epoch table.
func (f *File) epoch(i uint64) (Epoch, error) {
	offset := f.tables.epochs + i*epochSize
	b, err := f.read(offset, epochSize)
	if err != nil {
		return Epoch{}, err
	}
	e, ok := parseEpoch(b)
	if !ok {
		return Epoch{}, wrong(offset+44, "wrong checksum of row %d of the epoch table", i)
	}
	return e, nil
}

// Epochs yields the epochs of the file, ascending, or an error, after which it
// ends.
func (f *File) Epochs() iter.Seq2[Epoch, error] {
	return func(yield func(Epoch, error) bool) {
		for i := range f.Len() {
			e, err := f.epoch(i)
			if !yield(e, err) || err != nil {
				return
			}
		}
	}
}

// Find returns what the file says about an epoch, after about log2(Len()) reads
// of 48 bytes; a *schedule.UnknownEpochError when it does not have it.
func (f *File) Find(epoch uint64) (Epoch, error) {
	low, high := uint64(0), f.Len()
	for low < high {
		middle := low + (high-low)/2
		e, err := f.epoch(middle)
		switch {
		case err != nil:
			return Epoch{}, err
		case e.Epoch == epoch:
			return e, nil
		case e.Epoch < epoch:
			low = middle + 1
		default:
			high = middle
		}
	}
	return Epoch{}, fmt.Errorf("rankfile: %w", &schedule.UnknownEpochError{Epoch: epoch})
}
