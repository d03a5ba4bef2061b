package splice

import (
	"encoding/binary"
	"errors"
	"math/bits"
	"slices"
)

const (
	zstdMagic = "\x28\xb5\x2f\xfd"
	// zstdHead describes a frame with a window and a content size of 8 bytes,
	// without checksum and dictionary.
	zstdHead = 3 << 6
	// zstdRaw is the greatest length of a block's content, and with it the least
	// window that lets a raw block be that long.
	zstdRawLog = 17
	zstdRaw    = 1 << zstdRawLog
	minWindow  = 10 // log2 of the least window
)

// zstd sets the parts into frames with at most one Block each: compressed blocks
// depend on the offsets and tables of those before them in their frame, whereas
// raw blocks change neither.
func (t *Text) zstd(parts []Part) {
	if len(parts) == 0 {
		parts = []Part{Literal("")}
	}
	for len(parts) > 0 {
		frame := frameOf(parts)
		t.frame(parts[:frame])
		parts = parts[frame:]
	}
}

// frameOf returns how many parts, at least one, fit into one frame.
func frameOf(parts []Part) int {
	blocks := 0
	for i, part := range parts {
		if _, ok := part.(*Block); ok {
			if blocks++; blocks > 1 {
				return i
			}
		}
	}
	return len(parts)
}

func (t *Text) frame(parts []Part) {
	windowLog, plain := uint(zstdRawLog), int64(0)
	for _, part := range parts {
		switch part := part.(type) {
		case Literal:
			plain += int64(len(part))
		case *Block:
			windowLog = max(windowLog, part.windowLog)
			plain += part.plain
		}
	}
	t.own = append(t.own, zstdMagic...)
	t.own = append(t.own, zstdHead, byte(windowLog-minWindow)<<3)
	t.own = binary.LittleEndian.AppendUint64(t.own, uint64(plain))
	for i, part := range parts {
		last := i == len(parts)-1
		switch part := part.(type) {
		case Literal:
			t.raw(part, last)
		case *Block:
			t.share(part)
			if last {
				t.raw("", true)
			}
		}
	}
}

// raw appends text as raw blocks, the last of them marked so on demand.
func (t *Text) raw(text Literal, last bool) {
	t.plain += int64(len(text))
	for len(text) > 0 || last {
		n := min(len(text), zstdRaw)
		head := uint32(n) << 3
		if last && n == len(text) {
			head, last = head|1, false
		}
		t.own = append(t.own, byte(head), byte(head>>8), byte(head>>16))
		t.own = append(t.own, text[:n]...)
		text = text[n:]
	}
}

var errFrame = errors.New("unexpected form of a zstd frame")

// zstdBlocks returns the blocks of a frame, none marked as the last, and log2 of
// the window that they need. It is for frames made here; the empty text has none.
func zstdBlocks(frame []byte) (blocks []byte, windowLog uint, err error) {
	if len(frame) == 0 {
		return []byte{}, 0, nil
	}
	body, window, checksum, err := zstdFrameHead(frame)
	if err != nil || checksum {
		return nil, 0, errors.Join(errFrame, err)
	}
	blocks = slices.Clone(body)
	at := 0
	for last := false; !last; {
		if len(blocks)-at < 3 {
			return nil, 0, errFrame
		}
		head := uint32(blocks[at]) | uint32(blocks[at+1])<<8 | uint32(blocks[at+2])<<16
		last = head&1 != 0
		size := int(head >> 3)
		if kind := head >> 1 & 3; kind == 1 { // one byte, repeated
			size = 1
		}
		if size > len(blocks)-at-3 {
			return nil, 0, errFrame
		}
		blocks[at] &^= 1
		at += 3 + size
	}
	if at != len(blocks) {
		return nil, 0, errFrame
	}
	return blocks, uint(bits.Len64(max(window, 1) - 1)), nil
}

// zstdFrameHead returns what follows the head of a frame, the window in bytes,
// and whether a checksum ends it.
func zstdFrameHead(frame []byte) (body []byte, window uint64, checksum bool, err error) {
	if len(frame) < 6 || string(frame[:4]) != zstdMagic {
		return nil, 0, false, errFrame
	}
	flags, rest := frame[4], frame[5:]
	single := flags>>5&1 != 0
	if flags&3 != 0 || flags>>3&1 != 0 { // a dictionary, or what is reserved
		return nil, 0, false, errFrame
	}
	if !single {
		base := uint64(1) << (10 + rest[0]>>3)
		window = base + base/8*uint64(rest[0]&7)
		rest = rest[1:]
	}
	sizeLen := [4]int{0, 2, 4, 8}[flags>>6]
	if single && sizeLen == 0 {
		sizeLen = 1
	}
	if len(rest) < sizeLen {
		return nil, 0, false, errFrame
	}
	if single {
		var le [8]byte
		copy(le[:], rest[:sizeLen])
		window = binary.LittleEndian.Uint64(le[:])
		if sizeLen == 2 {
			window += 256
		}
	}
	return rest[sizeLen:], window, flags>>2&1 != 0, nil
}
