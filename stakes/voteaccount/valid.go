package voteaccount

import "github.com/schedgen/schedgen/schedule"

// ProgramID is the address of the vote program, which owns all vote accounts.
const ProgramID = "Vote111111111111111111111111111111111111111"

// programID is ProgramID in bytes.
var programID = schedule.Pubkey{0x07, 0x61, 0x48, 0x1d, 0x35, 0x74, 0x74, 0xbb, 0x7c, 0x4d, 0x76, 0x24, 0xeb, 0xd3, 0xbd, 0xb3,
	0xd8, 0x35, 0x5e, 0x73, 0xd1, 0x10, 0x43, 0xfc, 0x0d, 0xa3, 0x53, 0x80, 0x00, 0x00, 0x00, 0x00}

// IsOwner reports whether an account's owner is the vote program.
func IsOwner(owner schedule.Pubkey) bool { return owner == programID }

// Valid reports whether a release with SIMD-0180 counts data as that of a vote
// account: it has the size of version 1.14.11 or of versions 3 and 4, and is not
// blank. Accounts of earlier layouts, as in the genesis of testnet, led when they
// were made and are not valid in this sense.
func Valid(data []byte) bool {
	// What must not be blank reaches up to the previous voters.
	const blankV1, blankV3 = 86, 118
	switch len(data) {
	case sizeV1:
		return !blank(data[nodeOffset:blankV1])
	case sizeV3:
		return !blank(data[nodeOffset:blankV3])
	}
	return false
}

func blank(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}
