// Package rankfile keeps the leader schedules of very many epochs in one file,
// from which one epoch can be read without the others: 2 bytes a rotation, 216
// KB an epoch of mainnet-beta, and the stake lists, each once.
//
// A [Writer] writes the file front to back, to a pipe as well as to a disk, and
// remembers 48 bytes an epoch until it is closed. A [File] reads it through an
// io.ReaderAt and checks everything that it gives out: a file that was cut short
// or changed is an error.
//
// # Layout
//
// All numbers are little-endian and unsigned. Blocks and tables start at
// multiples of 8 bytes; zeros fill the gaps.
//
//	header, 16 bytes
//	  0  magic          8 bytes: "SGRANKS" and a line feed
//	  8  version        u32: 1
//	 12  zero           u32
//
//	then, in any order, list blocks and rank blocks; then the list table, the
//	epoch table and the trailer, without gaps
//
//	list block, 72 bytes an entry, in the order of ranks
//	  0  key            32 bytes: vote account, or the identity
//	 32  node           32 bytes: identity that leads
//	 64  stake          u64, lamports
//
//	rank block, the ranks of all rotations of an epoch, first to last: u16 each
//	where the list has up to 65,536 entries, otherwise u32
//
//	list table, 64 bytes a list; lists are numbered from 0 in its order
//	  0  offset         u64, of the list block, from the start of the file
//	  8  entries        u32
//	 12  keying         u32: 0 by vote account, 1 by identity
//	 16  total          u64, lamports
//	 24  digest         32 bytes: SHA-256 of the list block
//	 56  zero           u32
//	 60  checksum       u32, of the 60 bytes before
//
//	epoch table, 48 bytes an epoch, epochs ascending, each once
//	  0  epoch          u64
//	  8  first slot     u64, absolute
//	 16  slots          u64
//	 24  offset         u64, of the rank block
//	 32  repeat         u32, slots of a rotation; ceil(slots / repeat) rotations
//	 36  list           u32, number of the stake list
//	 40  rank checksum  u32, of the rank block without what fills it up
//	 44  checksum       u32, of the 44 bytes before
//
//	trailer, 48 bytes, the last of the file
//	  0  list table     u64, offset
//	  8  epoch table    u64, offset
//	 16  epochs         u64, number of them
//	 24  lists          u32, number of them
//	 28  version        u32: 1
//	 32  zero           u32
//	 36  checksum       u32, of the 36 bytes before
//	 40  magic          8 bytes, as in the header
//
// Checksums are CRC-32C (Castagnoli). To find an epoch, read the last 48 bytes,
// search the epoch table by halves, and read the one block.
package rankfile
