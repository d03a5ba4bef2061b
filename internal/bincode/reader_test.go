package bincode

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
)

// zeros is a stream of n zero bytes that counts what is read of it.
type zeros struct{ left, read int64 }

func (z *zeros) Read(p []byte) (int, error) {
	n := min(int64(len(p)), z.left)
	if n == 0 {
		return 0, io.EOF
	}
	clear(p[:n])
	z.left -= n
	z.read += n
	return int(n), nil
}

func le(values ...any) []byte {
	var b []byte
	for _, v := range values {
		var err error
		if b, err = binary.Append(b, binary.LittleEndian, v); err != nil {
			panic(err)
		}
	}
	return b
}

func wantError(t *testing.T, r *Reader, offset int64, what string, is error, text string) {
	t.Helper()
	var e *Error
	if err := r.Err(); !errors.As(err, &e) {
		t.Fatalf("got %v, want an *Error", err)
	}
	if e.Offset != offset || e.What != what || !errors.Is(e, is) || !strings.Contains(e.Error(), text) {
		t.Errorf("got %q (offset %d, what %q), want offset %d, what %q, %v, %q", e, e.Offset, e.What, offset, what, is, text)
	}
	if r.Offset() != offset {
		t.Errorf("offset %d after the error, want %d", r.Offset(), offset)
	}
}

// Every value, whole and in single bytes from the stream.
func TestValues(t *testing.T) {
	key := [32]byte{1, 2, 3, 31: 9}
	data := le(uint8(0xfe), uint16(0xfedc), uint32(0xfedcba98), uint64(math.MaxUint64-1), int64(-5), 0.25,
		uint8(1), uint8(0), uint8(1), uint8(0), key, uint64(2), []byte("abcdef"))
	for name, src := range map[string]io.Reader{
		"whole":      bytes.NewReader(data),
		"one byte":   iotest.OneByteReader(bytes.NewReader(data)),
		"data + EOF": iotest.DataErrReader(bytes.NewReader(data)),
		"halves":     iotest.HalfReader(bytes.NewReader(data)),
	} {
		r := NewReader(src)
		if a, b, c, d := r.U8(""), r.U16(""), r.U32(""), r.U64(""); a != 0xfe || b != 0xfedc || c != 0xfedcba98 || d != math.MaxUint64-1 {
			t.Errorf("%s: unsigned %x %x %x %x", name, a, b, c, d)
		}
		if a, b := r.I64(""), r.F64(""); a != -5 || b != 0.25 {
			t.Errorf("%s: signed %d, float %v", name, a, b)
		}
		if a, b, c, d := r.Bool(""), r.Bool(""), r.Option(""), r.Option(""); !a || b || !c || d {
			t.Errorf("%s: bools %v %v, options %v %v", name, a, b, c, d)
		}
		if got := r.Bytes32(""); got != key {
			t.Errorf("%s: key %v", name, got)
		}
		if got := r.Len(3, ""); got != 2 {
			t.Errorf("%s: length %d", name, got)
		}
		dst := make([]byte, 2)
		r.Bytes(dst, "")
		r.Skip(1, "")
		if got := r.Append(dst, 2, ""); string(got) != "abde" {
			t.Errorf("%s: bytes %q", name, got)
		}
		if r.AtEOF() || r.Offset() != int64(len(data))-1 {
			t.Errorf("%s: at the end before byte %d, at %d", name, len(data), r.Offset())
		}
		r.SkipAll(1, 1, "")
		if !r.AtEOF() || r.Offset() != int64(len(data)) {
			t.Errorf("%s: not at the end at %d", name, r.Offset())
		}
		if r.End(); r.Err() != nil {
			t.Errorf("%s: %v", name, r.Err())
		}
	}
}

// reads are all that reads a value of n bytes.
var reads = map[string]struct {
	n    int
	read func(r *Reader)
}{
	"U8":      {1, func(r *Reader) { r.U8("f") }},
	"U16":     {2, func(r *Reader) { r.U16("f") }},
	"U32":     {4, func(r *Reader) { r.U32("f") }},
	"U64":     {8, func(r *Reader) { r.U64("f") }},
	"I64":     {8, func(r *Reader) { r.I64("f") }},
	"F64":     {8, func(r *Reader) { r.F64("f") }},
	"Bool":    {1, func(r *Reader) { r.Bool("f") }},
	"Option":  {1, func(r *Reader) { r.Option("f") }},
	"Bytes32": {32, func(r *Reader) { r.Bytes32("f") }},
	"Len":     {8, func(r *Reader) { r.Len(1, "f") }},
	"Bytes":   {300_000, func(r *Reader) { r.Bytes(make([]byte, 300_000), "f") }},
	"Append":  {300_000, func(r *Reader) { r.Append(nil, 300_000, "f") }},
	"Skip":    {300_000, func(r *Reader) { r.Skip(300_000, "f") }},
	"SkipAll": {300_000, func(r *Reader) { r.SkipAll(3000, 100, "f") }},
}

// A value that is cut off: at which byte it begins, and how much of it there is.
func TestTruncated(t *testing.T) {
	for name, c := range reads {
		for _, have := range []int{0, 1, c.n / 2, c.n - 1} {
			if have >= c.n {
				continue
			}
			r := NewReader(&zeros{left: int64(5 + have)})
			r.Skip(5, "before")
			r.Enter("part")
			r.EnterAt("rows", 7)
			c.read(r)
			t.Log(name, have)
			wantError(t, r, 5, "part.rows[7].f", ErrTruncated, "data ends early")
			if r.AtEOF() {
				t.Error("at the end after an error")
			}
		}
	}
}

// The first error stays, and nothing is read after it.
func TestErrorsAreSticky(t *testing.T) {
	for name, c := range reads {
		src := &zeros{left: 1 << 20}
		r := NewReader(src)
		r.U8("first")
		r.Refuse("first", io.ErrClosedPipe)
		before := src.read
		c.read(r)
		r.End()
		r.Refuse("second", io.ErrShortBuffer)
		wantError(t, r, 0, "first", io.ErrClosedPipe, "byte 0: first: io: read/write on closed pipe")
		if src.read != before {
			t.Errorf("%s reads on", name)
		}
	}
	r := NewReader(bytes.NewReader(le(uint8(3), uint64(0x0101010101010101))))
	r.Bool("b")
	if a, b, c := r.U64(""), r.Bytes32(""), r.Append(nil, 1, ""); a != 0 || b != [32]byte{} || c != nil {
		t.Errorf("got %d, %v, %v after an error", a, b, c)
	}
}

func TestStreamErrors(t *testing.T) {
	for name, c := range reads {
		r := NewReader(io.MultiReader(&zeros{left: 3}, iotest.ErrReader(io.ErrClosedPipe)))
		r.Skip(3, "before")
		c.read(r)
		t.Log(name)
		wantError(t, r, 3, "f", io.ErrClosedPipe, "byte 3: f: ")
	}
	r := NewReader(iotest.ErrReader(io.ErrClosedPipe))
	if r.AtEOF() {
		t.Error("a stream that fails is at its end")
	}
	wantError(t, r, 0, "", io.ErrClosedPipe, "")

	for name, c := range reads {
		r = NewReader(silent{})
		c.read(r)
		t.Log(name)
		wantError(t, r, 0, "f", io.ErrNoProgress, "")
	}
}

// silent is a stream that never says anything.
type silent struct{}

func (silent) Read([]byte) (int, error) { return 0, nil }

func TestImpossibleValues(t *testing.T) {
	r := NewReader(bytes.NewReader([]byte{0, 2}))
	r.Bool("a")
	r.Bool("b")
	wantError(t, r, 1, "b", ErrValue, "byte 1: b: impossible value: 2, a bool is 0 or 1")
	r = NewReader(bytes.NewReader([]byte{255}))
	r.Option("a")
	wantError(t, r, 0, "a", ErrValue, "255, an option is 0 or 1")
	r = NewReader(bytes.NewReader([]byte{1, 2}))
	r.U8("a")
	r.End()
	wantError(t, r, 1, "", ErrTrailing, "byte 1: data goes on after its end")
}

func TestImpossibleLengths(t *testing.T) {
	for _, c := range []struct {
		n, size uint64
		limit   int64 // 0: not known
		bad     bool
	}{
		{n: 0, size: 100},
		{n: math.MaxInt64/100 - 1, size: 100},
		{n: math.MaxInt64/100 + 1, size: 100, bad: true},
		{n: math.MaxUint64, size: 1, bad: true},
		{n: math.MaxUint64, size: 0, bad: true},
		{n: 1 << 63, size: 2, bad: true},
		{n: 10, size: 9, limit: 98},
		{n: 10, size: 9, limit: 97, bad: true},
		{n: 1, size: 1, limit: 3, bad: true},
		{n: 0, size: 1, limit: 3},
	} {
		r := NewReader(bytes.NewReader(le(c.n)))
		if c.limit != 0 {
			r.SetSize(c.limit)
		}
		got := r.Len(c.size, "rows")
		if c.bad {
			wantError(t, r, 0, "rows", ErrLength, "impossible length")
			continue
		}
		if got != c.n || r.Err() != nil {
			t.Errorf("%+v: got %d, %v", c, got, r.Err())
		}
	}
	for _, c := range [][2]uint64{{math.MaxUint64, 1}, {1 << 33, 1 << 31}, {1 << 32, 1 << 32}, {math.MaxInt64, 1}} {
		src := &zeros{left: 1 << 20}
		r := NewReader(src)
		r.U8("")
		before := src.read
		r.SkipAll(c[0], c[1], "rows")
		wantError(t, r, 1, "rows", ErrLength, "impossible length")
		if src.read != before {
			t.Errorf("%v: reads before it refuses", c)
		}
	}
	r := NewReader(&zeros{left: 1 << 20})
	r.SkipAll(math.MaxUint64, 0, "nothing")
	if r.Err() != nil || r.Offset() != 0 {
		t.Errorf("skipping nothing: %v at %d", r.Err(), r.Offset())
	}
}

// A length that lies makes nothing big, and ends with the data.
func TestLyingLengths(t *testing.T) {
	const there = 100_000
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, n := range []uint64{1 << 33, 1 << 62, math.MaxInt64, math.MaxUint64} {
		r := NewReader(&zeros{left: there})
		if got := r.Append(nil, n, "data"); got != nil {
			t.Errorf("got %d bytes", len(got))
		}
		wantError(t, r, 0, "data", ErrTruncated, "100000 of ")
		r = NewReader(&zeros{left: there})
		r.Skip(min(n, math.MaxInt64), "data")
		wantError(t, r, 0, "data", ErrTruncated, "100000 of ")
	}
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 8<<20 {
		t.Errorf("%d bytes allocated for 8 streams of %d bytes", got, there)
	}
}

// What is longer than the buffer, at every place relative to its end.
func TestAcrossTheBuffer(t *testing.T) {
	data := make([]byte, 3*bufferSize)
	for i := range data {
		data[i] = byte(i * 7 >> 3)
	}
	for _, skip := range []int{0, 1, bufferSize - 9, bufferSize - 1, bufferSize, bufferSize + 1} {
		for _, n := range []int{0, 1, 8, bufferSize - 1, bufferSize, bufferSize + 1, bufferSize + bufferSize/2} {
			r := NewReader(bytes.NewReader(data))
			r.Skip(uint64(skip), "")
			first := r.U8("")
			got := make([]byte, n)
			r.Bytes(got, "")
			next := r.U64("")
			at := skip + 1 + n
			if first != data[skip] || !bytes.Equal(got, data[skip+1:at]) ||
				next != binary.LittleEndian.Uint64(data[at:]) || r.Offset() != int64(at)+8 {
				t.Errorf("skip %d, %d bytes: wrong bytes, or offset %d; %v", skip, n, r.Offset(), r.Err())
			}
			r.Skip(uint64(len(data)-at-8), "")
			if !r.AtEOF() {
				t.Errorf("skip %d, %d bytes: not at the end; %v", skip, n, r.Err())
			}
		}
	}
}

func TestPath(t *testing.T) {
	r := NewReader(bytes.NewReader(nil))
	r.Leave() // one too many is harmless
	r.Enter("bank")
	r.EnterAt("", 3)
	r.Enter("delegation")
	r.Leave()
	r.U8("stake")
	wantError(t, r, 0, "bank[3].stake", ErrTruncated, "byte 0: bank[3].stake: data ends early: 0 of 1 bytes")
}

func TestNoAllocations(t *testing.T) {
	r := NewReader(&zeros{left: math.MaxInt64})
	r.Enter("rows")
	if got := testing.AllocsPerRun(1000, func() {
		r.EnterAt("row", 1)
		_, _, _ = r.Bytes32("key"), r.U64("stake"), r.Option("node")
		r.SkipAll(5, 96, "rest")
		r.Leave()
	}); got != 0 {
		t.Errorf("%v allocations a row", got)
	}
}
