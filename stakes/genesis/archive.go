package genesis

import (
	"archive/tar"
	"bufio"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/schedgen/schedgen/stakes/internal/compressed"
	"github.com/schedgen/schedgen/stakes/list"
)

// memberName is the file of an archive that is read.
const memberName = "genesis.bin"

// maxWindow is what every decoder of zstd must have, and more than any archive of
// a genesis needs.
const maxWindow = 8 << 20

// ReadArchive reads the genesis.bin of a genesis.tar.bz2; gzip, lz4, zstd and
// no compression are recognised by content. Other members, in whatever order, are
// passed over, and read to the end all the same: damage shows only there. The
// rest is as in [Read].
func ReadArchive(r io.Reader, name string) (*list.Set, error) {
	return readArchive(r, name, MaxSize)
}

func readArchive(r io.Reader, name string, limit int64) (*list.Set, error) {
	fail := func(err error) (*list.Set, error) {
		return nil, &Error{Name: name, Offset: -1, Err: damaged(err)}
	}
	unpacked, _, err := compressed.NewReader(bufio.NewReader(r), maxWindow)
	if err != nil {
		return fail(err)
	}
	defer unpacked.Close()
	bounded := &limited{r: unpacked, limit: limit}
	archive := tar.NewReader(bounded)
	header, err := find(archive)
	if err != nil {
		return fail(err)
	}
	if header.Size > limit {
		return nil, &Error{Name: name, Member: memberName, Err: fmt.Errorf("%w: %d bytes, at most %d", ErrSize, header.Size, limit)}
	}
	set, err := read(damageReader{archive}, header.Size, name, memberName)
	if err != nil {
		return nil, err
	}
	if _, err := io.Copy(io.Discard, bounded); err != nil {
		return fail(err)
	}
	return set, nil
}

// find goes to the member genesis.bin.
func find(archive *tar.Reader) (*tar.Header, error) {
	const most, longest = 5, 60 // members that the error names, and bytes of a name
	var others []string
	for members := 0; ; members++ {
		header, err := archive.Next()
		if err == io.EOF && members == 0 {
			return nil, fmt.Errorf("%w, it is empty", ErrNoGenesis)
		}
		if err == io.EOF {
			return nil, fmt.Errorf("%w, it has %d members: %s", ErrNoGenesis, members, strings.Join(others, ", "))
		}
		if err != nil {
			return nil, err
		}
		if path.Clean(header.Name) == memberName && header.Typeflag == tar.TypeReg {
			return header, nil
		}
		switch {
		case members < most:
			others = append(others, fmt.Sprintf("%.*q", longest, header.Name))
		case members == most:
			others = append(others, "…")
		}
	}
}

// damaged makes an error of unpacking one of the errors of this package.
func damaged(err error) error {
	switch {
	case errors.Is(err, ErrSize), errors.Is(err, ErrNoGenesis), errors.Is(err, ErrArchive):
		return err
	case errors.Is(err, tar.ErrHeader):
		return fmt.Errorf("%w: %w, want a tar archive, plain or compressed with bzip2, gzip, lz4 or zstd", ErrArchive, err)
	}
	return fmt.Errorf("%w: %w", ErrArchive, err)
}

// damageReader tells damage of an archive from the end of a member.
type damageReader struct{ r io.Reader }

func (d damageReader) Read(p []byte) (int, error) {
	n, err := d.r.Read(p)
	if err != nil && err != io.EOF {
		err = damaged(err)
	}
	return n, err
}
