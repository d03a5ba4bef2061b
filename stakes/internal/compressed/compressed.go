package compressed

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// A Format is what data is compressed with.
type Format int

const (
	None Format = iota
	Gzip
	Bzip2
	LZ4
	Zstd
)

// String returns its name.
func (f Format) String() string {
	return [...]string{"no compression", "gzip", "bzip2", "lz4", "zstd"}[f]
}

// magics are what compressed data begins with.
var magics = []struct {
	magic  string
	format Format
}{
	{"\x28\xb5\x2f\xfd", Zstd},
	{"\x04\x22\x4d\x18", LZ4},
	{"\x02\x21\x4c\x18", LZ4}, // of its first releases
	{"\x1f\x8b", Gzip},
	{"BZh", Bzip2},
}

// magicSize is the length of the longest of them.
const magicSize = 4

// FormatOf recognises a format by the first bytes; None if it is none of them.
func FormatOf(head []byte) Format {
	for _, m := range magics {
		if bytes.HasPrefix(head, []byte(m.magic)) {
			return m.format
		}
	}
	return None
}

// ErrWindow: a window greater than the caller allows.
var ErrWindow = errors.New("a zstd window")

// NewReader returns what r holds unpacked; data in none of the formats is taken
// as it is. It must be closed, which leaves r open. window is the greatest that
// zstd data may have, in bytes: the one length that memory is taken for because
// the data claims it.
//
// It unpacks in this goroutine: with others, handing the data over costs more than
// doing two things at once gains, and they read on after what is asked for.
func NewReader(r *bufio.Reader, window uint64) (io.ReadCloser, Format, error) {
	head, err := r.Peek(magicSize)
	if err != nil && err != io.EOF {
		return nil, None, err
	}
	format := FormatOf(head)
	switch format {
	case Zstd:
		d, err := zstd.NewReader(r, zstd.WithDecoderMaxWindow(window), zstd.WithDecoderConcurrency(1))
		if err != nil {
			return nil, format, err
		}
		return zstdReader{d, window}, format, nil
	case LZ4:
		return io.NopCloser(lz4.NewReader(r)), format, nil
	case Gzip:
		z, err := gzip.NewReader(r)
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		if err != nil {
			return nil, format, err
		}
		return z, format, nil
	case Bzip2:
		return io.NopCloser(bzip2.NewReader(r)), format, nil
	}
	return io.NopCloser(r), format, nil
}

// zstdReader says what is wrong with a window in our terms.
type zstdReader struct {
	*zstd.Decoder
	window uint64
}

func (z zstdReader) Close() error {
	z.Decoder.Close()
	return nil
}

func (z zstdReader) Read(b []byte) (int, error) {
	n, err := z.Decoder.Read(b)
	if errors.Is(err, zstd.ErrWindowSizeExceeded) || errors.Is(err, zstd.ErrDecoderSizeExceeded) {
		err = fmt.Errorf("%w of over %d MiB", ErrWindow, z.window>>20)
	}
	return n, err
}
