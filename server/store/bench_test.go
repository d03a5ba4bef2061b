package store

import "testing"

// BenchmarkPut replaces a list of mainnet's size, synced to the disk.
func BenchmarkPut(b *testing.B) {
	s := mustOpen(b, b.TempDir(), Options{})
	for i := 0; b.Loop(); i++ {
		b.StopTimer()
		l := made(900, uint64(i%2), 1500)
		b.StartTimer()
		mustPut(b, s, l)
	}
}

func BenchmarkGet(b *testing.B) {
	s := mustOpen(b, b.TempDir(), Options{})
	put := mustPut(b, s, made(900, 0, 1500))
	b.SetBytes(int64(put.Meta.Bytes))
	for b.Loop() {
		if _, _, err := s.Get(900); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkOpen opens a store of 200 epochs and reads what it has.
func BenchmarkOpen(b *testing.B) {
	dir := filled(b, 700, 200, 1500)
	for b.Loop() {
		s, err := Open(dir, Options{})
		if err != nil {
			b.Fatal(err)
		}
		if metas, err := s.Epochs(); err != nil || len(metas) != 200 {
			b.Fatal(len(metas), err)
		}
		s.Close()
	}
}
