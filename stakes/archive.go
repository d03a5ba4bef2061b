package stakes

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"io"
	"path"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/schedgen/schedgen/stakes/genesis"
	"github.com/schedgen/schedgen/stakes/list"
	"github.com/schedgen/schedgen/stakes/snapshot"
)

const (
	// maxAhead is how much of an archive is read, and kept, to find out what it is
	// of, in bytes: more than a block of any compression.
	maxAhead   = 4 << 20
	maxMembers = 16
)

// readArchive reads the archive of a genesis or of a snapshot, which differ in
// what is in them. It decompresses the beginning twice rather than have a file
// that can be rewound.
func readArchive(r io.Reader, name string) (*list.Set, error) {
	var ahead bytes.Buffer
	genesisInside := holdsGenesis(io.TeeReader(io.LimitReader(r, maxAhead), &ahead))
	r = io.MultiReader(&ahead, r)
	if genesisInside {
		return genesis.ReadArchive(r, name)
	}
	return snapshot.Read(r, name)
}

// holdsGenesis reports whether the first members of an archive are those of a
// genesis. What cannot be read may be a snapshot, whose errors will say why not.
func holdsGenesis(r io.Reader) bool {
	unpacked, closer := unpack(bufio.NewReader(r))
	if unpacked == nil {
		return false
	}
	defer closer()
	archive := tar.NewReader(unpacked)
	for range maxMembers {
		header, err := archive.Next()
		if err != nil {
			return false
		}
		first, _, _ := strings.Cut(path.Clean(header.Name), "/")
		switch first {
		case genesisName, "rocksdb":
			return true
		case "version", "snapshots", "accounts":
			return false
		}
	}
	return false
}

// unpack returns what a compressed stream holds, as far as a genesis is compressed
// so; nil otherwise.
func unpack(r *bufio.Reader) (unpacked io.Reader, closer func()) {
	nothing := func() {}
	head, _ := r.Peek(4)
	switch {
	case bytes.HasPrefix(head, []byte("BZh")):
		return bzip2.NewReader(r), nothing
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		if z, err := gzip.NewReader(r); err == nil {
			return z, nothing
		}
		return nil, nothing
	case bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")):
		z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(snapshot.MaxWindow))
		if err != nil {
			return nil, nothing
		}
		return z, z.Close
	}
	return r, nothing
}
