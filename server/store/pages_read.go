package store

import (
	"bytes"
	"hash/fnv"
	"io"
)

// elements reads the elements of a page.
func (p *pages) elements(pg page) [][]byte {
	n := uint64(pg.count) * elementSize
	if pg.capacity < headSize || n > pg.capacity-headSize {
		p.wrong(pg.id, "%d elements, more than it has room for", pg.count)
		return nil
	}
	table := make([]byte, n)
	if !p.read(table, pg.at+headSize) {
		return nil
	}
	elements := make([][]byte, pg.count)
	for i := range elements {
		elements[i] = table[i*elementSize : (i+1)*elementSize]
	}
	return elements
}

// key reads the key of element i; nil when it has none.
func (p *pages) key(pg *page, i int, pos, n uint64) []byte {
	const maxKey = 1 << 15
	at := headSize + uint64(i)*elementSize + pos
	if n == 0 || n > maxKey || n > pg.capacity || at > pg.capacity-n {
		p.wrong(pg.id, "element %d has a key of %d bytes at %d", i, n, at)
		return nil
	}
	if pg.keys += n; pg.keys > pg.capacity {
		p.wrong(pg.id, "keys of more bytes than it has")
		return nil
	}
	key := make([]byte, n)
	if !p.read(key, pg.at+int64(at)) {
		return nil
	}
	return key
}

// ordered refuses keys that are not ascending within bounds.
func (p *pages) ordered(pg page, keys [][]byte, within bounds) {
	low := within.low
	for i, key := range keys {
		if bytes.Compare(key, low) < 0 || i > 0 && bytes.Equal(key, low) {
			p.wrong(pg.id, "key %d is not behind the one before", i)
		}
		if within.high != nil && bytes.Compare(key, within.high) >= 0 {
			p.wrong(pg.id, "key %d is not before the next page's", i)
		}
		low = key
	}
}

// A meta is the meta page of a transaction.
type meta struct {
	size, root, freelist, high, txid uint64
}

// lastMeta returns the meta page of the last transaction, as bbolt finds it.
func lastMeta(r io.ReaderAt) (meta, bool) {
	if first, ok := readMeta(r, 0); ok {
		if second, ok := readMeta(r, int64(first.size)); ok && second.txid > first.txid {
			return second, true
		}
		return first, true
	}
	const leastLog, mostLog = 10, 24
	for log := leastLog; log <= mostLog; log++ {
		if second, ok := readMeta(r, 1<<log); ok {
			return second, true
		}
	}
	return meta{}, false
}

// readMeta reads the meta page at an offset, and whether it is one. Behind the head
// of its page it has magic u32, version u32, size of a page u32, flags u32, the root
// bucket, the page of free pages u64, the first page not in use u64, the transaction
// u64, and the FNV-1a of all that.
func readMeta(r io.ReaderAt, at int64) (meta, bool) {
	const magic, version, size = 0xed0cdaed, 2, 64
	var b [headSize + size]byte
	if _, err := r.ReadAt(b[:], at); err != nil {
		return meta{}, false
	}
	m := b[headSize:]
	sum := fnv.New64a()
	sum.Write(m[:size-8])
	ok := native.Uint32(m) == magic && native.Uint32(m[4:]) == version && native.Uint64(m[size-8:]) == sum.Sum64()
	return meta{
		size: uint64(native.Uint32(m[8:])), root: native.Uint64(m[16:]),
		freelist: native.Uint64(m[32:]), high: native.Uint64(m[40:]), txid: native.Uint64(m[48:]),
	}, ok
}
