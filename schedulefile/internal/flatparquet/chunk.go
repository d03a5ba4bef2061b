package flatparquet

import (
	"fmt"
	"hash/crc32"

	"github.com/parquet-go/parquet-go/format"
)

// A codec says how the values of a column are encoded. Of what is nil the column
// has no such encoding.
type codec[T any] struct {
	plain        func(b []byte) (v T, rest []byte, err error)
	delta        func(b []byte, n int) ([]T, error) // DELTA_BINARY_PACKED
	deltaLengths func(b []byte, n int) ([]T, error) // DELTA_LENGTH_BYTE_ARRAY
	deltaTexts   func(b []byte, n int) ([]T, error) // DELTA_BYTE_ARRAY
	null         T
	noNull       bool // null is no value
}

// A chunk is the part of a column that is in a row group.
type chunk[T any] struct {
	f      *File
	column Column
	codec  codec[T]
	method format.CompressionCodec
	dict   []T
	values []T
}

func readChunk[T any](f *File, group, column int, cd codec[T]) ([]T, error) {
	rows := int(f.meta.RowGroups[group].NumRows)
	meta := &f.meta.RowGroups[group].Columns[column]
	b, err := f.chunkBytes(meta)
	if err != nil {
		return nil, err
	}
	c := &chunk[T]{f: f, column: f.Columns[column], codec: cd, method: meta.MetaData.Codec}
	for len(c.values) < rows {
		if len(b) == 0 {
			return nil, damaged("%d rows of %d in row group %d", len(c.values), rows, group)
		}
		var header format.PageHeader
		n, err := decodeThrift(b, &header)
		if err != nil {
			return nil, err
		}
		b = b[n:]
		size := header.CompressedPageSize
		if size < 0 || int64(size) > int64(len(b)) {
			return nil, damaged("a page of %d bytes in %d", size, len(b))
		}
		if header.UncompressedPageSize < 0 || int64(header.UncompressedPageSize) > int64(f.most) {
			return nil, sizeError("a page of %d bytes, at most %d", header.UncompressedPageSize, f.most)
		}
		page := b[:size]
		b = b[size:]
		if want := uint32(header.CRC); want != 0 && crc32.ChecksumIEEE(page) != want { // 0: there is none
			return nil, damaged("wrong checksum of a page")
		}
		if err := c.page(&header, page, rows-len(c.values)); err != nil {
			return nil, err
		}
	}
	return c.values, nil
}

func sizeError(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrSize, fmt.Sprintf(format, args...))
}

// chunkBytes returns the pages of a chunk.
func (f *File) chunkBytes(c *format.ColumnChunk) ([]byte, error) {
	meta := &c.MetaData
	if c.FilePath != "" || c.CryptoMetadata.Value != nil {
		return nil, unsupported("a column is encrypted, or in another file")
	}
	start, size := meta.DataPageOffset, meta.TotalCompressedSize
	if dict := meta.DictionaryPageOffset; dict > 0 {
		start = min(start, dict)
	}
	if start < 0 || size < 0 || start > int64(len(f.b)) || size > int64(len(f.b))-start {
		return nil, damaged("a column of %d bytes at %d, in %d", size, start, len(f.b))
	}
	return f.b[start : start+size], nil
}

// page reads a page; at most so many rows are left.
func (c *chunk[T]) page(header *format.PageHeader, b []byte, rows int) error {
	size := int(header.UncompressedPageSize)
	switch header.Type {
	case format.DictionaryPage:
		b, err := c.f.decompress(c.method, b, size)
		if err != nil {
			return err
		}
		return c.dictionary(header.DictionaryPageHeader.V, b)
	case format.DataPage:
		b, err := c.f.decompress(c.method, b, size)
		if err != nil {
			return err
		}
		h := header.DataPageHeader.V
		return c.dataPage(b, int(h.NumValues), rows, h)
	case format.DataPageV2:
		return c.dataPageV2(&header.DataPageHeaderV2.V, b, size, rows)
	case format.IndexPage:
		return nil
	}
	return unsupported("a page of type %d", header.Type)
}

func (c *chunk[T]) dictionary(h format.DictionaryPageHeader, b []byte) error {
	if c.dict != nil {
		return damaged("two dictionaries")
	}
	if h.NumValues < 0 || int64(h.NumValues) > int64(len(b)) { // each takes a byte at least
		return damaged("a dictionary of %d values in %d bytes", h.NumValues, len(b))
	}
	var err error
	c.dict, err = c.plain(b, int(h.NumValues))
	return err
}

// plain reads n values, one after another.
func (c *chunk[T]) plain(b []byte, n int) ([]T, error) {
	values := make([]T, 0, min(n, len(b)))
	for range n {
		var v T
		var err error
		if v, b, err = c.codec.plain(b); err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	return values, nil
}

func checkCount(n, rows int) error {
	if n < 0 || n > rows {
		return damaged("a page of %d values, %d rows are left", n, rows)
	}
	return nil
}

// dataPage reads a page of version 1: levels that say which rows are null, behind
// their length, then values.
func (c *chunk[T]) dataPage(b []byte, n, rows int, h format.DataPageHeader) error {
	if err := checkCount(n, rows); err != nil {
		return err
	}
	if !c.column.nullable {
		return c.data(b, n, nil, h.Encoding)
	}
	if h.DefinitionLevelEncoding != format.RLE {
		return unsupported("levels in encoding %v", h.DefinitionLevelEncoding)
	}
	if len(b) < 4 {
		return damaged("a page ends early")
	}
	size := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24
	if b = b[4:]; size > uint64(len(b)) {
		return damaged("levels of %d bytes in %d", size, len(b))
	}
	levels, err := runs(b[:size], 1, n)
	if err != nil {
		return err
	}
	return c.data(b[size:], n, levels, h.Encoding)
}

// dataPageV2 reads a page of version 2: levels, which are not compressed, then
// values, which may be.
func (c *chunk[T]) dataPageV2(h *format.DataPageHeaderV2, b []byte, size, rows int) error {
	n := int(h.NumValues)
	if err := checkCount(n, rows); err != nil {
		return err
	}
	levelBytes := h.DefinitionLevelsByteLength
	if h.RepetitionLevelsByteLength != 0 {
		return unsupported("a page with repetition levels")
	}
	if levelBytes < 0 || int64(levelBytes) > int64(len(b)) || int(levelBytes) > size {
		return damaged("levels of %d bytes in %d", levelBytes, len(b))
	}
	var levels []uint32
	var err error
	if c.column.nullable {
		if levels, err = runs(b[:levelBytes], 1, n); err != nil {
			return err
		}
	}
	b, size = b[levelBytes:], size-int(levelBytes)
	method := c.method
	if h.IsCompressed.Valid && !h.IsCompressed.V {
		method = format.Uncompressed
	}
	if b, err = c.f.decompress(method, b, size); err != nil {
		return err
	}
	return c.data(b, n, levels, h.Encoding)
}

// data reads n values, of which those with level 0 are null and not there.
func (c *chunk[T]) data(b []byte, n int, levels []uint32, encoding format.Encoding) error {
	there := n
	for _, level := range levels {
		if level == 0 {
			there--
		}
	}
	if there < n && c.codec.noNull {
		return fmt.Errorf("%w: a null, want a number in every row", ErrValue)
	}
	values, err := c.decode(b, there, encoding)
	if err != nil {
		return err
	}
	if there == n {
		c.values = append(c.values, values...)
		return nil
	}
	for _, level := range levels {
		if level == 0 {
			c.values = append(c.values, c.codec.null)
			continue
		}
		c.values = append(c.values, values[0])
		values = values[1:]
	}
	return nil
}

// plainDictionary is what older writers call RLEDictionary.
const plainDictionary format.Encoding = 2

func (c *chunk[T]) decode(b []byte, n int, encoding format.Encoding) ([]T, error) {
	switch {
	case n == 0:
		return nil, nil
	case encoding == format.Plain:
		return c.plain(b, n)
	case encoding == plainDictionary, encoding == format.RLEDictionary:
		return c.fromDictionary(b, n)
	case encoding == format.DeltaBinaryPacked && c.codec.delta != nil:
		return c.codec.delta(b, n)
	case encoding == format.DeltaLengthByteArray && c.codec.deltaLengths != nil:
		return c.codec.deltaLengths(b, n)
	case encoding == format.DeltaByteArray && c.codec.deltaTexts != nil:
		return c.codec.deltaTexts(b, n)
	}
	return nil, unsupported("values in encoding %v", encoding)
}

// fromDictionary reads positions in the dictionary, behind their width.
func (c *chunk[T]) fromDictionary(b []byte, n int) ([]T, error) {
	if len(b) == 0 || b[0] > 32 {
		return nil, damaged("positions in a dictionary without their width")
	}
	positions, err := runs(b[1:], uint(b[0]), n)
	if err != nil {
		return nil, err
	}
	values := make([]T, n)
	for i, p := range positions {
		if uint64(p) >= uint64(len(c.dict)) {
			return nil, damaged("position %d in a dictionary of %d", p, len(c.dict))
		}
		values[i] = c.dict[p]
	}
	return values, nil
}
