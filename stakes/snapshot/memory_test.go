package snapshot

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/schedgen/schedgen/stakes/snapshot/snapshottest"
)

// An archive as large as mainnet-beta's, with the greatest window that there may
// be, is read within 256 MiB; so is one of the older layout, which has a million
// delegations for every epoch.
func TestMemoryOfAMainnetArchive(t *testing.T) {
	if testing.Short() || emulated || raceDetector {
		t.Skip("reads archives of 0.2 and 0.9 GB: not in a short run, an emulator, or under the race detector")
	}
	path := filepath.Join(t.TempDir(), "a.tar.zst")
	writeMainnet(t, path)
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	withinMemory(t, "compressed", f)

	r, w := io.Pipe()
	go func() {
		b := bufio.NewWriterSize(w, 1<<20)
		a := snapshottest.Archive{Spec: snapshottest.Mainnet(snapshottest.Old)}
		a.Tar(b) // an error is the reader's, who closes the pipe
		b.Flush()
		w.Close()
	}()
	withinMemory(t, "older layout", r)
	r.Close()
}

func withinMemory(t *testing.T, what string, archive io.Reader) {
	t.Helper()
	const most = 256 << 20
	debug.FreeOSMemory()
	var entries int
	peak := peakMemory(func() {
		set, err := Read(archive, "a")
		if err != nil {
			t.Error(err)
			return
		}
		for i := range set.Lists {
			entries += len(set.Lists[i].Entries)
		}
	})
	t.Logf("%s: at most %d MiB in use", what, peak>>20)
	if peak > most {
		t.Errorf("%s: %d MiB in use, at most %d", what, peak>>20, most>>20)
	}
	if entries != 6000 {
		t.Errorf("%s: %d entries, want 6000", what, entries)
	}
}

func writeMainnet(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w, err := zstd.NewWriter(f, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(MaxWindow), zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	b := bufio.NewWriterSize(w, 1<<20)
	a := snapshottest.Archive{Spec: snapshottest.Mainnet(snapshottest.New), StatusCache: 1 << 20}
	if err := a.Tar(b); err != nil {
		t.Fatal(err)
	}
	if err := b.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// peakMemory returns the most memory in use while f runs, in bytes: heap spans
// that hold objects, and stacks.
func peakMemory(f func()) (peak uint64) {
	inUse := []metrics.Sample{
		{Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/memory/classes/heap/unused:bytes"},
		{Name: "/memory/classes/heap/stacks:bytes"},
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	for {
		metrics.Read(inUse)
		var sum uint64
		for _, s := range inUse {
			sum += s.Value.Uint64()
		}
		peak = max(peak, sum)
		select {
		case <-done:
			return peak
		case <-time.After(time.Millisecond):
		}
	}
}
