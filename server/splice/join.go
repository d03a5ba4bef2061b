package splice

import (
	"errors"
	"fmt"
	"io"
)

// A Part is a piece of a text: a [Literal] or a [*Block].
type Part interface{ isPart() }

// Literal is text as it is. It is not compressed, only wrapped, so it should be
// short.
type Literal string

func (Literal) isPart() {}
func (*Block) isPart()  {}

// ErrEncoding says that a block has another encoding than the text it is to be
// part of.
var ErrEncoding = errors.New("block of another content coding")

// A Text is one whole stream of a content coding. It never changes and may be
// written many times.
type Text struct {
	pieces [][]byte
	own    []byte // the piece being put together; its bytes before from are in pieces
	from   int
	length int64
	plain  int64
}

// Join makes the stream whose text is that of the parts, in order. It shares the
// bytes of blocks and copies literals. The error is an [ErrEncoding].
//
// Zstd with more than one block is a sequence of frames, one a block: valid, but a
// client that stops after the first frame would miss the rest. Gzip is one member
// always.
func Join(enc Encoding, parts ...Part) (*Text, error) {
	for _, part := range parts {
		if b, ok := part.(*Block); ok && (b == nil || b.enc != enc) {
			return nil, encodingError(b, enc)
		}
	}
	t := new(Text)
	switch enc {
	case Identity:
		for _, part := range parts {
			switch part := part.(type) {
			case Literal:
				t.own = append(t.own, part...)
				t.plain += int64(len(part))
			case *Block:
				t.share(part)
			}
		}
	case Gzip:
		t.gzip(parts)
	case Zstd:
		t.zstd(parts)
	default:
		return nil, fmt.Errorf("unknown content coding %v, want one of %v", enc, Encodings())
	}
	t.cut()
	return t, nil
}

func encodingError(b *Block, want Encoding) error {
	if b == nil {
		return fmt.Errorf("%w: no block, want %v", ErrEncoding, want)
	}
	return fmt.Errorf("%w: %v, want %v", ErrEncoding, b.enc, want)
}

// cut ends the piece being put together.
func (t *Text) cut() {
	if piece := t.own[t.from:]; len(piece) > 0 {
		t.pieces = append(t.pieces, piece[:len(piece):len(piece)])
		t.length += int64(len(piece))
		t.from = len(t.own)
	}
}

// share appends the bytes of a block.
func (t *Text) share(b *Block) {
	t.cut()
	for _, piece := range b.pieces {
		if len(piece) > 0 {
			t.pieces = append(t.pieces, piece)
			t.length += int64(len(piece))
		}
	}
	t.plain += b.plain
}

// Len returns the length of the stream in bytes: the Content-Length.
func (t *Text) Len() int64 { return t.length }

// Plain returns the length of the text in bytes.
func (t *Text) Plain() int64 { return t.plain }

// WriteTo writes the stream to w.
func (t *Text) WriteTo(w io.Writer) (int64, error) {
	var total int64
	for _, piece := range t.pieces {
		n, err := w.Write(piece)
		total += int64(n)
		if err != nil {
			return total, err
		}
	}
	return total, nil
}

// Bytes returns a copy of the stream.
func (t *Text) Bytes() []byte {
	all := make([]byte, 0, t.length)
	for _, piece := range t.pieces {
		all = append(all, piece...)
	}
	return all
}
