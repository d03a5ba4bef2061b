//go:build !((amd64 || arm64 || ppc64 || ppc64le || s390x) && gc) || purego

package chacha20rng

import (
	"github.com/schedgen/schedgen/internal/cpu"
	"github.com/schedgen/schedgen/internal/guide"
)

// blocks calls the block function of a backend; this build has one. The lower half
// of the counter does not wrap before the last block.
func blocks(_ cpu.Backend, dst []uint64, key *[8]uint32, counter uint64, rounds int) {
	blocksGeneric(dst, key, counter, rounds)
}

// weave makes no ranks; this build has no function for it.
func (r *RNG) weave([]uint16, Zone, *guide.Table) int { return 0 }

// rolls calls the roll function of a backend; this build has one.
func rolls(_ cpu.Backend, dst, src []uint64, z Zone) (written, read int) {
	return rollsGeneric(dst, src, z)
}
