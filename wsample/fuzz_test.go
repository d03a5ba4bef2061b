package wsample

import (
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"testing"

	"github.com/schedgen/schedgen/chacha20rng"
	"github.com/schedgen/schedgen/internal/cpu"
)

// fuzzWeights reads weights above zero, each of a byte count given by the byte
// before it, and ends before the sum passes 2^64-1.
func fuzzWeights(data []byte, repeat uint16) (weights []uint64) {
	var total uint64
	for len(data) > 0 {
		size := int(data[0] % 9)
		var word [8]byte
		data = data[1+copy(word[:size], data[1:]):]
		w := max(1, binary.LittleEndian.Uint64(word[:]))
		for range 1 + int(repeat%400) {
			sum, carry := bits.Add64(total, w, 0)
			if carry != 0 {
				return weights
			}
			total, weights = sum, append(weights, w)
		}
	}
	return weights
}

func FuzzTable(f *testing.F) {
	f.Add([]byte{1, 40, 1, 30, 1, 20, 1, 10}, uint16(0), []byte("0123456789abcdef"))
	f.Add([]byte{8, 255, 255, 255, 255, 255, 255, 255, 127, 1, 1}, uint16(0), []byte{255})
	f.Add([]byte{7, 1, 2, 3, 4, 5, 6, 7, 1, 1}, uint16(255), []byte("seed"))
	f.Fuzz(func(t *testing.T, list []byte, repeat uint16, seed []byte) {
		weights := fuzzWeights(list, repeat)
		if len(weights) == 0 {
			return
		}
		reference := tableOn(t, cpu.Generic, weights)
		x := make([]uint64, 101)
		var key [32]byte
		copy(key[:], seed)
		chacha20rng.New(key).FillRolls(x, reference.zone)
		x[0], x[1] = 0, reference.total-1
		want := make([]uint32, len(x))
		for i, x := range x {
			want[i] = uint32(linearMap(weights, x))
		}
		for _, b := range cpu.Available() {
			table := tableOn(t, b, weights)
			if !slices.Equal(lookupOn(table, b, x), want) || !slices.Equal(table.guide.Entries, reference.guide.Entries) {
				t.Errorf("%s: indices or guide of %d weights differ", b, len(weights))
			}
		}
	})
}

func FuzzSampler(f *testing.F) {
	f.Add([]byte{1, 40, 1, 30, 1, 20, 1, 10}, uint16(0), uint64(0), []byte{0, 4, 3, 2, 1}, false)
	f.Add([]byte{3, 40, 7, 1, 2, 30, 4}, uint16(399), uint64(1000), []byte{0, 255, 4, 0, 1, 200, 0}, true)
	f.Add([]byte{8, 1, 2, 3, 4, 5, 6, 7, 100, 8, 1, 2, 3, 4, 5, 6, 7, 120}, uint16(0), uint64(math.MaxUint64), []byte{3, 3, 3}, true)
	f.Fuzz(func(t *testing.T, list []byte, repeat uint16, poison uint64, calls []byte, shift bool) {
		weights := fuzzWeights(list, repeat)
		if len(weights) == 0 || len(weights) > 20_000 {
			return
		}
		options := []Option{WithPoison(poison % (math.MaxUint64 - sumOf(weights) + 1)), WithRejection(chacha20rng.ByModulo)}
		if shift {
			options = append(options, WithRejection(chacha20rng.ByShift))
		}
		for _, b := range cpu.Available() {
			p := newPair(t, b, weights, [32]byte{byte(len(calls))}, options...)
			for i, c := range calls[:min(len(calls), 20)] {
				p.call(t, int(c%5), int(c)*(i+1)*7%len(weights))
			}
			p.draw(t, len(weights)/4, true)
		}
	})
}
