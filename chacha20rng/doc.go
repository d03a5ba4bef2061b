// Package chacha20rng gives the random streams of Rust's rand_chacha, and the
// two ways in which Rust's rand turns them into numbers below n.
//
// A Solana node draws the leaders of an epoch from the ChaCha20 stream seeded
// with the epoch number, and a Turbine tree from ChaCha8 or ChaCha20 seeded by
// the shred. One word that differs, or is used once too often, gives another
// schedule. Most programs want math/rand/v2 instead: it is faster and safer to
// seed; its ChaCha8 is a different generator.
//
// # The stream
//
// New(seed) equals ChaCha20Rng::from_seed(seed) of rand_chacha 0.3, and
// NewChaCha8 its ChaCha8Rng: the original ChaCha layout with
//
//	words  0..3   the constant "expand 32-byte k"
//	words  4..11  the seed, little-endian
//	words 12..13  the number of the block, 64 bits, little-endian
//	words 14..15  the stream id, zero
//
// The stream is the keystream blocks in order, read as little-endian 64-bit
// words: word j lies in block j/8. For the first 2^32 blocks it is the
// ChaCha20 of RFC 8439 with a zero nonce.
//
// # Numbers below n
//
// Both methods multiply a word x by n, keep the high half of the 128-bit
// product when the low half is at most a limit (the zone), and otherwise take
// the next word. They differ in the limit only:
//
//	Modulo(n)  2^64-1 - (2^64 mod n)         Uniform::new(0, n), WeightedIndex: leader schedules
//	Shift(n)   (n << leading zeros of n) - 1  gen_range(0..n): Turbine, gossip
//
// Modulo rejects as few words as can be; Shift saves a division and rejects up
// to half of them. Taking one for the other moves nearly every leader.
package chacha20rng
