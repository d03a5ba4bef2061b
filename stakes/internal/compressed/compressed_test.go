package compressed

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/hex"
	"errors"
	"io"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

const plain = "what is in the archive"

// packed is plain in every format.
func packed(t testing.TB) map[Format][]byte {
	t.Helper()
	pack := func(open func(io.Writer) (io.WriteCloser, error)) []byte {
		var b bytes.Buffer
		w, err := open(&b)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, plain); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	bz, err := hex.DecodeString("425a68393141592653598015ac7200000a918040002a611d802000221a006840d0341f3722f471aea49240763e2ee48a70a121002b58e4") // which nothing here can write
	if err != nil {
		t.Fatal(err)
	}
	return map[Format][]byte{
		None:  []byte(plain),
		Gzip:  pack(func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil }),
		Bzip2: bz,
		LZ4:   pack(func(w io.Writer) (io.WriteCloser, error) { return lz4.NewWriter(w), nil }),
		Zstd:  pack(func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) }),
	}
}

func TestNewReader(t *testing.T) {
	for format, data := range packed(t) {
		r, got, err := NewReader(bufio.NewReader(iotest.OneByteReader(bytes.NewReader(data))), 8<<20)
		if err != nil || got != format {
			t.Errorf("%v: got %v, %v", format, got, err)
			continue
		}
		if content, err := io.ReadAll(r); err != nil || string(content) != plain {
			t.Errorf("%v: got %q, %v", format, content, err)
		}
		if err := r.Close(); err != nil {
			t.Errorf("%v: %v", format, err)
		}
		if format == None {
			continue
		}
		r, _, err = NewReader(bufio.NewReader(bytes.NewReader(data[:len(data)/2])), 8<<20)
		if err == nil {
			_, err = io.ReadAll(r)
		}
		if !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%v, cut: got %v", format, err)
		}
	}
}

func TestWindow(t *testing.T) {
	// A frame that claims a window of 16 MiB, with an empty last block.
	frame := []byte{0x28, 0xb5, 0x2f, 0xfd, 0, 14 << 3, 1, 0, 0}
	for window, want := range map[uint64]error{8 << 20: ErrWindow, 16 << 20: nil} {
		r, _, err := NewReader(bufio.NewReader(bytes.NewReader(frame)), window)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadAll(r); !errors.Is(err, want) {
			t.Errorf("window %d: got %v, want %v", window, err, want)
		}
		r.Close()
	}
}

func TestErrorOfTheSource(t *testing.T) {
	if _, _, err := NewReader(bufio.NewReader(iotest.ErrReader(io.ErrClosedPipe)), 8<<20); err != io.ErrClosedPipe {
		t.Errorf("got %v", err)
	}
}

// FuzzNewReader: any data is unpacked or refused.
func FuzzNewReader(f *testing.F) {
	for _, data := range packed(f) {
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, format, err := NewReader(bufio.NewReader(bytes.NewReader(data)), 8<<20)
		if format != FormatOf(data) {
			t.Fatalf("%v, by its head %v", format, FormatOf(data))
		}
		if err != nil {
			return
		}
		defer r.Close()
		io.Copy(io.Discard, io.LimitReader(r, 1<<20))
	})
}
