package chacha20rng

import (
	"fmt"
	"testing"

	"golang.org/x/crypto/chacha20"

	"github.com/schedgen/schedgen/internal/guide/guidetest"
)

func forBackends(b *testing.B, f func(b *testing.B, backend string)) {
	for _, name := range Backends() {
		b.Run(name, func(b *testing.B) { f(b, name) })
	}
}

func benchmarkFill(b *testing.B, r *RNG, backend string) {
	if err := r.SetBackend(backend); err != nil {
		b.Fatal(err)
	}
	var words [4096]uint64
	b.SetBytes(8 * int64(len(words)))
	for b.Loop() {
		r.Fill(words[:])
	}
}

func BenchmarkFill(b *testing.B) {
	forBackends(b, func(b *testing.B, backend string) { benchmarkFill(b, New([32]byte{}), backend) })
}

func BenchmarkFillChaCha8(b *testing.B) {
	forBackends(b, func(b *testing.B, backend string) { benchmarkFill(b, NewChaCha8([32]byte{}), backend) })
}

// The same keystream from the package that Go programs use today.
func BenchmarkXCrypto(b *testing.B) {
	stream := make([]byte, 8*4096)
	b.SetBytes(int64(len(stream)))
	for b.Loop() {
		// A new cipher each time: one has no more than 2^32 blocks.
		cipher, err := chacha20.NewUnauthenticatedCipher(make([]byte, chacha20.KeySize), make([]byte, chacha20.NonceSize))
		if err != nil {
			b.Fatal(err)
		}
		clear(stream)
		cipher.XORKeyStream(stream, stream)
	}
}

func BenchmarkUint64(b *testing.B) {
	forBackends(b, func(b *testing.B, backend string) {
		r := New([32]byte{})
		if err := r.SetBackend(backend); err != nil {
			b.Fatal(err)
		}
		b.SetBytes(8)
		for b.Loop() {
			r.Uint64()
		}
	})
}

// An epoch draws 108,000 numbers.
func BenchmarkFillRolls(b *testing.B) {
	forBackends(b, func(b *testing.B, backend string) {
		r := New([32]byte{})
		if err := r.SetBackend(backend); err != nil {
			b.Fatal(err)
		}
		var values [4096]uint64
		z := Modulo(392456937698882662)
		for b.Loop() {
			r.FillRolls(values[:], z)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(values)), "ns/draw")
	})
}

// The ranks of an epoch: at once, and with one stage after the other.
func BenchmarkFillRanks(b *testing.B) {
	for _, c := range []struct{ validators, guideBits int }{{1500, 14}, {5000, 15}, {20000, 16}} {
		table, total := guidetest.New(guidetest.Weights("cluster", c.validators, 4e17, 1), c.guideBits)
		z := Modulo(total)
		ranks := make([]uint16, 108_000)
		woven := func(r *RNG) { r.FillRanks16(ranks, z, table) }
		apart := func(r *RNG) {
			var numbers [bufferWords]uint64
			for dst := ranks; len(dst) > 0; {
				x := numbers[:min(len(dst), bufferWords)]
				r.FillRolls(x, z)
				table.Lookup(dst, x)
				dst = dst[len(x):]
			}
		}
		for _, way := range []struct {
			name string
			fill func(r *RNG)
		}{{"FillRanks16", woven}, {"FillRolls+Lookup", apart}} {
			b.Run(fmt.Sprintf("%d/%s", c.validators, way.name), func(b *testing.B) {
				forBackends(b, func(b *testing.B, backend string) {
					r := New([32]byte{})
					if err := r.SetBackend(backend); err != nil {
						b.Fatal(err)
					}
					for b.Loop() {
						way.fill(r)
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(ranks)), "ns/draw")
				})
			})
		}
	}
}

// A Turbine tree reseeds for every shred.
func BenchmarkReseed(b *testing.B) {
	forBackends(b, func(b *testing.B, backend string) {
		r := NewChaCha8([32]byte{})
		if err := r.SetBackend(backend); err != nil {
			b.Fatal(err)
		}
		for i := 0; b.Loop(); i++ {
			r.Reseed([32]byte{byte(i)})
			r.Uint64()
		}
	})
}
