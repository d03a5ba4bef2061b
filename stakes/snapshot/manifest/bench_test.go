package manifest

import (
	"bytes"
	"testing"

	"github.com/schedgen/schedgen/stakes/snapshot/snapshottest"
)

// BenchmarkRead reads a manifest as large as mainnet-beta's from memory.
func BenchmarkRead(b *testing.B) {
	spec := snapshottest.Mainnet(snapshottest.New)
	data := spec.Manifest()
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Read(bytes.NewReader(data), int64(len(data))); err != nil {
			b.Fatal(err)
		}
	}
}
