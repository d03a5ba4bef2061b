//go:build (arm64 || ppc64 || ppc64le || s390x) && gc && !purego

package chacha20rng

import (
	"encoding/binary"
	"unsafe"

	"golang.org/x/crypto/chacha20"

	"github.com/schedgen/schedgen/internal/cpu"
	"github.com/schedgen/schedgen/internal/guide"
)

// blocks calls the block function of a backend; the lower half of the counter does
// not wrap before the last block. A switch, not a function value: through a value
// dst would escape to the heap at every caller.
func blocks(b cpu.Backend, dst []uint64, key *[8]uint32, counter uint64, rounds int) {
	if b == cpu.XCrypto && rounds == 20 {
		blocksXCrypto(dst, key, counter)
		return
	}
	blocksGeneric(dst, key, counter, rounds)
}

// weave makes no ranks; this build has no function for it.
func (r *RNG) weave([]uint16, Zone, *guide.Table) int { return 0 }

// rolls calls the roll function of a backend; this build has one.
func rolls(_ cpu.Backend, dst, src []uint64, z Zone) (written, read int) {
	return rollsGeneric(dst, src, z)
}

// blocksXCrypto is blocksGeneric for 20 rounds, by way of x/crypto. Its counter has
// 32 bits; the first nonce word is word 13, the upper half of ours.
func blocksXCrypto(dst []uint64, key *[8]uint32, counter uint64) {
	var keyBytes [chacha20.KeySize]byte
	for i, w := range key {
		binary.LittleEndian.PutUint32(keyBytes[4*i:], w)
	}
	var nonce [chacha20.NonceSize]byte
	binary.LittleEndian.PutUint32(nonce[:], uint32(counter>>32))
	// Both lengths are constants that the cipher accepts.
	cipher, err := chacha20.NewUnauthenticatedCipher(keyBytes[:], nonce[:])
	if err != nil {
		blocksGeneric(dst, key, counter, 20)
		return
	}
	cipher.SetCounter(uint32(counter))
	stream := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(dst))), 8*len(dst))
	clear(stream)
	cipher.XORKeyStream(stream, stream)
	littleEndianWords(dst)
}

// littleEndianWords turns words just read from a byte stream into numbers.
func littleEndianWords(words []uint64) {
	var probe [8]byte
	binary.NativeEndian.PutUint64(probe[:], 1)
	if probe[0] == 1 {
		return
	}
	for i, w := range words {
		var b [8]byte
		binary.NativeEndian.PutUint64(b[:], w)
		words[i] = binary.LittleEndian.Uint64(b[:])
	}
}
