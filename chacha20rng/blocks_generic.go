package chacha20rng

import "math/bits"

// The words of "expand 32-byte k".
const (
	constant0 uint32 = 0x61707865
	constant1 uint32 = 0x3320646e
	constant2 uint32 = 0x79622d32
	constant3 uint32 = 0x6b206574
)

// blocksGeneric sets dst to len(dst)/8 blocks of the stream of key, the first
// one numbered counter. It is the reference for every other backend.
func blocksGeneric(dst []uint64, key *[8]uint32, counter uint64, rounds int) {
	for ; len(dst) >= wordsPerBlock; dst = dst[wordsPerBlock:] {
		blockGeneric((*[wordsPerBlock]uint64)(dst), key, counter, rounds)
		counter++
	}
}

// blockGeneric keeps the sixteen state words in variables: in an array each
// step would go through memory.
func blockGeneric(dst *[wordsPerBlock]uint64, key *[8]uint32, counter uint64, rounds int) {
	counterLow, counterHigh := uint32(counter), uint32(counter>>32)
	x0, x1, x2, x3 := constant0, constant1, constant2, constant3
	x4, x5, x6, x7 := key[0], key[1], key[2], key[3]
	x8, x9, x10, x11 := key[4], key[5], key[6], key[7]
	x12, x13, x14, x15 := counterLow, counterHigh, uint32(0), uint32(0)
	for range rounds / 2 {
		x0, x4, x8, x12 = quarterRound(x0, x4, x8, x12)
		x1, x5, x9, x13 = quarterRound(x1, x5, x9, x13)
		x2, x6, x10, x14 = quarterRound(x2, x6, x10, x14)
		x3, x7, x11, x15 = quarterRound(x3, x7, x11, x15)

		x0, x5, x10, x15 = quarterRound(x0, x5, x10, x15)
		x1, x6, x11, x12 = quarterRound(x1, x6, x11, x12)
		x2, x7, x8, x13 = quarterRound(x2, x7, x8, x13)
		x3, x4, x9, x14 = quarterRound(x3, x4, x9, x14)
	}
	dst[0] = pair(x0+constant0, x1+constant1)
	dst[1] = pair(x2+constant2, x3+constant3)
	dst[2] = pair(x4+key[0], x5+key[1])
	dst[3] = pair(x6+key[2], x7+key[3])
	dst[4] = pair(x8+key[4], x9+key[5])
	dst[5] = pair(x10+key[6], x11+key[7])
	dst[6] = pair(x12+counterLow, x13+counterHigh)
	dst[7] = pair(x14, x15)
}

func quarterRound(a, b, c, d uint32) (uint32, uint32, uint32, uint32) {
	a += b
	d = bits.RotateLeft32(d^a, 16)
	c += d
	b = bits.RotateLeft32(b^c, 12)
	a += b
	d = bits.RotateLeft32(d^a, 8)
	c += d
	b = bits.RotateLeft32(b^c, 7)
	return a, b, c, d
}

func pair(low, high uint32) uint64 { return uint64(low) | uint64(high)<<32 }
