package flatparquet

import (
	"encoding/binary"

	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/format"
)

// Kind is what a column can be read as.
type Kind int

// The kinds of columns.
const (
	Other    Kind = iota // neither of the following
	Numbers              // whole numbers, signed or not, of up to 64 bits
	Texts                // strings of bytes
	FixedRaw             // bytes of a fixed length, Column.Size
)

// A Column of a file.
type Column struct {
	Name     string // of nested columns that of the innermost
	Kind     Kind
	Size     int // of FixedRaw, in bytes
	nullable bool
	small    bool // numbers of 32 bits
	unsigned bool
}

// A File is a Parquet file in memory.
type File struct {
	Columns []Column
	Rows    int // of all groups

	b    []byte
	most int // bytes of a page
	meta format.FileMetaData
}

const (
	magic = "PAR1"
	// maxFooter bounds the metadata at the end of a file. Each of their bytes may
	// stand for hundreds in memory.
	maxFooter = 1 << 20
	// A file may have this many rows, and bytes a page, and as many more as it has
	// bytes times a factor: what compresses well is not to be refused, and what a
	// small file can make a reader allocate is to be bounded.
	freeRows, freePage, perByte = 1 << 20, 16 << 20, 64
)

// Open reads the metadata of a file. It keeps b.
func Open(b []byte) (*File, error) {
	const tail = 8 // length of the metadata, magic
	if len(b) < len(magic)+tail || string(b[:len(magic)]) != magic {
		return nil, damaged("it does not begin with %s", magic)
	}
	if end := string(b[len(b)-len(magic):]); end != magic {
		return nil, damaged("it ends in %q, want %s: it may have been cut short", end, magic)
	}
	size := uint64(binary.LittleEndian.Uint32(b[len(b)-tail:]))
	if room := uint64(len(b) - len(magic) - tail); size > room {
		return nil, damaged("metadata of %d bytes, there are %d", size, room)
	}
	if size > maxFooter {
		return nil, unsupported("metadata of %d bytes, at most %d", size, maxFooter)
	}
	f := &File{b: b, most: min(max(freePage, perByte*min(len(b), 1<<24)), 1<<30)}
	footer := b[len(b)-tail-int(size) : len(b)-tail]
	n, err := decodeThrift(footer, &f.meta)
	if err != nil {
		return nil, err
	}
	if n != len(footer) || f.meta.EncryptionAlgorithm.Value != nil {
		return nil, unsupported("it is signed or encrypted")
	}
	if err := f.readSchema(); err != nil {
		return nil, err
	}
	return f, f.checkGroups()
}

// readSchema lists the columns of the schema, which is a tree in depth-first
// order.
func (f *File) readSchema() error {
	if len(f.meta.Schema) == 0 {
		return damaged("no schema")
	}
	left := []int32{1} // nodes to come, by level
	for _, node := range f.meta.Schema {
		for len(left) > 0 && left[len(left)-1] == 0 {
			left = left[:len(left)-1]
		}
		if len(left) == 0 {
			return damaged("a schema with two roots")
		}
		left[len(left)-1]--
		children := node.NumChildren.V
		switch {
		case children < 0 || len(left) > maxDepth:
			return damaged("a schema with a node of %d, %d deep", children, len(left))
		case children > 0 || len(left) == 1:
			left = append(left, children)
		default:
			column := newColumn(&node)
			if len(left) > 2 {
				column.Kind = Other
			}
			f.Columns = append(f.Columns, column)
		}
	}
	for _, n := range left {
		if n != 0 {
			return damaged("a schema that ends early")
		}
	}
	return nil
}

func newColumn(node *format.SchemaElement) Column {
	c := Column{Name: node.Name, nullable: node.RepetitionType.V == format.Optional}
	if !node.Type.Valid || node.RepetitionType.V == format.Repeated {
		return c
	}
	switch node.Type.V {
	case format.Int32, format.Int64:
		c.small = node.Type.V == format.Int32
		converted := node.ConvertedType
		whole := !converted.Valid || deprecated.Uint8 <= converted.V && converted.V <= deprecated.Int64
		c.unsigned = converted.Valid && deprecated.Uint8 <= converted.V && converted.V <= deprecated.Uint64
		switch logical := node.LogicalType.Value.(type) {
		case nil:
		case *format.IntType:
			whole, c.unsigned = true, !logical.IsSigned
		default:
			whole = false // a time, a decimal fraction
		}
		if whole {
			c.Kind = Numbers
		}
	case format.ByteArray:
		c.Kind = Texts
	case format.FixedLenByteArray:
		if size := node.TypeLength.V; size > 0 && size <= 1<<10 {
			c.Kind, c.Size = FixedRaw, int(size)
		}
	}
	return c
}

// checkGroups counts the rows.
func (f *File) checkGroups() error {
	most := int64(max(freeRows, perByte*min(len(f.b), 1<<22))) // up to 2^28
	rows := int64(0)
	for i := range f.meta.RowGroups {
		group := &f.meta.RowGroups[i]
		if len(group.Columns) != len(f.Columns) {
			return damaged("row group %d has %d columns, the schema %d", i, len(group.Columns), len(f.Columns))
		}
		if n := group.NumRows; n < 0 || n > most-rows {
			return sizeError("%d rows and more in %d bytes, at most %d", rows, len(f.b), most)
		}
		rows += group.NumRows
	}
	if rows != f.meta.NumRows {
		return damaged("%d rows, in row groups %d", f.meta.NumRows, rows)
	}
	f.Rows = int(rows)
	return nil
}

// Groups returns the number of row groups.
func (f *File) Groups() int { return len(f.meta.RowGroups) }

// Lookup returns a value of the file's metadata.
func (f *File) Lookup(key string) (string, bool) {
	for _, kv := range f.meta.KeyValueMetadata {
		if kv.Key == key {
			return kv.Value, true
		}
	}
	return "", false
}
