package flatparquet

import (
	"bytes"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"
)

// decompress returns the bytes of a page, which must be size of them.
func (f *File) decompress(method format.CompressionCodec, b []byte, size int) ([]byte, error) {
	out, err := b, error(nil)
	switch method {
	case format.Uncompressed:
	case format.Snappy:
		var n int
		if n, err = snappy.DecodedLen(b); err == nil && n != size {
			return nil, sizeMismatch(size, n)
		}
		if err == nil {
			out, err = snappy.Decode(nil, b)
		}
	case format.Gzip:
		out, err = gunzip(b, size)
	case format.Zstd:
		out, err = unzstd(b, f.most)
	case format.Lz4Raw:
		out = make([]byte, size)
		var n int
		n, err = lz4.UncompressBlock(b, out)
		out = out[:max(n, 0)]
	default:
		return nil, unsupported("pages compressed with %v", method)
	}
	if err != nil {
		return nil, damaged("%v", err)
	}
	if len(out) != size {
		return nil, sizeMismatch(size, len(out))
	}
	return out, nil
}

func sizeMismatch(want, got int) error {
	return damaged("a page that is said to have %d bytes has %d", want, got)
}

func gunzip(b []byte, size int) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(r, int64(size)+1))
}

// unzstd returns at most so many bytes; no page has more.
func unzstd(b []byte, most int) ([]byte, error) {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(uint64(most)))
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.DecodeAll(b, nil)
}
