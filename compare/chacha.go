package compare

import (
	"encoding/binary"
	"math/bits"
)

// chacha is the ChaCha stream of any even number of rounds, block by block: the
// 12 rounds of rand's StdRng are a mistake that can be made, and nothing else
// here needs them.
type chacha struct {
	state  [16]uint32
	rounds int
}

func newChaCha(seed [32]byte, rounds int) *chacha {
	c := &chacha{rounds: rounds}
	copy(c.state[:], []uint32{0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}) // "expand 32-byte k"
	for i := range 8 {
		c.state[4+i] = binary.LittleEndian.Uint32(seed[4*i:])
	}
	return c
}

// fill sets dst, a whole number of blocks of eight words, to the next words.
func (c *chacha) fill(dst []uint64) {
	for ; len(dst) >= 8; dst = dst[8:] {
		x := c.state
		for range c.rounds / 2 {
			for i := range 4 {
				quarterRound(&x, i, 4+i, 8+i, 12+i)
			}
			for i := range 4 {
				quarterRound(&x, i, 4+(i+1)%4, 8+(i+2)%4, 12+(i+3)%4)
			}
		}
		for i := range 8 {
			low, high := x[2*i]+c.state[2*i], x[2*i+1]+c.state[2*i+1]
			dst[i] = uint64(low) | uint64(high)<<32
		}
		if c.state[12]++; c.state[12] == 0 {
			c.state[13]++
		}
	}
}

func quarterRound(x *[16]uint32, a, b, c, d int) {
	x[a] += x[b]
	x[d] = bits.RotateLeft32(x[d]^x[a], 16)
	x[c] += x[d]
	x[b] = bits.RotateLeft32(x[b]^x[c], 12)
	x[a] += x[b]
	x[d] = bits.RotateLeft32(x[d]^x[a], 8)
	x[c] += x[d]
	x[b] = bits.RotateLeft32(x[b]^x[c], 7)
}
