package bincode

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// appendStep is by how much Append extends its buffer ahead of the data.
const appendStep = 64 << 10

// Bytes fills dst, which is left undefined after an error.
func (r *Reader) Bytes(dst []byte, field string) {
	if r.err != nil {
		return
	}
	r.last = r.Offset()
	r.read(dst, r.last, field, uint64(len(dst)), 0)
}

// read fills dst with bytes of a value at an offset, of whose want bytes done
// are read already.
func (r *Reader) read(dst []byte, offset int64, field string, want, done uint64) bool {
	n := 0
	for {
		got := copy(dst[n:], r.buf[r.start:r.end])
		r.start += got
		if n += got; n == len(dst) {
			return true
		}
		if len(dst)-n >= len(r.buf) && r.srcErr == nil {
			got = r.pull(dst[n:]) // the buffer is empty, and would only be in the way
			r.base += int64(got)
			n += got
		} else if !r.fill(1) {
			r.short(offset, field, done+uint64(n), want)
			return false
		}
	}
}

// Append reads n bytes and returns dst with them at its end; nil after an error.
// Memory grows with what is read, whatever n is.
func (r *Reader) Append(dst []byte, n uint64, field string) []byte {
	if r.err != nil {
		return nil
	}
	r.last = r.Offset()
	for done := uint64(0); done < n; {
		step := min(n-done, appendStep)
		dst = slices.Grow(dst, int(step))
		rest := dst[len(dst) : len(dst)+int(step)]
		if !r.read(rest, r.last, field, n, done) {
			return nil
		}
		dst = dst[:len(dst)+int(step)]
		done += step
	}
	return dst
}

// Skip passes over n bytes.
func (r *Reader) Skip(n uint64, field string) { r.SkipAll(n, 1, field) }

// SkipAll passes over n elements of size bytes each.
func (r *Reader) SkipAll(n, size uint64, field string) {
	if r.err != nil {
		return
	}
	r.last = r.Offset()
	hi, total := bits.Mul64(n, size)
	if hi != 0 || total > uint64(math.MaxInt64-r.last) {
		r.Refuse(field, fmt.Errorf("%w: %d elements of %d bytes", ErrLength, n, size))
		return
	}
	for left := total; ; {
		here := min(left, uint64(r.end-r.start))
		r.start += int(here)
		if left -= here; left == 0 {
			return
		}
		if !r.fill(1) {
			r.short(r.last, field, total-left, total)
			return
		}
	}
}
