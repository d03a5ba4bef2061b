package snapshot

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/snapshot/manifest"
)

// What is read of an archive at most, until the manifest ends. Members before the
// manifest are passed over, which takes time and no memory.
const (
	MaxContent = 64 << 30 // bytes, decompressed
	MaxMembers = 1 << 21
	// MaxRatio is how many bytes of content a byte of the archive may hold; real
	// archives have less than 20. What is no more than FreeContent may hold any.
	MaxRatio    = 1000
	FreeContent = 128 << 20
)

const (
	manifestForm  = "snapshots/SLOT/SLOT"
	versionMember = "version"
)

// archive reads the version and the manifest of an archive.
func (s *source) archive(r io.Reader) error {
	packed := &counter{r: r}
	content, c, err := decompress(packed)
	if err != nil {
		return &Error{Name: s.name, Err: err}
	}
	defer content.Close()
	s.compression = c
	return s.members(tar.NewReader(&limited{r: content, most: s.limits.content, left: s.limits.content, packed: packed}))
}

func (s *source) members(t *tar.Reader) error {
	at := "" // the member before the one that is looked for
	for range s.limits.members {
		h, err := t.Next()
		switch {
		case err == io.EOF && at == "":
			return &Error{Name: s.name, Err: fmt.Errorf("%w: it is empty, want one with %s", ErrNoManifest, manifestForm)}
		case err == io.EOF:
			return &Error{Name: s.name, Err: fmt.Errorf("%w: none of the archive's members is %s", ErrNoManifest, manifestForm)}
		case errors.Is(err, tar.ErrHeader) && at == "":
			return &Error{Name: s.name, Err: fmt.Errorf("%w: %v, but no tar archive is in it", ErrFormat, s.compression)}
		case err != nil:
			return &Error{Name: s.name, Member: behind(at), Err: ended(err)}
		}
		at = path.Clean(h.Name)
		slot, isManifest, err := manifestSlot(at)
		switch {
		case err != nil:
			return &Error{Name: s.name, Member: quoteMember(at), Err: err}
		case isManifest:
			if !h.FileInfo().Mode().IsRegular() {
				return &Error{Name: s.name, Member: at, Err: fmt.Errorf("%w: it is no regular file", ErrNoManifest)}
			}
			return s.readManifest(t, h.Size, at, slot)
		case at == versionMember:
			if err := s.readVersion(t, at); err != nil {
				return err
			}
		}
	}
	return &Error{Name: s.name, Err: fmt.Errorf("%w: %d members and no manifest", ErrLimit, s.limits.members)}
}

// manifestSlot returns the slot in the path of a manifest; false when a member is
// something else.
func manifestSlot(member string) (schedule.Slot, bool, error) {
	parts := strings.Split(member, "/")
	if len(parts) != 3 || parts[0] != snapshotsFolder {
		return 0, false, nil
	}
	slot, err := parseSlot(parts[2])
	if err != nil {
		return 0, false, nil // something else in the folder
	}
	if folder, err := parseSlot(parts[1]); err != nil || folder != slot {
		return 0, false, fmt.Errorf("%w: a manifest of slot %d in folder %.40q, want %s", ErrSlot, slot, parts[1], manifestForm)
	}
	return slot, true, nil
}

// readManifest reads the manifest, whose path says a slot.
func (s *source) readManifest(r io.Reader, size int64, member string, slot schedule.Slot) error {
	if size > manifest.MaxSize {
		return &Error{Name: s.name, Member: member, Err: fmt.Errorf("%w: %d bytes, at most %d", ErrLimit, size, int64(manifest.MaxSize))}
	}
	m, err := manifest.Read(r, size)
	if err != nil {
		return &Error{Name: s.name, Member: member, Err: err}
	}
	if m.Slot != slot {
		return &Error{Name: s.name, Member: member, Err: fmt.Errorf("%w: its bank is of slot %d", ErrSlot, m.Slot)}
	}
	s.manifest = m
	return nil
}

// behind says where an archive is cut off.
func behind(member string) string {
	if member == "" {
		return ""
	}
	return "after " + quoteMember(member)
}

// quoteMember shows a member's name in an error: on one line, not at any length.
func quoteMember(name string) string {
	const most = 80
	if plain := strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789._/"); plain == "" && len(name) <= most {
		return name
	}
	return fmt.Sprintf("%.*q", most, name)
}

// ended takes the end of the data within an archive for what it is.
func ended(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// limits are what is read of an archive at most.
type limits struct {
	content int64
	members int
}

// limited gives an error, not the end, after so many bytes, and when they are too
// many for the data that they were packed in.
type limited struct {
	r          io.Reader
	most, left int64
	packed     *counter
}

func (l *limited) Read(b []byte) (int, error) {
	if l.left <= 0 {
		return 0, fmt.Errorf("%w: over %d bytes of content up to the manifest's end", ErrLimit, l.most)
	}
	if content := l.most - l.left; content > FreeContent && content/MaxRatio > l.packed.n {
		return 0, fmt.Errorf("%w: %d bytes of the archive have over %d bytes of content each", ErrLimit, l.packed.n, MaxRatio)
	}
	n, err := l.r.Read(b[:min(int64(len(b)), l.left)])
	l.left -= int64(n)
	return n, err
}

// A counter counts the bytes that it reads.
type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n += int64(n)
	return n, err
}
