// Package voteaccount reads what a leader schedule needs of a vote account's
// data: the identity that votes and leads for it, and whether it has a BLS public
// key, which admission by SIMD-0357 asks for.
//
// The data begins with a version tag of 4 bytes, little-endian. The identity is
// at bytes 4 to 36 in every version; version 4 has an optional BLS public key at
// byte 144. Releases before 0.23.5 wrote no tag: the genesis of testnet has an
// account of theirs.
package voteaccount
