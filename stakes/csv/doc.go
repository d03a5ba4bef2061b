// Package csv reads and writes stake lists as comma-separated values.
//
// A list has one of two forms, the second with the identities that lead for the
// vote accounts:
//
//	pubkey,stake
//	vote_pubkey,node_pubkey,stake
//
// Keys are base58, stakes whole lamports in decimal digits. The header may be
// left out; with one, the columns may be in any order, and there may be two more:
// balance, of the vote account in lamports, and bls, whether it has a BLS public
// key, true or false. Blank lines and lines that begin with # are skipped, line
// ends may be LF or CRLF, a UTF-8 byte order mark is ignored, and so is space
// around a field.
//
// One comment means something: a line before the list that begins with
// "# schedgen: {" holds a list.Provenance as JSON, so that a list written by
// [WriteList] still says which epoch it leads when [ReadList] reads it.
package csv
