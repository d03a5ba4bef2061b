package bincode

import (
	"bytes"
	"errors"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"
)

// A reader gives what a slice of the same bytes gives, whatever is read and
// however the stream is cut.
func TestReaderIsASlice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		data := bytes.Repeat(rapid.SliceOfN(rapid.Byte(), 1, 50).Draw(t, "data"), rapid.IntRange(1, 20_000).Draw(t, "times"))
		src := iotest.HalfReader(bytes.NewReader(data))
		if rapid.Bool().Draw(t, "last bytes with EOF") {
			src = iotest.DataErrReader(bytes.NewReader(data))
		}
		r := NewReader(src)
		for at := 0; r.Err() == nil && !r.AtEOF(); {
			n := rapid.OneOf(rapid.IntRange(0, 40), rapid.IntRange(0, 2*bufferSize)).Draw(t, "n")
			var got []byte
			switch rapid.IntRange(0, 3).Draw(t, "kind") {
			case 0:
				got = make([]byte, n)
				r.Bytes(got, "bytes")
			case 1:
				got = r.Append(nil, uint64(n), "append")
			case 2:
				r.SkipAll(uint64(n), 2, "skip")
				n *= 2
			default:
				key := r.Bytes32("key")
				got, n = key[:], len(key)
			}
			if (r.Err() == nil) != (at+n <= len(data)) {
				t.Fatalf("%d bytes at %d of %d: %v", n, at, len(data), r.Err())
			}
			if r.Err() != nil {
				return
			}
			if got != nil && !bytes.Equal(got, data[at:at+n]) {
				t.Fatalf("%d bytes at %d are wrong", n, at)
			}
			if at += n; r.Offset() != int64(at) {
				t.Fatalf("offset %d, want %d", r.Offset(), at)
			}
		}
	})
}

// Any program of reads on any data ends, with a located error or at its end.
func FuzzReader(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, bytes.Repeat([]byte{1, 0, 0, 0, 0, 0, 0, 0}, 40))
	f.Add([]byte{9, 9, 9}, bytes.Repeat([]byte{255}, 40))
	f.Add([]byte{7}, []byte{2})
	f.Fuzz(func(t *testing.T, program, data []byte) {
		r := NewReader(bytes.NewReader(data))
		at := int64(0)
		for i, op := range program {
			r.EnterAt("op", uint64(i))
			n := r.U64("argument")
			switch op % 8 {
			case 0:
				r.Skip(n, "skip")
			case 1:
				r.SkipAll(n, n, "skip all")
			case 2:
				r.Append(nil, n, "append")
			case 3:
				r.Len(n, "length")
			case 4:
				r.Bool("bool")
			case 5:
				r.Option("option")
			case 6:
				r.Bytes32("key")
			case 7:
				r.Bytes(make([]byte, n%1000), "bytes")
			}
			r.Leave()
			if got := r.Offset(); r.Err() == nil && got < at || got > int64(len(data)) {
				t.Fatalf("offset %d after %d, of %d bytes", got, at, len(data))
			} else {
				at = got
			}
		}
		r.End()
		var located *Error
		if r.Err() == nil && r.Offset() != int64(len(data)) || r.Err() != nil && !errors.As(r.Err(), &located) {
			t.Fatalf("%v at %d of %d bytes", r.Err(), r.Offset(), len(data))
		}
	})
}

func BenchmarkSkip(b *testing.B) {
	const size = 96 * 1_300_000
	b.SetBytes(size)
	for b.Loop() {
		r := NewReader(&zeros{left: size})
		if r.SkipAll(1_300_000, 96, ""); r.Err() != nil {
			b.Fatal(r.Err())
		}
	}
}

func BenchmarkU64(b *testing.B) {
	const size = 1 << 20
	data := make([]byte, size)
	b.SetBytes(size)
	for b.Loop() {
		r := NewReader(bytes.NewReader(data))
		for range size / 8 {
			r.U64("value")
		}
		if r.Err() != nil {
			b.Fatal(r.Err())
		}
	}
}

// BenchmarkDelegations reads rows field by field.
func BenchmarkDelegations(b *testing.B) {
	const rows = 10_000
	data := make([]byte, 96*rows)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		r := NewReader(bytes.NewReader(data))
		for i := range uint64(rows) {
			r.EnterAt("delegations", i)
			r.Skip(32, "key")
			_, _, _, _ = r.Bytes32("voter"), r.U64("stake"), r.U64("activation"), r.U64("deactivation")
			r.Skip(8, "rate")
			r.Leave()
		}
		if r.Err() != nil {
			b.Fatal(r.Err())
		}
	}
}
