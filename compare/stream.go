package compare

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/schedgen/schedgen/chacha20rng"
)

const (
	firstWords = 512
	moreWords  = 8192 // both are whole numbers of blocks
)

// A stream keeps the words that were drawn of one seed, for all the ways that
// start with them.
type stream struct {
	words   []uint64
	fill    func([]uint64)
	swapped bool
}

// newStream returns the stream of an epoch; false when there is no such epoch.
func newStream(epoch uint64, s seeding) (*stream, bool) {
	shifted := epoch + uint64(s.epochShift)
	if (s.epochShift < 0) != (shifted < epoch) && s.epochShift != 0 {
		return nil, false
	}
	seed := seedOf(shifted, s.seed)
	st := &stream{swapped: s.swapped}
	switch s.rounds {
	case rounds12:
		st.fill = newChaCha(seed, 12).fill
	case rounds8:
		st.fill = chacha20rng.NewChaCha8(seed).Fill
	default:
		st.fill = chacha20rng.New(seed).Fill
	}
	return st, true
}

func seedOf(epoch uint64, form seedForm) (seed [32]byte) {
	switch form {
	case bigEndian8:
		binary.BigEndian.PutUint64(seed[:], epoch)
	case bigEndian32:
		binary.BigEndian.PutUint64(seed[24:], epoch)
	case expanded:
		return expandSeed(epoch)
	default:
		binary.LittleEndian.PutUint64(seed[:], epoch)
	}
	return seed
}

// expandSeed is rand_core 0.6's seed_from_u64: eight numbers of a PCG32.
func expandSeed(state uint64) (seed [32]byte) {
	for i := 0; i < len(seed); i += 4 {
		state = state*6364136223846793005 + 11634580027462260723
		x := bits.RotateLeft32(uint32((state>>18^state)>>27), -int(state>>59))
		binary.LittleEndian.PutUint32(seed[i:], x)
	}
	return seed
}

// word returns a word of the stream.
func (s *stream) word(i int) uint64 {
	for i >= len(s.words) {
		s.grow()
	}
	return s.words[i]
}

func (s *stream) grow() {
	have, more := len(s.words), firstWords
	if have > 0 {
		more = moreWords
	}
	s.words = slices.Grow(s.words, more)[:have+more]
	s.fill(s.words[have:])
	if s.swapped {
		for i := have; i < have+more; i++ {
			s.words[i] = bits.RotateLeft64(s.words[i], 32)
		}
	}
}
