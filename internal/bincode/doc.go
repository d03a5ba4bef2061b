// Package bincode reads data of the bincode 1 format, as the genesis and the
// snapshots of a cluster have it, from a stream: integers of fixed width in
// little-endian order, lengths of 8 bytes, option tags of 1 byte, enum tags of
// 4 bytes. The format says nothing of itself: who reads must know every field.
//
// A [Reader] keeps its first error, so that a run of reads is checked once, and
// says where it was: byte offset, and the path of names down to the field.
package bincode
