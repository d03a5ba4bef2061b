// Package splice puts text that changes around text that was compressed once,
// so that a large answer goes out at the speed of copying although its first and
// last bytes, an id for instance, are those of one request.
//
// [Make] compresses a text into a [Block], which is kept. [Join] sets literals and
// blocks one after another in one stream of a content coding, and copies no block:
//
//   - gzip: one member. A literal is a stored deflate block; a Block begins with no
//     history and ends on a byte, so that it may stand anywhere; the checksum of the
//     whole follows from those of the parts. Several members, one a part, would be
//     as valid, but browsers and others read only the first.
//   - zstd: one frame for each Block, with the literals around it as raw blocks.
//
// Formats: RFC 1951 (deflate), RFC 1952 (gzip), RFC 8878 (zstd), RFC 9659 (the
// window that HTTP allows).
package splice
