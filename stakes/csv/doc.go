// Package csv reads and writes stake lists as comma-separated values.
//
// A list has one of two forms, the second with the identities that lead for the
// vote accounts:
//
//	pubkey,stake
//	vote_pubkey,node_pubkey,stake
//
// Keys are base58, stakes whole lamports in decimal digits. The header may be
// left out; with one, the columns may be in any order. Blank lines and lines
// that begin with # are skipped, line ends may be LF or CRLF, a UTF-8 byte order
// mark is ignored, and so is space around a field.
package csv
