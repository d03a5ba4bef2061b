package chacha20rng

import "github.com/schedgen/schedgen/internal/guide"

// FillRanks16 sets dst to the indices of t that the next len(dst) numbers below
// z.N() fall on. It uses the same words as len(dst) calls of Roll. z.N() must be the
// total of t, or less.
//
// It does what FillRolls and t.Lookup do. For ChaCha20 the avx512 backend does both
// at once, see weave. That is the faster way while few draws need more than the
// first step of a lookup; a guide with twice as many buckets as weights sees to it.
func (r *RNG) FillRanks16(dst []uint16, z Zone, t *guide.Table) {
	var numbers [bufferWords]uint64
	for len(dst) > 0 {
		written := r.weave(dst, z, t)
		if written == 0 {
			if r.next == bufferWords {
				r.refill()
			}
			var read int
			written, read = rolls(r.backend, numbers[:min(len(dst), bufferWords)], r.buf[r.next:], z)
			r.next += read
			t.Lookup(dst, numbers[:written])
		}
		dst = dst[written:]
	}
}
