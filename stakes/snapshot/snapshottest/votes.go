package snapshottest

import (
	"bytes"

	"github.com/schedgen/schedgen/internal/splitmix"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/voteaccount"
)

// VoteProgram owns vote accounts.
var VoteProgram = func() schedule.Pubkey {
	key, _ := schedule.ParsePubkey(voteaccount.ProgramID)
	return key
}()

// Versions of vote account data, by the tag of its enum.
const (
	VoteV1 = 1 // of release 1.14.11
	VoteV3 = 2
	VoteV4 = 3
)

// NewVote returns a vote account that follows from a number: with other numbers
// come other keys. One of version 4 has a BLS public key.
func NewVote(number uint64, version uint32, node schedule.Pubkey, stake uint64) Vote {
	source := splitmix.Source(number)
	return Vote{
		Key:      source.Key(),
		Node:     node,
		Stake:    stake,
		Lamports: 27_074_400 + number,
		Data:     VoteData(version, node, number),
		Owner:    VoteProgram,
	}
}

// VoteData returns the data of a vote account that has voted for long: of
// version 1 3,731 bytes, of later ones 3,762.
func VoteData(version uint32, node schedule.Pubkey, number uint64) []byte {
	var b bytes.Buffer
	e := newEncoder(&b, number)
	slot := 400_000_000 + number*7
	size := 3762
	e.u32(version)
	e.key(node)
	e.filler(32) // withdrawer
	switch version {
	case VoteV4:
		e.filler(64) // collectors
		e.u16(500)
		e.u16(10_000)
		e.u64(number)
		e.option(true, "bls")
		e.filler(48)
	default:
		if version == VoteV1 {
			size = 3731
		}
		e.u8(5)
	}
	const votes = 31
	e.u64(votes)
	for i := range uint64(votes) {
		if version != VoteV1 {
			e.u8(uint8(e.fill.Next() % 3)) // latency
		}
		e.u64(slot + i)
		e.u32(uint32(votes - i))
	}
	if e.option(true, "root") {
		e.u64(slot - 1)
	}
	e.u64(1) // authorized voters
	e.u64(900)
	e.filler(32)
	if version != VoteV4 {
		e.zeros(32 * 48) // prior voters
		e.u64(31)
		e.bool(true, "is_empty")
	}
	const epochs = 64
	e.u64(epochs)
	credits := number << 8
	for i := range uint64(epochs) {
		e.u64(900 + i)
		before := credits
		credits += 6_900_000 + e.fill.Next()%10_000
		e.u64(credits)
		e.u64(before)
	}
	e.u64(slot + votes)
	e.i64(1_700_000_000)
	e.zeros(size - int(e.n))
	e.flush()
	return b.Bytes()
}
