package vectors

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/schedgen/schedgen/schedule"
)

// mistakes are ways to derive a schedule wrongly; the zero value is right.
type mistakes struct {
	atLeast         bool // take the first entry whose cumulative stake is >= the draw
	acceptAll       bool // reject no word
	exclusiveZone   bool // reject a low half equal to the zone's limit
	rejectLow       bool // reject low halves below 2^64 mod total, as rand 0.9 does
	shiftZone       bool // the zone of gen_range
	remainder       bool // word modulo total
	totalPlusOne    bool // one lamport too many in the total
	dropSmallest    bool // leave out the last entry
	tiesAscending   bool // equal stakes in ascending order of keys
	unsorted        bool // keep the order of the list
	bigEndianSeed   bool
	truncatedEpoch  bool // keep 32 bits of the epoch
	bigEndianStream bool // exchange the halves of each word
	rounds          int  // 0 stands for 20
}

// plainDerive is the algorithm with nothing to make it fast. It shares no code
// with the packages under test, and returns the leader of every rotation.
func plainDerive(list []schedule.Entry, epoch uint64, rotations int, m mistakes) []schedule.Pubkey {
	list = plainSort(list, m)
	if m.dropSmallest && len(list) > 1 {
		list = list[:len(list)-1]
	}
	var total uint64
	cumulative := make([]uint64, len(list))
	for i, e := range list {
		total += e.Stake
		cumulative[i] = total
	}
	if m.totalPlusOne {
		total++ // 2^64-1 becomes 0: every draw is 0
	}
	stream := plainStream{key: plainSeed(epoch, m), rounds: cmp.Or(m.rounds, 20), swapped: m.bigEndianStream}
	out := make([]schedule.Pubkey, rotations)
	for r := range out {
		draw := plainRoll(&stream, total, m)
		i, found := slices.BinarySearch(cumulative, draw)
		if found && !m.atLeast {
			for i++; i < len(list)-1 && cumulative[i] == draw; i++ { // entries without stake
			}
		}
		i = min(i, len(list)-1)
		out[r] = leader(list[i])
	}
	return out
}

func plainSort(list []schedule.Entry, m mistakes) []schedule.Entry {
	list = slices.Clone(list)
	if m.unsorted {
		return list
	}
	slices.SortFunc(list, func(a, b schedule.Entry) int {
		byKey := bytes.Compare(b.Key[:], a.Key[:])
		if m.tiesAscending {
			byKey = -byKey
		}
		return cmp.Or(cmp.Compare(b.Stake, a.Stake), byKey)
	})
	return slices.Compact(list)
}

func plainSeed(epoch uint64, m mistakes) (key [8]uint32) {
	if m.truncatedEpoch {
		epoch = uint64(uint32(epoch))
	}
	if m.bigEndianSeed {
		epoch = bits.ReverseBytes64(epoch)
		// The last of 32 bytes is the lowest.
		key[6], key[7] = uint32(epoch), uint32(epoch>>32)
		return key
	}
	key[0], key[1] = uint32(epoch), uint32(epoch>>32)
	return key
}

func plainRoll(s *plainStream, total uint64, m mistakes) uint64 {
	rest := uint64(0) // 2^64 mod total
	if total > 0 {
		_, rest = bits.Div64(1%total, 0, total)
	}
	limit := ^uint64(0) - rest
	if m.shiftZone {
		limit = total<<bits.LeadingZeros64(total) - 1
	}
	for {
		word := s.next()
		if m.remainder {
			return word % total
		}
		high, low := bits.Mul64(word, total)
		accept := low <= limit
		switch {
		case m.acceptAll:
			accept = true
		case m.exclusiveZone:
			accept = low < limit
		case m.rejectLow:
			accept = low >= rest
		}
		if accept {
			return high
		}
	}
}

// plainStream is ChaCha block by block.
type plainStream struct {
	key     [8]uint32
	rounds  int
	swapped bool
	block   uint64
	words   []uint64
}

func (s *plainStream) next() uint64 {
	if len(s.words) == 0 {
		s.words = s.makeBlock()
	}
	word := s.words[0]
	s.words = s.words[1:]
	if s.swapped {
		word = bits.RotateLeft64(word, 32)
	}
	return word
}

func (s *plainStream) makeBlock() []uint64 {
	in := [16]uint32{0: 0x61707865, 1: 0x3320646e, 2: 0x79622d32, 3: 0x6b206574,
		12: uint32(s.block), 13: uint32(s.block >> 32)}
	copy(in[4:], s.key[:])
	s.block++
	x := in
	quarter := func(a, b, c, d int) {
		x[a] += x[b]
		x[d] = bits.RotateLeft32(x[d]^x[a], 16)
		x[c] += x[d]
		x[b] = bits.RotateLeft32(x[b]^x[c], 12)
		x[a] += x[b]
		x[d] = bits.RotateLeft32(x[d]^x[a], 8)
		x[c] += x[d]
		x[b] = bits.RotateLeft32(x[b]^x[c], 7)
	}
	for range s.rounds / 2 {
		for i := range 4 {
			quarter(i, 4+i, 8+i, 12+i)
		}
		for i := range 4 {
			quarter(i, 4+(i+1)%4, 8+(i+2)%4, 12+(i+3)%4)
		}
	}
	var out []byte
	for i := range x {
		out = binary.LittleEndian.AppendUint32(out, x[i]+in[i])
	}
	words := make([]uint64, 8)
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(out[8*i:])
	}
	return words
}
