//go:build gc && !purego

package chacha20rng

import (
	"math"

	"github.com/schedgen/schedgen/internal/cpu"
	"github.com/schedgen/schedgen/internal/guide"
)

// blocks calls the block function of a backend; the lower half of the counter does
// not wrap before the last block. A switch, not a function value: through a value
// dst would escape to the heap at every caller.
func blocks(b cpu.Backend, dst []uint64, key *[8]uint32, counter uint64, rounds int) {
	if len(dst) == 0 {
		return
	}
	var start [2][16]uint32
	switch b {
	case cpu.AVX512:
		vectorStart(&start, key, counter)
		blocksAVX512(&dst[0], len(dst)/wordsPerBlock, &start, rounds/2)
	case cpu.AVX2:
		vectorStart(&start, key, counter)
		blocksAVX2(&dst[0], len(dst)/wordsPerBlock, &start, rounds/2)
	default:
		blocksGeneric(dst, key, counter, rounds)
	}
}

// vectorStart sets start to the initial words of a block and to those after what
// the first round does to all blocks alike: columns 1, 2 and 3, and the first
// addition of column 0, which holds the lower half of the counter.
func vectorStart(start *[2][16]uint32, key *[8]uint32, counter uint64) {
	counterHigh := uint32(counter >> 32)
	start[0] = [16]uint32{
		constant0, constant1, constant2, constant3,
		key[0], key[1], key[2], key[3], key[4], key[5], key[6], key[7],
		uint32(counter), counterHigh,
	}
	s := &start[1]
	s[0], s[4], s[8] = constant0+key[0], key[0], key[4]
	s[1], s[5], s[9], s[13] = quarterRound(constant1, key[1], key[5], counterHigh)
	s[2], s[6], s[10], s[14] = quarterRound(constant2, key[2], key[6], 0)
	s[3], s[7], s[11], s[15] = quarterRound(constant3, key[3], key[7], 0)
}

// rolls calls the roll function of a backend. The vector functions leave the last
// few words or places to the generic one.
func rolls(b cpu.Backend, dst, src []uint64, z Zone) (written, read int) {
	switch b {
	case cpu.AVX512:
		written, read = rollsAVX512(dst, src, z.n, z.limit)
	case cpu.AVX2:
		written, read = rollsAVX2(dst, src, z.n, z.limit)
	}
	w, r := rollsGeneric(dst[written:], src[read:], z)
	return written + w, read + r
}

// weave does what it can of FillRanks16 in one go, the ranks of the words in buf
// while the words after them are made, and returns how many ranks it wrote. It writes
// none on other backends and streams, for fewer places than buf has words, while a
// part of buf is read, and before a wrap of the counter's lower half.
func (r *RNG) weave(dst []uint16, z Zone, t *guide.Table) (written int) {
	if r.backend != cpu.AVX512 || r.rounds != 20 || len(dst) < bufferWords {
		return 0
	}
	if r.next == bufferWords {
		r.makeBlocks(r.buf[:])
		r.next = 0
	}
	const most = 1024 // a third of a millisecond, in which no goroutine can take over
	untilWrap := (1<<32 - r.block&math.MaxUint32) / bufferBlocks
	chunks := min(len(dst)/bufferWords, most, int(untilWrap))
	if r.next > 0 || chunks == 0 {
		return 0
	}
	var start [2][16]uint32
	vectorStart(&start, &r.key, r.block)
	written = ranksAVX512(&dst[0], &r.buf, chunks, &start, z.n, z.limit, &t.Sums[0], &t.Entries[0], t.Shift)
	r.block += uint64(chunks) * bufferBlocks
	return written
}
