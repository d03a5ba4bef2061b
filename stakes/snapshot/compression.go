package snapshot

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/schedgen/schedgen/stakes/internal/compressed"
)

// byEnd are the ends of names after .tar.
var byEnd = map[string]compressed.Format{
	"": compressed.None, ".gz": compressed.Gzip, ".bz2": compressed.Bzip2, ".lz4": compressed.LZ4, ".zst": compressed.Zstd,
}

const (
	// headSize is how much of an archive tells what it is.
	headSize = tarMagicAt + len(tarMagic)
	tarMagic = "ustar"
	// tarMagicAt is where in the header of an archive's first member tarMagic is.
	tarMagicAt = 257
)

// isArchive recognises an archive by its first bytes.
func isArchive(head []byte) bool {
	return compressed.FormatOf(head) != compressed.None || len(head) >= headSize && string(head[tarMagicAt:headSize]) == tarMagic
}

// MaxWindow is the greatest window of zstd data, in bytes, as `zstd --long` makes
// it: the one length that memory is taken for because the archive claims it.
const MaxWindow = 128 << 20

// readSize is how much of an archive is read at once.
const readSize = 256 << 10

// decompress recognises what r is compressed with and returns its content. The
// result must be closed.
func decompress(r io.Reader) (io.ReadCloser, compressed.Format, error) {
	b := bufio.NewReaderSize(r, readSize)
	head, err := b.Peek(headSize)
	if err != nil && err != io.EOF {
		return nil, compressed.None, err
	}
	if !isArchive(head) {
		return nil, compressed.None, fmt.Errorf("%w: begins neither as zstd, lz4, gzip or bzip2 data nor as a tar archive", ErrFormat)
	}
	content, format, err := compressed.NewReader(b, MaxWindow)
	if err != nil {
		return nil, format, err
	}
	return windowReader{content}, format, nil
}

// windowReader has a window that is too large as an ErrLimit.
type windowReader struct{ io.ReadCloser }

func (w windowReader) Read(b []byte) (int, error) {
	n, err := w.ReadCloser.Read(b)
	if errors.Is(err, compressed.ErrWindow) {
		err = fmt.Errorf("%w: %w", ErrLimit, err)
	}
	return n, err
}
