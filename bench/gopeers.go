package main

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"math/bits"
	"sort"

	"golang.org/x/crypto/chacha20"
)

// searchRanks draws an epoch the way that Go programs usually do: the keystream
// of x/crypto, a multiplication, a binary search over the prefix sums.
func searchRanks(weights []uint64, ranks []uint32) {
	sums := make([]uint64, len(weights))
	var total uint64
	for i, w := range weights {
		total += w
		sums[i] = total
	}
	limit := uint64(math.MaxUint64) - -total%total
	var key [chacha20.KeySize]byte
	binary.LittleEndian.PutUint64(key[:], epoch)
	cipher, err := chacha20.NewUnauthenticatedCipher(key[:], make([]byte, chacha20.NonceSize))
	if err != nil {
		panic(err) // both lengths are the cipher's own
	}
	var stream [4096]byte
	for drawn := 0; drawn < len(ranks); {
		clear(stream[:])
		cipher.XORKeyStream(stream[:], stream[:])
		for at := 0; at < len(stream) && drawn < len(ranks); at += 8 {
			value, low := bits.Mul64(binary.LittleEndian.Uint64(stream[at:]), total)
			if low > limit {
				continue
			}
			ranks[drawn] = uint32(sort.Search(len(sums), func(i int) bool { return sums[i] > value }))
			drawn++
		}
	}
}

// searchDigest is the digest of the schedule that searchRanks draws.
func searchDigest(in *input) string {
	ranks := make([]uint32, rotations)
	searchRanks(in.weights, ranks)
	hash := sha256.New()
	for _, rank := range ranks {
		leader := in.stakes.Entry(int(rank)).Node
		for range slots / rotations {
			hash.Write(leader[:])
		}
	}
	return hex.EncodeToString(hash.Sum(nil))
}
