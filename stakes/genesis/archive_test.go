package genesis

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

func gzipWriter(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }

func zstdWriter(w io.Writer) io.WriteCloser {
	z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	if err != nil {
		panic(err)
	}
	return z
}

// Members of a real archive beside genesis.bin.
var (
	directory = member{"rocksdb/", nil}
	log       = member{"rocksdb/LOG", bytes.Repeat([]byte("compaction\n"), 1000)}
	decoy     = member{"rocksdb/genesis.bin", []byte("no genesis")}
)

func TestReadArchive(t *testing.T) {
	data := small().bytes()
	for name, members := range map[string][]member{
		"alone":        {{"genesis.bin", data}},
		"as validator": {{"genesis.bin", data}, directory, log},
		"last":         {directory, log, decoy, {"genesis.bin", data}},
		"with ./":      {{"./rocksdb/", nil}, {"./genesis.bin", data}},
	} {
		plain := archiveOf(members...)
		for form, packed := range map[string][]byte{
			"tar": plain, "gzip": packed(plain, gzipWriter), "zstd": packed(plain, zstdWriter),
		} {
			set, err := ReadArchive(bytes.NewReader(packed), "g.tar")
			if err != nil {
				t.Errorf("%s, %s: %v", name, form, err)
				continue
			}
			equal(t, name+", "+form, set.Lists[1].Entries, smallEntries)
			if p := &set.Lists[1].Provenance; p.Source != "g.tar" || !bytes.Equal(p.GenesisHash[:], hashOf(small())) {
				t.Errorf("%s, %s: %v, hash %v", name, form, p, p.GenesisHash)
			}
		}
	}
}

func TestReadArchiveErrors(t *testing.T) {
	data := small().bytes()
	bad := bytes.Clone(data)
	bad[132] = 2
	good := archiveOf(member{"genesis.bin", data}, directory, log)
	flip := func(b []byte, at int) []byte { b = bytes.Clone(b); b[at] ^= 1; return b }
	gz, zs := packed(good, gzipWriter), packed(good, zstdWriter)
	for name, c := range map[string]struct {
		data []byte
		is   error
		text string
	}{
		"nothing":        {nil, ErrNoGenesis, "g: archive has no file genesis.bin, it is empty"},
		"empty":          {archiveOf(), ErrNoGenesis, "it is empty"},
		"no member":      {archiveOf(directory, log, decoy), ErrNoGenesis, `it has 3 members: "rocksdb/", "rocksdb/LOG", "rocksdb/genesis.bin"`},
		"a directory":    {archiveOf(member{"genesis.bin/", nil}), ErrNoGenesis, `it has 1 members: "genesis.bin/"`},
		"long name":      {archiveOf(member{strings.Repeat("x", 5000), nil}), ErrNoGenesis, `"` + strings.Repeat("x", 60) + `"`},
		"text":           {[]byte(strings.Repeat("pubkey,stake\n", 100)), ErrArchive, "want a tar archive, plain or compressed with bzip2, gzip, lz4 or zstd"},
		"bare genesis":   {data, ErrArchive, "want a tar archive"},
		"bad gzip":       {[]byte{0x1f, 0x8b, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9}, ErrArchive, "gzip: invalid header"},
		"half a gzip":    {gz[:len(gz)/2], ErrArchive, "unexpected EOF"},
		"gzip checksum":  {flip(gz, len(gz)-8), ErrArchive, "checksum"},
		"zstd checksum":  {flip(zs, len(zs)-1), ErrArchive, "g: archive cannot be unpacked: "},
		"half a zstd":    {zs[:len(zs)/2], ErrArchive, "g: "},
		"cut in genesis": {good[:700], ErrArchive, "g: genesis.bin: byte 181: accounts[1].data: archive cannot be unpacked: unexpected EOF"},
		"bad genesis":    {archiveOf(member{"genesis.bin", bad}), ErrValue, "g: genesis.bin: byte 132: accounts[0].executable: "},
		"short genesis": {archiveOf(member{"genesis.bin", data[:len(data)-1]}, log), ErrTruncated,
			"cluster type: data ends early: 3 of 4 bytes"},
		"long genesis": {archiveOf(member{"genesis.bin", append(bytes.Clone(data), 0)}, log), ErrTrailing, "g: genesis.bin: byte "},
		"long length": {archiveOf(member{"genesis.bin", append(bytes.Clone(data[:8]), 255, 255, 255, 0, 0, 0, 0, 0)}, log), ErrLength,
			"byte 8: accounts: impossible length: 16777215 elements of at least 89 bytes, 0 bytes can follow"},
	} {
		set, err := ReadArchive(bytes.NewReader(c.data), "g")
		t.Log(name)
		wantError(t, err, c.is, c.text)
		if set != nil {
			t.Errorf("%s: a set and an error", name)
		}
	}
}

func TestArchivePrefixes(t *testing.T) {
	gz := packed(archiveOf(member{"genesis.bin", small().bytes()}, directory, log), gzipWriter)
	for n := range gz {
		set, err := ReadArchive(bytes.NewReader(gz[:n]), "cut")
		var located *Error
		if set != nil || !errors.As(err, &located) {
			t.Errorf("%d of %d bytes: %v", n, len(gz), err)
		}
	}
	_, err := ReadArchive(brokenStream{}, "g")
	wantError(t, err, io.ErrClosedPipe, "g: archive cannot be unpacked: io: read/write on closed pipe")
}

// What unpacks to more than the limit is given up, wherever it is.
func TestArchiveLimit(t *testing.T) {
	const limit = 1 << 20
	genesis := member{"genesis.bin", small().bytes()}
	large := make([]byte, 2*limit)
	read := func(b []byte) error {
		_, err := readArchive(bytes.NewReader(packed(b, gzipWriter)), "g", limit)
		return err
	}
	wantError(t, read(archiveOf(member{"rocksdb/LOG", large}, genesis)), ErrSize, "g: too large: at most 1048576 bytes")
	wantError(t, read(archiveOf(genesis, member{"rocksdb/LOG", large})), ErrSize, "g: too large: at most 1048576 bytes")
	wantError(t, read(archiveOf(member{"genesis.bin", large})), ErrSize, "g: genesis.bin: byte 0: too large: 2097152 bytes, at most 1048576")
	wantError(t, read(append(archiveOf(genesis), large...)), ErrSize, "too large")
	whole := archiveOf(genesis, log)
	if _, err := readArchive(bytes.NewReader(whole), "g", int64(len(whole))); err != nil {
		t.Errorf("an archive of just the limit: %v", err)
	}
	_, err := readArchive(bytes.NewReader(whole), "g", int64(len(whole))-1)
	wantError(t, err, ErrSize, "too large")

	b := small().bytes()
	for _, short := range []int64{0, 1} {
		set, err := read2(b, int64(len(b))-short)
		if (err == nil) != (short == 0) || err != nil && !errors.Is(err, ErrSize) {
			t.Errorf("%d bytes over the limit: %v, %v", short, set, err)
		}
	}
}

func read2(b []byte, limit int64) (any, error) {
	return read(&limited{r: bytes.NewReader(b), limit: limit}, unknownSize, "g", "")
}

// A frame that says that it needs a window of 1 GiB gets none.
func TestZstdWindow(t *testing.T) {
	frame := []byte{0x28, 0xb5, 0x2f, 0xfd, 0x00, 20 << 3, 0x03, 0x00, 0x08, 0}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := ReadArchive(bytes.NewReader(frame), "g")
	runtime.ReadMemStats(&after)
	wantError(t, err, ErrArchive, "a zstd window of over 8 MiB")
	if got := after.TotalAlloc - before.TotalAlloc; got > 8<<20 {
		t.Errorf("%d bytes allocated", got)
	}
}
