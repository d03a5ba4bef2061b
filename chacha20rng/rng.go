package chacha20rng

import (
	"encoding/binary"
	"math"
	"math/rand/v2"

	"github.com/schedgen/schedgen/internal/cpu"
)

const (
	wordsPerBlock = 8
	bufferBlocks  = 32
	bufferWords   = bufferBlocks * wordsPerBlock
)

// RNG is one stream, made by New or NewChaCha8; its zero value has no seed and is
// not to be drawn from. It is a math/rand/v2 Source, allocates nothing after New,
// and must not be used from several goroutines at once.
type RNG struct {
	buf     [bufferWords]uint64
	next    int    // buf[next:] is made and not yet read
	block   uint64 // the block after those in buf
	ahead   int    // blocks that the next refill makes
	key     [8]uint32
	rounds  int
	backend cpu.Backend
}

var _ rand.Source = (*RNG)(nil)

// New returns the 20-round stream of seed, as rand_chacha's
// ChaCha20Rng::from_seed does.
func New(seed [32]byte) *RNG { return newRNG(seed, 20) }

// NewChaCha8 returns the 8-round stream of seed, as rand_chacha's
// ChaCha8Rng::from_seed does.
func NewChaCha8(seed [32]byte) *RNG { return newRNG(seed, 8) }

func newRNG(seed [32]byte, rounds int) *RNG {
	r := &RNG{rounds: rounds, backend: cpu.Generic}
	// A name in SCHEDGEN_BACKEND that cannot be had is reported by SetBackend
	// and by the commands; the stream is right with any backend.
	if b, err := cpu.Resolve(""); err == nil {
		r.backend = b
	}
	r.Reseed(seed)
	return r
}

// Backends returns the names of the backends that this machine has, the fastest
// first. The last one is "generic", the plain Go reference.
func Backends() []string {
	var names []string
	for _, b := range cpu.Available() {
		names = append(names, string(b))
	}
	return names
}

// Backend returns the name of the backend that makes r's blocks.
func (r *RNG) Backend() string { return string(r.backend) }

// SetBackend lets the named backend make r's blocks from here on. The empty
// name and "auto" stand for the default: SCHEDGEN_BACKEND, or the fastest.
// Stream and position do not change. The error lists the names available.
func (r *RNG) SetBackend(name string) error {
	b, err := cpu.Resolve(name)
	if err != nil {
		return err
	}
	r.backend = b
	return nil
}

// Reseed starts the stream of another seed, with the same number of rounds and
// the same backend, at position 0.
func (r *RNG) Reseed(seed [32]byte) {
	for i := range r.key {
		r.key[i] = binary.LittleEndian.Uint32(seed[4*i:])
	}
	r.SeekBlock(0)
}

// Uint64 returns the next word.
func (r *RNG) Uint64() uint64 {
	if r.next == bufferWords {
		r.refill()
	}
	r.next++
	return r.buf[r.next-1]
}

// Fill sets dst to the next len(dst) words. Whole blocks are made in place.
func (r *RNG) Fill(dst []uint64) {
	n := copy(dst, r.buf[r.next:])
	r.next += n
	dst = dst[n:]
	if whole := len(dst) - len(dst)%wordsPerBlock; whole > 0 {
		r.makeBlocks(dst[:whole])
		dst = dst[whole:]
	}
	if len(dst) > 0 {
		r.refill()
		r.next += copy(dst, r.buf[r.next:])
	}
}

// Pos returns the number of words before the next one, modulo 2^64. (A stream
// has 2^67 words before it repeats.)
func (r *RNG) Pos() uint64 { return r.block*wordsPerBlock - uint64(bufferWords-r.next) }

// Seek makes the word at the given position the next one.
func (r *RNG) Seek(word uint64) {
	r.SeekBlock(word / wordsPerBlock)
	if skip := int(word % wordsPerBlock); skip > 0 {
		r.refill()
		r.next += skip
	}
}

// SeekBlock makes the first word of a block of 8 words the next one. After
// block 2^64-1 comes block 0 again.
func (r *RNG) SeekBlock(block uint64) {
	r.block = block
	r.next = bufferWords
	r.ahead = firstRefill(r.backend)
}

// firstRefill is how many blocks the first refill after a seek makes; each later
// one makes twice as many. Few, because a Turbine tree may draw a handful of words
// from each of many seeds, but as many as cost no more than one.
func firstRefill(b cpu.Backend) int {
	if b == cpu.AVX512 || b == cpu.AVX2 {
		return 16
	}
	return 4
}

// refill puts the next words at the end of buf, all of whose words were read.
func (r *RNG) refill() {
	r.next = bufferWords - max(r.ahead, 1)*wordsPerBlock
	r.makeBlocks(r.buf[r.next:])
	r.ahead = min(2*r.ahead, bufferBlocks)
}

// makeBlocks sets dst, a whole number of blocks, to the blocks from r.block on. It
// calls the backend anew where the lower half of the counter wraps.
func (r *RNG) makeBlocks(dst []uint64) {
	for len(dst) >= wordsPerBlock {
		n := len(dst) / wordsPerBlock
		if untilWrap := 1<<32 - r.block&math.MaxUint32; uint64(n) > untilWrap {
			n = int(untilWrap)
		}
		blocks(r.backend, dst[:n*wordsPerBlock], &r.key, r.block, r.rounds)
		r.block += uint64(n)
		dst = dst[n*wordsPerBlock:]
	}
}
