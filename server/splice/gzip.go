package splice

import (
	"encoding/binary"
	"hash/crc32"
)

// gzipHead has no name, no time and an unknown system.
const gzipHead = "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"

// maxStored is the greatest length of a stored deflate block.
const maxStored = 1<<16 - 1

// gzip sets the parts into one member. Every part begins and ends on a byte, so
// that stored blocks need no bits to align them.
func (t *Text) gzip(parts []Part) {
	t.own = append(t.own, gzipHead...)
	var crc uint32
	for i, part := range parts {
		last := i == len(parts)-1
		switch part := part.(type) {
		case Literal:
			crc = crc32.Update(crc, crc32.IEEETable, []byte(part))
			t.stored(part, last)
		case *Block:
			crc = crcMul(part.shift, crc) ^ part.crc
			t.share(part)
			if last {
				t.stored("", true)
			}
		}
	}
	if len(parts) == 0 {
		t.stored("", true)
	}
	t.own = binary.LittleEndian.AppendUint32(t.own, crc)
	t.own = binary.LittleEndian.AppendUint32(t.own, uint32(t.plain))
}

// stored appends text as stored blocks, the last of them marked so on demand.
func (t *Text) stored(text Literal, last bool) {
	t.plain += int64(len(text))
	for len(text) > 0 || last {
		n := min(len(text), maxStored)
		final := byte(0)
		if last && n == len(text) {
			final, last = 1, false
		}
		t.own = append(t.own, final)
		t.own = binary.LittleEndian.AppendUint16(t.own, uint16(n))
		t.own = binary.LittleEndian.AppendUint16(t.own, ^uint16(n))
		t.own = append(t.own, text[:n]...)
		text = text[n:]
	}
}
