package chacha20rng

import (
	"testing"

	"golang.org/x/crypto/chacha20"
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
