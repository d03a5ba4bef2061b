package schedule

import "crypto/sha256"

// Digest returns the SHA-256 of the raw 32-byte leader identities of every
// slot, in order and without separators: 13.8 MB for 432,000 slots.
func (s *Schedule) Digest() [32]byte {
	h := sha256.New()
	var buf [256 * len(Pubkey{})]byte
	n := 0
	for r := range s.Rotations() {
		leader := &s.stakes.nodes[s.rank(r)]
		for i, end := s.span(r); i < end; i++ {
			if n == len(buf) {
				h.Write(buf[:])
				n = 0
			}
			n += copy(buf[n:], leader[:])
		}
	}
	h.Write(buf[:n])
	var sum [32]byte
	h.Sum(sum[:0])
	return sum
}
