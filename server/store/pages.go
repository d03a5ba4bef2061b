package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	bbolterrors "go.etcd.io/bbolt/errors"
)

// What follows reads the pages of a bbolt file before bbolt does. That one trusts
// the heads of pages, so that one flipped bit in them could end the process, take
// all of its memory, or have lists written over others.
//
// A page has a head of 16 bytes: its number u64, kind u16, number of elements u16,
// and how many pages behind it belong to it u32. Pages 0 and 1 are the meta pages of
// the last two transactions. Elements are 16 bytes each, behind the head; keys and
// values are found from them. All numbers are in the order of the machine.
const (
	headSize    = 16
	elementSize = 16
	bucketSize  = 16 // root page u64, sequence u64

	branchPage   = 1
	leafPage     = 2
	freelistPage = 16

	bucketFlag = 1 // of a leaf's element: its value is a bucket
	manyFree   = 0xffff
	noFreelist = ^uint64(0)
	maxDepth   = 32
)

var (
	native   = binary.NativeEndian
	errPages = errors.New("wrong page")
)

// A span is where in the file a value is.
type span struct{ at, n int64 }

// pages is what a walk over a file finds.
type pages struct {
	r    io.ReaderAt
	size uint64 // of a page
	high uint64 // number of the first page not in use
	seen []byte // by page
	err  error  // the first thing that is wrong

	buckets map[string]bool // that there are
	owns    map[string]span // values of the store's own bucket
	lists   map[uint64]span // values by epoch
}

const (
	pageUsed = 1
	pageFree = 2
)

// walkPages looks at all pages of a file but at the inside of values. It goes on
// behind what is wrong, and finds every value that is left.
func walkPages(r io.ReaderAt, fileSize int64) *pages {
	p := &pages{r: r, buckets: map[string]bool{}, owns: map[string]span{}, lists: map[uint64]span{}}
	m, ok := lastMeta(r)
	if !ok || m.size == 0 {
		p.err = bbolterrors.ErrInvalid
		return p
	}
	p.size, p.high = m.size, m.high
	if there := uint64(fileSize) / m.size; p.high > there {
		p.fail(fmt.Errorf("the file ends at %d of %d bytes", fileSize, m.high*m.size))
		p.high = there
	}
	p.seen = make([]byte, p.high)
	if m.freelist != noFreelist {
		p.freelist(m.freelist)
	}
	p.tree(m.root, "", bounds{}, 0)
	for id := uint64(2); id < p.high; id++ {
		if p.seen[id] == 0 && m.freelist != noFreelist {
			p.wrong(id, "neither used nor free")
			break
		}
	}
	return p
}

func (p *pages) fail(err error) {
	if p.err == nil {
		p.err = fmt.Errorf("%w: %w", ErrDamaged, err)
	}
}

func (p *pages) wrong(id uint64, format string, args ...any) {
	if p.err != nil {
		return
	}
	p.fail(fmt.Errorf("%w %d: %s", errPages, id, fmt.Sprintf(format, args...)))
}

// A page is one with those that belong to it, or the leaf inside of a small
// bucket's value.
type page struct {
	id       uint64
	at       int64 // in the file
	kind     uint16
	count    uint16
	capacity uint64 // bytes
	keys     uint64 // bytes of keys that were read; they do not lie over each other
}

// page reads the head of a page and marks what belongs to it.
func (p *pages) page(id uint64) (page, bool) {
	if id < 2 || id >= p.high {
		p.wrong(id, "it is not among the pages, 2 to %d", p.high-1)
		return page{}, false
	}
	pg := page{id: id, at: int64(id * p.size)}
	var b [headSize]byte
	if !p.read(b[:], pg.at) {
		return page{}, false
	}
	pg.kind, pg.count = native.Uint16(b[8:]), native.Uint16(b[10:])
	self, more := native.Uint64(b[:]), uint64(native.Uint32(b[12:]))
	if self != id || more >= p.high-id {
		p.wrong(id, "it says that it is %d, with %d more", self, more)
		return page{}, false
	}
	pg.capacity = (more + 1) * p.size
	for i := id; i <= id+more; i++ {
		if p.seen[i] != 0 {
			p.wrong(i, "used twice, or free")
			return page{}, false
		}
		p.seen[i] = pageUsed
	}
	return pg, true
}

func (p *pages) read(b []byte, at int64) bool {
	if _, err := p.r.ReadAt(b, at); err != nil {
		p.fail(err)
		return false
	}
	return true
}

// freelist marks the free pages.
func (p *pages) freelist(id uint64) {
	pg, ok := p.page(id)
	if !ok {
		return
	}
	b := make([]byte, pg.capacity-headSize)
	if pg.kind != freelistPage || !p.read(b, pg.at+headSize) {
		p.wrong(id, "kind %d, want that of free pages", pg.kind)
		return
	}
	count := uint64(pg.count)
	if count == manyFree {
		count, b = native.Uint64(b), b[8:]
	}
	if count > uint64(len(b)/8) {
		p.wrong(id, "%d free pages, more than it has room for", count)
		return
	}
	for i := range count {
		free := native.Uint64(b[8*i:])
		if free < 2 || free >= p.high || p.seen[free] != 0 {
			p.wrong(id, "page %d is not free", free)
			continue
		}
		p.seen[free] = pageFree
	}
}

// bounds of keys: low is the least there may be, high the first there may not; nil
// where there is none.
type bounds struct{ low, high []byte }

// tree walks the pages of a bucket.
func (p *pages) tree(id uint64, bucket string, within bounds, depth int) {
	pg, ok := p.page(id)
	switch {
	case !ok:
	case pg.kind == leafPage:
		p.leaf(pg, bucket, within, depth)
	case pg.kind == branchPage && pg.count > 0 && depth < maxDepth:
		p.branch(pg, bucket, within, depth)
	default:
		p.wrong(id, "kind %d with %d elements in depth %d", pg.kind, pg.count, depth)
	}
}

func (p *pages) branch(pg page, bucket string, within bounds, depth int) {
	elements := p.elements(pg)
	keys := make([][]byte, len(elements))
	for i, e := range elements {
		keys[i] = p.key(&pg, i, uint64(native.Uint32(e)), uint64(native.Uint32(e[4:])))
	}
	p.ordered(pg, keys, within)
	for i, e := range elements {
		next := within
		if next.low = keys[i]; i+1 < len(keys) {
			next.high = keys[i+1]
		}
		p.tree(native.Uint64(e[8:]), bucket, next, depth+1)
	}
}

func (p *pages) leaf(pg page, bucket string, within bounds, depth int) {
	var keys [][]byte
	for i, e := range p.elements(pg) {
		flags, pos := native.Uint32(e), uint64(native.Uint32(e[4:]))
		keySize, valueSize := uint64(native.Uint32(e[8:])), uint64(native.Uint32(e[12:]))
		key := p.key(&pg, i, pos, keySize)
		keys = append(keys, key)
		at := headSize + uint64(i)*elementSize + pos + keySize
		if key == nil || at > pg.capacity || valueSize > pg.capacity-at {
			p.wrong(pg.id, "element %d ends behind it", i)
			continue
		}
		value := span{pg.at + int64(at), int64(valueSize)}
		switch {
		case flags == bucketFlag:
			p.bucket(pg, string(key), value, depth)
		case flags != 0:
			p.wrong(pg.id, "element %d has flags %d", i, flags)
		default:
			p.found(pg, bucket, key, value)
		}
	}
	p.ordered(pg, keys, within)
}

// found takes down a value of a bucket.
func (p *pages) found(pg page, bucket string, key []byte, value span) {
	switch bucket {
	case string(ownBucket):
		p.owns[string(key)] = value
	case string(listBucket):
		if len(key) != 8 {
			p.wrong(pg.id, "%q is no epoch", key)
			return
		}
		p.lists[binary.BigEndian.Uint64(key)] = value
	}
}

// bucket walks a bucket that is the value of an element.
func (p *pages) bucket(pg page, name string, value span, depth int) {
	p.buckets[name] = true
	var b [bucketSize + headSize]byte
	head := b[:min(value.n, int64(len(b)))]
	if depth >= maxDepth || len(head) < bucketSize || !p.read(head, value.at) {
		p.wrong(pg.id, "a bucket of %d bytes in depth %d", value.n, depth)
		return
	}
	if root := native.Uint64(head); root != 0 {
		p.tree(root, name, bounds{}, depth+1)
		return
	}
	// A small one is a leaf inside of the value.
	inside := page{
		id: pg.id, at: value.at + bucketSize, capacity: uint64(value.n - bucketSize),
		kind: native.Uint16(b[bucketSize+8:]), count: native.Uint16(b[bucketSize+10:]),
	}
	if len(head) < len(b) || inside.kind != leafPage {
		p.wrong(pg.id, "a bucket of %d bytes and kind %d", value.n, inside.kind)
		return
	}
	p.leaf(inside, name, bounds{}, depth+1)
}
