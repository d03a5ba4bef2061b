package splice

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
	"math/bits"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zstd"
)

// MaxWindow is how far back a zstd stream refers at most, in bytes: what a client
// of HTTP must be able to hold (RFC 9659).
const MaxWindow = 8 << 20

// A Block is a text in one encoding, made once and never changed. It may be used
// from many goroutines.
type Block struct {
	enc    Encoding
	pieces pieces // of the text, without head and tail of a stream
	plain  int64

	crc, shift uint32 // gzip: checksum of the text, and crcShift of its length
	windowLog  uint   // zstd: log2 of the window that the bytes need
}

// Encoding returns the encoding of the block.
func (b *Block) Encoding() Encoding { return b.enc }

// Size returns the bytes of memory that the block takes.
func (b *Block) Size() int64 {
	var size int64
	for _, piece := range b.pieces {
		size += int64(cap(piece))
	}
	return size
}

// Plain returns the length of the text in bytes.
func (b *Block) Plain() int64 { return b.plain }

// Options tunes the making of a block.
type Options struct {
	// Near tells that the text repeats what stands a few bytes before, as lists of
	// ascending numbers do. Gzip then looks back 32 bytes only, which is faster and
	// gives less to send, because near repetitions have short codes; zstd takes
	// its time.
	Near bool
}

// Make runs fill and keeps what it writes as a block; its error, if any, is
// returned as it is. The text itself is held only with Identity.
func Make(enc Encoding, o Options, fill func(io.Writer) error) (*Block, error) {
	block := &Block{enc: enc}
	var err error
	switch enc {
	case Identity:
		sum := &summer{w: &block.pieces}
		err = fill(sum)
		block.plain = sum.n
	case Gzip:
		err = block.deflate(o, fill)
	case Zstd:
		err = block.zstd(o, fill)
	default:
		err = fmt.Errorf("unknown content coding %v, want one of %v", enc, Encodings())
	}
	if err != nil {
		return nil, err
	}
	block.pieces.trim()
	return block, nil
}

// deflate compresses into whole deflate blocks that end on a byte, none of them
// marked as the last.
func (b *Block) deflate(o Options, fill func(io.Writer) error) error {
	const nearWindow, level = flate.MinCustomWindowSize, 6
	w, err := flate.NewWriter(&b.pieces, level)
	if o.Near {
		w, err = flate.NewWriterWindow(&b.pieces, nearWindow)
	}
	if err != nil {
		return err
	}
	sum := &summer{w: w}
	if err := fill(sum); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	b.plain, b.crc, b.shift = sum.n, sum.crc, crcShift(sum.n)
	return nil
}

// zstd compresses into whole zstd blocks, none of them marked as the last.
func (b *Block) zstd(o Options, fill func(io.Writer) error) error {
	var out bytes.Buffer
	level := zstd.SpeedDefault
	if o.Near { // elsewhere it takes far longer and saves little, or nothing
		level = zstd.SpeedBestCompression
	}
	w, err := zstd.NewWriter(&out,
		zstd.WithEncoderLevel(level), zstd.WithWindowSize(MaxWindow),
		zstd.WithEncoderCRC(false), zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return err
	}
	sum := &summer{w: w}
	if err := fill(sum); err != nil {
		w.Close()
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	b.plain = sum.n
	blocks, windowLog, err := zstdBlocks(out.Bytes())
	b.pieces, b.windowLog = pieces{blocks}, windowLog
	if b.plain > 0 { // nothing refers to what is before the text
		b.windowLog = min(b.windowLog, uint(bits.Len64(uint64(b.plain-1))))
	}
	return err
}

// A summer passes on what is written and keeps its length and checksum.
type summer struct {
	w   io.Writer
	n   int64
	crc uint32
}

func (s *summer) Write(p []byte) (int, error) {
	n, err := s.w.Write(p)
	s.n += int64(n)
	s.crc = crc32.Update(s.crc, crc32.IEEETable, p[:n])
	return n, err
}
