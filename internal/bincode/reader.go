package bincode

import (
	"fmt"
	"io"
	"math"
)

const (
	// bufferSize is what is asked of the stream at once: long enough that
	// skipping goes as fast as the stream, short enough for the second cache.
	bufferSize = 256 << 10
	// maxEmptyReads is how often in a row a stream may give nothing.
	maxEmptyReads = 100
)

// A Reader reads values from a stream, which it buffers: it may take more from
// the stream than was asked of it. Every method that reads takes the name of the
// field for errors; names are constants and cost nothing.
//
// After the first error, which Err returns, every method does nothing and
// returns zero. Nothing is allocated by a length that the data claims.
type Reader struct {
	src        io.Reader
	srcErr     error // what the stream gave after its last byte
	buf        []byte
	start, end int   // of what is buffered and not read yet; equal after an error
	base       int64 // offset of buf[0]
	last       int64 // offset of the value read last
	limit      int64 // offset of the data's end, or the greatest there is
	frames     []frame
	err        error
}

// NewReader returns a reader of a stream's data, whose first byte has offset 0.
func NewReader(src io.Reader) *Reader {
	return &Reader{src: src, buf: make([]byte, bufferSize), limit: math.MaxInt64}
}

// SetSize says how many bytes there are from offset 0 on. Lengths are refused by
// it as soon as they are read; without it, only once the data ends.
func (r *Reader) SetSize(size int64) { r.limit = size }

// Offset returns the offset of the next byte; after an error, that of the value
// with the error.
func (r *Reader) Offset() int64 {
	if e, ok := r.err.(*Error); ok {
		return e.Offset
	}
	return r.base + int64(r.start)
}

// Err returns the first error, an [*Error], or nil.
func (r *Reader) Err() error { return r.err }

// Enter begins a part with a name; errors up to Leave are about its fields.
func (r *Reader) Enter(name string) { r.frames = append(r.frames, frame{name: name}) }

// EnterAt begins element i of several; name may be "" inside a part that is
// nothing but the elements.
func (r *Reader) EnterAt(name string, i uint64) {
	r.frames = append(r.frames, frame{name: name, index: i, isOne: true})
}

// Leave ends the part begun last.
func (r *Reader) Leave() { r.frames = r.frames[:max(len(r.frames)-1, 0)] }

// Refuse makes err the reader's error, about the value read last: for values
// that the format allows and the field does not.
func (r *Reader) Refuse(field string, err error) { r.RefuseAt(r.last, field, err) }

// RefuseAt makes err the reader's error, about a value at an offset.
func (r *Reader) RefuseAt(offset int64, field string, err error) {
	if r.err != nil {
		return
	}
	r.err = &Error{Offset: offset, What: path(r.frames, field), Err: err}
	r.start, r.end = 0, 0
}

// fill reads from the stream until n bytes are buffered, n at most bufferSize;
// false when the stream ends or fails before.
func (r *Reader) fill(n int) bool {
	if r.end-r.start >= n {
		return true
	}
	if r.start > 0 {
		r.base += int64(r.start)
		r.end = copy(r.buf, r.buf[r.start:r.end])
		r.start = 0
	}
	for r.end < n && r.srcErr == nil {
		r.end += r.pull(r.buf[r.end:])
	}
	return r.end >= n
}

// pull reads some bytes from the stream, past the buffer; none at its end.
func (r *Reader) pull(dst []byte) int {
	for range maxEmptyReads {
		n, err := r.src.Read(dst)
		r.srcErr = err
		if n > 0 || err != nil {
			return n
		}
	}
	r.srcErr = io.ErrNoProgress
	return 0
}

// short makes the reader's error that a value of want bytes at an offset is cut
// off after have bytes.
func (r *Reader) short(offset int64, field string, have, want uint64) {
	if r.srcErr == io.EOF {
		r.RefuseAt(offset, field, fmt.Errorf("%w: %d of %d bytes", ErrTruncated, have, want))
		return
	}
	r.RefuseAt(offset, field, r.srcErr)
}

// take returns the next n bytes, which the next read overwrites; nil after an
// error. n is at most bufferSize.
func (r *Reader) take(n int, field string) []byte {
	if r.end-r.start < n && !r.refill(n, field) {
		return nil
	}
	b := r.buf[r.start : r.start+n : r.start+n]
	r.last = r.base + int64(r.start)
	r.start += n
	return b
}

// refill is the part of take that is seldom needed.
func (r *Reader) refill(n int, field string) bool {
	if r.err != nil {
		return false
	}
	if r.fill(n) {
		return true
	}
	r.short(r.Offset(), field, uint64(r.end-r.start), uint64(n))
	return false
}

// AtEOF reports whether the data ends here. It does not after an error, also
// when the stream fails at this very place.
func (r *Reader) AtEOF() bool {
	if r.err != nil || r.fill(1) {
		return false
	}
	if r.srcErr != io.EOF {
		r.RefuseAt(r.Offset(), "", r.srcErr)
		return false
	}
	return true
}

// End makes it an error, ErrTrailing, that the data does not end here.
func (r *Reader) End() {
	if !r.AtEOF() {
		r.RefuseAt(r.Offset(), "", ErrTrailing)
	}
}
