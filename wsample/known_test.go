package wsample

import (
	"bytes"
	"slices"
	"testing"

	"github.com/schedgen/schedgen/chacha20rng"
	"github.com/schedgen/schedgen/internal/cpu"
	"github.com/schedgen/schedgen/internal/cpu/cputest"
)

func seedOf(b byte) [32]byte { return [32]byte(bytes.Repeat([]byte{b}, 32)) }

// Known answers of fd_wsample, made again by independent programs on the same
// words. The 18 weights are those of a shuffle test.
func TestKnownDraws(t *testing.T) {
	eighteen := []uint64{78, 70, 38, 27, 21, 82, 42, 21, 77, 77, 17, 4, 50, 96, 83, 33, 16, 72}
	for _, c := range []struct {
		name      string
		weights   []uint64
		seed      byte
		rejection chacha20rng.Rejection
		rng       func([32]byte) *chacha20rng.RNG
		remove    bool
		want      []uint32
	}{
		{"two, modulo, ChaCha8", []uint64{2, 1}, 0, chacha20rng.ByModulo, chacha20rng.NewChaCha8, false,
			[]uint32{1, 0, 0, 0, 0, 0, 0, 0}},
		{"two, modulo, ChaCha20", []uint64{2, 1}, 0, chacha20rng.ByModulo, chacha20rng.New, false,
			[]uint32{0, 0, 0, 1, 0, 0, 0, 0}},
		{"two, shift, ChaCha20", []uint64{2, 1}, 0, chacha20rng.ByShift, chacha20rng.New, false,
			[]uint32{0, 0, 0, 1, 0, 0, 0, 0}},
		{"eighteen, shift, ChaCha8", eighteen, 0x30, chacha20rng.ByShift, chacha20rng.NewChaCha8, true,
			[]uint32{13, 8, 6, 14, 0, 17, 1, 12, 3, 16, 5, 15, 9, 2, 4, 7, 10, 11}},
		{"eighteen, shift, ChaCha20", eighteen, 0x30, chacha20rng.ByShift, chacha20rng.New, true,
			[]uint32{9, 3, 12, 15, 0, 8, 16, 5, 2, 1, 14, 6, 11, 13, 17, 10, 4, 7}},
	} {
		t.Run(c.name, func(t *testing.T) {
			cputest.Each(t, func(t *testing.T, b cpu.Backend) {
				r := c.rng(seedOf(c.seed))
				if err := r.SetBackend(string(b)); err != nil {
					t.Fatal(err)
				}
				s := mustSampler(t, c.weights, WithRejection(c.rejection), WithBackend(string(b)))
				got := make([]uint32, len(c.want))
				if c.remove {
					s.SampleAndRemoveMany(r, got)
				} else {
					s.SampleMany(r, got)
				}
				if !slices.Equal(got, c.want) {
					t.Errorf("got  %v\nwant %v", got, c.want)
				}
				if c.remove || c.rejection != chacha20rng.ByModulo {
					return
				}
				r.Seek(0)
				mustTable(t, c.weights).Sample32(r, got)
				if !slices.Equal(got, c.want) {
					t.Errorf("table: got  %v\n       want %v", got, c.want)
				}
			})
		})
	}
}

// TestAgaveLeaders draws the first leaders of epoch 1 with stakes 10, 20, 30, in
// that order: known answers of Agave's leader schedule tests.
func TestAgaveLeaders(t *testing.T) {
	cputest.Each(t, func(t *testing.T, b cpu.Backend) {
		r := newRNG(t, b, [32]byte{1})
		got := make([]uint16, 12)
		// The schedule sorts by stake, heaviest first.
		if err := mustTable(t, []uint64{30, 20, 10}).Sample16(r, got); err != nil {
			t.Fatal(err)
		}
		for i := range got {
			got[i] = 2 - got[i]
		}
		if want := []uint16{1, 1, 2, 1, 1, 0, 0, 1, 2, 1, 0, 1}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}
