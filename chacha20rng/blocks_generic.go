package chacha20rng

import "math/bits"

// The words of "expand 32-byte k".
const (
	constant0 uint32 = 0x61707865
	constant1 uint32 = 0x3320646e
	constant2 uint32 = 0x79622d32
	constant3 uint32 = 0x6b206574
)

// blocksGeneric sets dst to len(dst)/8 blocks of the stream of key, the first one
// numbered counter, whose lower half must not wrap before the last block. It is the
// reference for every other backend.
//
// The sixteen words are variables: in an array each step would go through memory.
// Blocks differ in word 12 only, so what the first round does to columns 1, 2 and 3
// is the same for all.
func blocksGeneric(dst []uint64, key *[8]uint32, counter uint64, rounds int) {
	counterLow, counterHigh := uint32(counter), uint32(counter>>32)
	s1, s5, s9, s13 := quarterRound(constant1, key[1], key[5], counterHigh)
	s2, s6, s10, s14 := quarterRound(constant2, key[2], key[6], 0)
	s3, s7, s11, s15 := quarterRound(constant3, key[3], key[7], 0)
	for ; len(dst) >= wordsPerBlock; dst = dst[wordsPerBlock:] {
		x0, x4, x8, x12 := quarterRound(constant0, key[0], key[4], counterLow)
		x1, x5, x9, x13 := s1, s5, s9, s13
		x2, x6, x10, x14 := s2, s6, s10, s14
		x3, x7, x11, x15 := s3, s7, s11, s15
		for left := rounds; ; {
			x0, x5, x10, x15 = quarterRound(x0, x5, x10, x15)
			x1, x6, x11, x12 = quarterRound(x1, x6, x11, x12)
			x2, x7, x8, x13 = quarterRound(x2, x7, x8, x13)
			x3, x4, x9, x14 = quarterRound(x3, x4, x9, x14)
			if left -= 2; left <= 0 {
				break
			}
			x0, x4, x8, x12 = quarterRound(x0, x4, x8, x12)
			x1, x5, x9, x13 = quarterRound(x1, x5, x9, x13)
			x2, x6, x10, x14 = quarterRound(x2, x6, x10, x14)
			x3, x7, x11, x15 = quarterRound(x3, x7, x11, x15)
		}
		block := (*[wordsPerBlock]uint64)(dst)
		block[0] = pair(x0+constant0, x1+constant1)
		block[1] = pair(x2+constant2, x3+constant3)
		block[2] = pair(x4+key[0], x5+key[1])
		block[3] = pair(x6+key[2], x7+key[3])
		block[4] = pair(x8+key[4], x9+key[5])
		block[5] = pair(x10+key[6], x11+key[7])
		block[6] = pair(x12+counterLow, x13+counterHigh)
		block[7] = pair(x14, x15)
		counterLow++
	}
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
