package snapshottest

import (
	"archive/tar"
	"compress/gzip"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"github.com/schedgen/schedgen/schedule"
)

// A Member of an archive.
type Member string

const (
	Version     Member = "version"
	Folders     Member = "snapshots/" // and snapshots/SLOT
	StatusCache Member = "snapshots/status_cache"
	Manifest    Member = "snapshots/SLOT/SLOT"
	Accounts    Member = "accounts/" // with one file
)

// An Archive says what a snapshot archive holds.
type Archive struct {
	Spec
	Members     []Member // nil: all of them, in the usual order
	Version     string   // "": 1.2.0
	Path        string   // of the manifest; "": as it should be
	StatusCache int64    // bytes of the status cache
	Accounts    int64    // bytes of the accounts
}

// Name returns the name an archive has by the network's rules.
func (a *Archive) Name(hash schedule.Pubkey, compression string) string {
	return fmt.Sprintf("snapshot-%d-%s.tar%s", a.Slot, hash, compression)
}

// Tar writes the archive without compression.
func (a *Archive) Tar(w io.Writer) error {
	t := tar.NewWriter(w)
	members := a.Members
	if members == nil {
		members = []Member{Version, Folders, StatusCache, Manifest, Accounts}
	}
	for _, m := range members {
		if err := a.member(t, m); err != nil {
			return err
		}
	}
	return t.Close()
}

func (a *Archive) member(t *tar.Writer, m Member) error {
	slot := strconv.FormatUint(a.Slot, 10)
	switch m {
	case Version:
		text := a.Version
		if text == "" {
			text = "1.2.0"
		}
		if err := header(t, "version", int64(len(text))); err != nil {
			return err
		}
		_, err := io.WriteString(t, text)
		return err
	case Folders:
		if err := header(t, "snapshots/", 0); err != nil {
			return err
		}
		return header(t, "snapshots/"+slot+"/", 0)
	case StatusCache:
		return fill(t, string(m), a.StatusCache)
	case Manifest:
		path := a.Path
		if path == "" {
			path = "snapshots/" + slot + "/" + slot
		}
		if err := header(t, path, a.size()); err != nil {
			return err
		}
		_, err := a.WriteManifest(t)
		return err
	case Accounts:
		if err := header(t, string(m), 0); err != nil {
			return err
		}
		return fill(t, "accounts/"+slot+".1", a.Accounts)
	}
	return header(t, string(m), 0)
}

func header(t *tar.Writer, name string, size int64) error {
	h := &tar.Header{
		Typeflag: tar.TypeReg, Name: name, Size: size, Mode: 0o644,
		ModTime: time.Unix(1_700_000_000, 0), Format: tar.FormatGNU,
	}
	if name[len(name)-1] == '/' {
		h.Typeflag, h.Mode = tar.TypeDir, 0o755
	}
	return t.WriteHeader(h)
}

// fill writes a member of made-up content.
func fill(t *tar.Writer, name string, size int64) error {
	if err := header(t, name, size); err != nil {
		return err
	}
	e := newEncoder(t, uint64(size))
	for ; size > 0; size -= min(size, 1<<16) {
		e.filler(int(min(size, 1<<16)))
	}
	return e.flush()
}

// Compressors make what the network compresses archives with, by the end of the
// archive's name. There is none for .bz2, which nothing at hand writes.
var Compressors = map[string]func(io.Writer) (io.WriteCloser, error){
	"":    func(w io.Writer) (io.WriteCloser, error) { return nopCloser{w}, nil },
	".gz": func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil },
	".lz4": func(w io.Writer) (io.WriteCloser, error) {
		l := lz4.NewWriter(w)
		return l, l.Apply(lz4.BlockSizeOption(lz4.Block64Kb)) // as lz4's own library does
	},
	".zst": func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) },
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// Write writes the archive with one of Compressors.
func (a *Archive) Write(w io.Writer, compression string) error {
	c, err := Compressors[compression](w)
	if err != nil {
		return err
	}
	if err := a.Tar(c); err != nil {
		c.Close()
		return err
	}
	return c.Close()
}
