package snapshot

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

// A compression is what an archive is compressed with.
type compression int

const (
	plainTar compression = iota
	gzipped
	bzipped
	lz4ed
	zstded
)

// String returns its name.
func (c compression) String() string {
	return [...]string{"no compression", "gzip", "bzip2", "lz4", "zstd"}[c]
}

// byEnd are the ends of names after .tar.
var byEnd = map[string]compression{"": plainTar, ".gz": gzipped, ".bz2": bzipped, ".lz4": lz4ed, ".zst": zstded}

const (
	// headSize is how much of an archive tells what it is.
	headSize = tarMagicAt + len(tarMagic)
	tarMagic = "ustar"
	// tarMagicAt is where in the header of an archive's first member tarMagic is.
	tarMagicAt = 257
)

// magics are what compressed data begins with.
var magics = []struct {
	magic string
	compression
}{
	{"\x28\xb5\x2f\xfd", zstded},
	{"\x04\x22\x4d\x18", lz4ed},
	{"\x02\x21\x4c\x18", lz4ed}, // of its first releases
	{"\x1f\x8b", gzipped},
	{"BZh", bzipped},
}

// compressionOf recognises an archive by its first bytes.
func compressionOf(head []byte) (compression, bool) {
	for _, m := range magics {
		if bytes.HasPrefix(head, []byte(m.magic)) {
			return m.compression, true
		}
	}
	return plainTar, isTar(head)
}

func isTar(head []byte) bool {
	return len(head) >= headSize && string(head[tarMagicAt:headSize]) == tarMagic
}

// MaxWindow is the greatest window of zstd data, in bytes, as `zstd --long` makes
// it: the one length that memory is taken for because the archive claims it.
const MaxWindow = 128 << 20

// readSize is how much of an archive is read at once.
const readSize = 256 << 10

// decompress recognises what r is compressed with and returns its content. The
// result must be closed.
func decompress(r io.Reader) (io.ReadCloser, compression, error) {
	b := bufio.NewReaderSize(r, readSize)
	head, err := b.Peek(headSize)
	if err != nil && err != io.EOF {
		return nil, 0, err
	}
	c, ok := compressionOf(head)
	if !ok {
		return nil, 0, fmt.Errorf("%w: begins neither as zstd, lz4, gzip or bzip2 data nor as a tar archive", ErrFormat)
	}
	switch c {
	case zstded:
		// In this goroutine: with others, handing the data over costs more than
		// doing two things at once gains, and they read on after the manifest.
		d, err := zstd.NewReader(b, zstd.WithDecoderMaxWindow(MaxWindow), zstd.WithDecoderConcurrency(1))
		if err != nil {
			return nil, 0, err
		}
		return zstdReader{d}, c, nil
	case lz4ed:
		return io.NopCloser(lz4.NewReader(b)), c, nil
	case gzipped:
		z, err := gzip.NewReader(b)
		return z, c, ended(err)
	case bzipped:
		return io.NopCloser(bzip2.NewReader(b)), c, nil
	}
	return io.NopCloser(b), c, nil
}

// zstdReader says what is wrong with a window in our terms.
type zstdReader struct{ *zstd.Decoder }

func (z zstdReader) Close() error {
	z.Decoder.Close()
	return nil
}

func (z zstdReader) Read(b []byte) (int, error) {
	n, err := z.Decoder.Read(b)
	if errors.Is(err, zstd.ErrWindowSizeExceeded) || errors.Is(err, zstd.ErrDecoderSizeExceeded) {
		err = fmt.Errorf("%w: a zstd window of over %d MiB", ErrLimit, MaxWindow>>20)
	}
	return n, err
}
