package snapshot

import (
	"bytes"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/schedgen/schedgen/stakes/snapshot/snapshottest"
)

// readWithin is Read with other limits.
func readWithin(archive io.Reader, l limits) error {
	s := &source{name: "a", isArchive: true, limits: l}
	return s.archive(archive)
}

func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// A few KB that decompress without end are given up at the limit, and are not
// kept.
func TestDecompressionBomb(t *testing.T) {
	const content = 64 << 20
	a := small(snapshottest.New)
	a.Members = []snapshottest.Member{snapshottest.Version, "bomb"}
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	header := tarOf(t, a)[:3*512]
	copy(header[2*512+124:], "77777777777\x00") // the bomb's size: 8 GiB
	fixChecksum(header[2*512:])
	w.Write(header)
	zeros := make([]byte, 1<<20)
	for range content / len(zeros) {
		w.Write(zeros)
	}
	w.Close()
	if b.Len() > content/1000 {
		t.Fatalf("the bomb has %d bytes", b.Len())
	}
	archive := b.Bytes()
	var read error
	used := allocated(func() { read = readWithin(bytes.NewReader(archive), limits{content: content / 2, members: MaxMembers}) })
	if e := wantErr(t, read, "a", ErrLimit); !strings.Contains(e.Error(), "33554432 bytes") || e.Member != "after bomb" {
		t.Errorf("got %v", e)
	}
	if used > 16<<20 {
		t.Errorf("%d bytes allocated", used)
	}
	// Within the limit it is an archive that is cut off.
	err = readWithin(bytes.NewReader(archive), limits{content: 2 * content, members: MaxMembers})
	wantErr(t, err, "a", io.ErrUnexpectedEOF)
}

// fixChecksum sets the checksum of a tar header.
func fixChecksum(header []byte) {
	copy(header[148:], "        ")
	sum := 0
	for _, c := range header[:512] {
		sum += int(c)
	}
	for i := range 6 {
		header[148+5-i] = byte('0' + sum>>(3*i)&7)
	}
	header[148+6] = 0
}

func TestTooManyMembers(t *testing.T) {
	a := small(snapshottest.New)
	for range 20 {
		a.Members = append(a.Members, "accounts/1.1")
	}
	a.Members = append(a.Members, snapshottest.Manifest)
	archive := tarOf(t, a)
	err := readWithin(bytes.NewReader(archive), limits{content: MaxContent, members: 20})
	wantErr(t, err, "a", ErrLimit)
	if err := readWithin(bytes.NewReader(archive), limits{content: MaxContent, members: 21}); err != nil {
		t.Error(err)
	}
}

// A manifest whose member claims to be longer than any is refused unread.
func TestManifestTooLong(t *testing.T) {
	a := small(snapshottest.New)
	a.Members = []snapshottest.Member{snapshottest.Manifest}
	archive := tarOf(t, a)
	copy(archive[124:], "200000000000") // base 8: 16 GiB
	archive[124] = 0x80                 // and more, in base 256
	copy(archive[125:136], "\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x01")
	fixChecksum(archive)
	_, err := Read(bytes.NewReader(archive), "a")
	if e := wantErr(t, err, "a", ErrLimit); !strings.Contains(e.Error(), "at most 8589934592") {
		t.Errorf("got %v", e)
	}
}

// Windows up to those of zstd --long are read, and memory is taken for one of
// them; greater ones are refused.
func TestZstdWindows(t *testing.T) {
	plain := tarOf(t, small(snapshottest.New))
	want := mustRead(t, plain, "a")
	for _, window := range []int{MaxWindow, 2 * MaxWindow, zstd.MaxWindowSize} {
		archive := zstdFrame(plain, window)
		used := allocated(func() {
			set, err := Read(bytes.NewReader(archive), "a")
			if window > MaxWindow {
				if e := wantErr(t, err, "a", ErrLimit); !strings.Contains(e.Error(), "window of over 128 MiB") {
					t.Errorf("got %v", e)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			sameLists(t, "window", set, want)
		})
		most := uint64(16 << 20)
		if window == MaxWindow {
			most += MaxWindow
		}
		if used > most {
			t.Errorf("a window of %d MiB: %d bytes allocated", window>>20, used)
		}
	}
}

// zstdFrame is data in blocks that are not compressed, in a frame that claims a
// window, a power of two.
func zstdFrame(data []byte, window int) []byte {
	exponent := byte(0)
	for ; 1<<(10+exponent) < window; exponent++ {
	}
	frame := []byte{0x28, 0xb5, 0x2f, 0xfd, 0, exponent << 3}
	const most = 100 << 10
	for len(data) > 0 {
		n := min(len(data), most)
		header := n << 3
		if n == len(data) {
			header |= 1 // the last
		}
		frame = append(frame, byte(header), byte(header>>8), byte(header>>16))
		frame = append(frame, data[:n]...)
		data = data[n:]
	}
	return frame
}

// FuzzRead: any archive is read or refused with its name.
func FuzzRead(f *testing.F) {
	for end := range snapshottest.Compressors {
		a := small(snapshottest.New)
		a.StatusCache, a.Accounts = 10, 10
		var b bytes.Buffer
		if err := a.Write(&b, end); err != nil {
			f.Fatal(err)
		}
		f.Add(b.Bytes())
		f.Add(b.Bytes()[:b.Len()/2])
	}
	f.Add([]byte("BZh9"))
	f.Fuzz(func(t *testing.T, archive []byte) {
		const most = 16 << 20
		s := &source{name: "fuzz", isArchive: true, limits: limits{content: most, members: 1000}}
		err := s.archive(bytes.NewReader(archive))
		if err == nil {
			_, err = s.set()
		}
		if err != nil {
			mustFail(t, err, "fuzz")
			return
		}
		if !IsArchive(archive[:min(len(archive), HeadSize)]) {
			t.Fatal("read, but not recognised")
		}
	})
}
