package snapshot

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/schedgen/schedgen/stakes/snapshot/snapshottest"
)

func TestMembersInAnyOrder(t *testing.T) {
	const (
		version  = snapshottest.Version
		folders  = snapshottest.Folders
		status   = snapshottest.StatusCache
		manifest = snapshottest.Manifest
		accounts = snapshottest.Accounts
	)
	want := mustRead(t, tarOf(t, small(snapshottest.New)), "a.tar")
	for name, members := range map[string][]snapshottest.Member{
		"status cache last":     {version, folders, manifest, status, accounts},
		"accounts first":        {accounts, status, version, folders, manifest},
		"no folders":            {version, status, manifest},
		"others in the folders": {version, folders, "snapshots/5/state_complete", "snapshots/5/5/5", "5/5", status, manifest},
	} {
		a := small(snapshottest.New)
		a.Members = members
		sameLists(t, name, mustRead(t, tarOf(t, a), "a.tar"), want)
	}
	a := small(snapshottest.New)
	a.Path = fmt.Sprintf("./snapshots/%d/%d", a.Slot, a.Slot)
	sameLists(t, "path that begins with a dot", mustRead(t, tarOf(t, a), "a.tar"), want)

	for _, members := range [][]snapshottest.Member{{manifest, version}, {manifest}} {
		a.Members = members
		wantNotes(t, mustRead(t, tarOf(t, a), "a.tar"), "the version of the archive does not come before its manifest")
	}
}

func TestNoManifest(t *testing.T) {
	for name, members := range map[string][]snapshottest.Member{
		"accounts only":   {snapshottest.Accounts},
		"all but it":      {snapshottest.Version, snapshottest.Folders, snapshottest.StatusCache, snapshottest.Accounts},
		"elsewhere":       {"snapshot/5/5", "a/snapshots/5/5", "/snapshots/5/5", "snapshots/5", "snapshots/-5/-5", "snapshots/+5/+5"},
		"in a folder":     {"snapshots/5/5/"},
		"not in decimals": {"snapshots/0x5/0x5", "snapshots/99999999999999999999/99999999999999999999"},
	} {
		a := small(snapshottest.New)
		a.Members = members
		_, err := Read(bytes.NewReader(tarOf(t, a)), name)
		if e := wantErr(t, err, name, ErrNoManifest); name != "in a folder" && !strings.Contains(e.Error(), "snapshots/SLOT/SLOT") {
			t.Errorf("%v does not say what would be right", e)
		}
	}
	var b bytes.Buffer
	w, _ := zstd.NewWriter(&b)
	w.Write(make([]byte, 1024))
	w.Close()
	_, err := Read(&b, "empty.tar.zst")
	wantErr(t, err, "empty.tar.zst", ErrNoManifest)
}

func TestManifestIsALink(t *testing.T) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	w.WriteHeader(&tar.Header{Typeflag: tar.TypeSymlink, Name: "snapshots/5/5", Linkname: "/etc/passwd"})
	w.Close()
	_, err := Read(&b, "link.tar")
	if e := wantErr(t, err, "link.tar", ErrNoManifest); e.Member != "snapshots/5/5" {
		t.Errorf("member %q", e.Member)
	}
}

// The folder's slot, the file's and the bank's are one, or it is no snapshot.
func TestSlotsOfThePathDisagree(t *testing.T) {
	a := small(snapshottest.New)
	for _, path := range []string{
		"snapshots/5/5",
		fmt.Sprintf("snapshots/%d/5", a.Slot),
		fmt.Sprintf("snapshots/5/%d", a.Slot),
		fmt.Sprintf("snapshots/x/%d", a.Slot),
	} {
		a.Path = path
		_, err := Read(bytes.NewReader(tarOf(t, a)), "a.tar")
		if e := wantErr(t, err, "a.tar", ErrSlot); e.Member != path {
			t.Errorf("%s: member %q", path, e.Member)
		}
	}
}

func TestVersions(t *testing.T) {
	for version, note := range map[string]string{
		"1.2.0": "", "1.2.0\n": "",
		"1.3.0": "the version of the snapshot is 1.3.0, known is 1.2.0",
		"1.0.7": "the version of the snapshot is 1.0.7",
	} {
		a := small(snapshottest.New)
		a.Version = version
		set := mustRead(t, tarOf(t, a), "a.tar")
		if note == "" {
			wantNotes(t, set)
		} else {
			wantNotes(t, set, note)
		}
	}
	for _, version := range []string{
		"2.0.0", "0.9.0", "1.2", "1.2.0.0", "1..0", "v1.2.0", "x", " ", "1.2.-1", "1.2.0 and more",
		strings.Repeat("1.2.0\n", 5000), "\x00\x01\x1b[2J",
	} {
		a := small(snapshottest.New)
		a.Version = version
		_, err := Read(bytes.NewReader(tarOf(t, a)), "a.tar")
		if e := wantErr(t, err, "a.tar", ErrVersion); e.Member != "version" {
			t.Errorf("%q: member %q", version, e.Member)
		}
	}
}

// An archive that is cut off is an error that names it, until its manifest is
// whole; then its stakes are there.
func TestTruncatedArchive(t *testing.T) {
	for _, end := range slices.Sorted(maps.Keys(snapshottest.Compressors)) {
		a := small(snapshottest.New)
		a.Accounts = 200 << 10
		archive := archiveOf(t, a, end)
		want := mustRead(t, archive, "a")
		step := 61
		if emulated || testing.Short() {
			step = 997
		}
		whole := false
		for size := 0; size < len(archive); size += step {
			set, err := Read(bytes.NewReader(archive[:size]), "a")
			if err == nil {
				whole = true
				sameLists(t, "cut off", set, want)
				step = 9973
				continue
			}
			if whole {
				t.Fatalf("%s: %d bytes of %d are not enough and fewer are: %v", end, size, len(archive), err)
			}
			mustFail(t, err, "a")
		}
		if !whole {
			t.Errorf("%s: all of the archive is needed", end)
		}
	}
}

// Of an archive no more is read than some buffers beyond its manifest.
func TestReadsNoFurtherThanTheManifest(t *testing.T) {
	for _, end := range slices.Sorted(maps.Keys(snapshottest.Compressors)) {
		a := small(snapshottest.New)
		a.Accounts = 6 << 20
		archive := archiveOf(t, a, end)
		r := bytes.NewReader(archive)
		if _, err := Read(r, "a"); err != nil {
			t.Fatal(end, err)
		}
		const most = 2 << 20
		if read := len(archive) - r.Len(); read > most {
			t.Errorf("%s: %d of %d bytes read", end, read, len(archive))
		}
	}
}

// What fails below is told as it is.
func TestStreamFails(t *testing.T) {
	errBroken := errors.New("broken")
	for _, end := range []string{"", ".zst"} {
		archive := archiveOf(t, small(snapshottest.New), end)
		for _, size := range []int{0, 3, 600, len(archive) / 4} {
			r := io.MultiReader(bytes.NewReader(archive[:size]), failing{errBroken})
			_, err := Read(r, "a")
			wantErr(t, err, "a", errBroken)
		}
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// One snapshot leaves nothing behind for the next.
func TestLoadAfterAFailureIsALoad(t *testing.T) {
	for _, layout := range layouts {
		b := small(layout)
		want := mustRead(t, tarOf(t, b), "b")
		a := small(layout)
		for i := range a.New {
			a.New[i].Votes = snapshottest.Votes(7, 9)
		}
		for i := range a.Old {
			a.Old[i].Votes = snapshottest.Votes(7, 9)
		}
		archive := tarOf(t, a)
		for size := 512; size < len(archive); size += 4001 {
			Read(bytes.NewReader(archive[:size]), "a") // fails, but for the last ones
			sameLists(t, "after a failure", mustRead(t, tarOf(t, b), "b"), want)
		}
	}
}
