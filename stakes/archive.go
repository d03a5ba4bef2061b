package stakes

import (
	"archive/tar"
	"bufio"
	"bytes"
	"io"
	"path"
	"strings"

	"github.com/schedgen/schedgen/stakes/genesis"
	"github.com/schedgen/schedgen/stakes/internal/compressed"
	"github.com/schedgen/schedgen/stakes/list"
	"github.com/schedgen/schedgen/stakes/snapshot"
)

const (
	// maxAhead is how much of an archive is read, and kept, to find out what it is
	// of, in bytes: more than a block of any compression.
	maxAhead   = 4 << 20
	maxMembers = 16
	// maxUnpacked is how much of its content is looked through for that, in bytes:
	// little data can unpack to any amount.
	maxUnpacked = 16 << 20
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
	unpacked, _, err := compressed.NewReader(bufio.NewReader(r), snapshot.MaxWindow)
	if err != nil {
		return false
	}
	defer unpacked.Close()
	archive := tar.NewReader(io.LimitReader(unpacked, maxUnpacked))
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
