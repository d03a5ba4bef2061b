package snapshot

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/schedgen/schedgen/stakes/snapshot/snapshottest"
)

// place puts a manifest of a slot into a folder, in the folder and under the name
// of perhaps another.
func place(t *testing.T, root string, slot uint64, folder, name string) {
	t.Helper()
	a := small(snapshottest.New)
	a.Slot = slot
	path := filepath.Join(root, folder, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, path, a.Manifest())
}

// Of several slots the latest counts, by number and not by name.
func TestLatestSlotInTheFolder(t *testing.T) {
	root := t.TempDir()
	latest := uint64(901*432_000 + 5)
	for _, slot := range []uint64{latest, 901 * 432_000, 900*432_000 + 7} {
		text := strconv.FormatUint(slot, 10)
		place(t, root, slot, filepath.Join("snapshots", text), text)
	}
	for _, path := range []string{root, filepath.Join(root, "snapshots")} {
		set, err := ReadDir(path)
		if err != nil {
			t.Fatal(err)
		}
		if slot := uint64(*set.Lists[0].Provenance.Slot); slot != latest {
			t.Errorf("slot %d, want %d", slot, latest)
		}
		wantNotes(t, set, "another snapshot in the folder, of slot 388800007", "another snapshot in the folder, of slot 389232000")
	}
}

func TestFoldersWithoutAManifest(t *testing.T) {
	root := t.TempDir()
	for _, folder := range []string{"a", "b/snapshots", "c/snapshots/5", "d/snapshots/5/5"} {
		if err := os.MkdirAll(filepath.Join(root, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, folder := range []string{"a", "b", "c", "d"} {
		path := filepath.Join(root, folder)
		_, err := ReadDir(path)
		wantErr(t, err, path, ErrNoManifest)
	}
	file := filepath.Join(root, "file")
	write(t, file, nil)
	for _, path := range []string{file, filepath.Join(root, "missing")} {
		_, err := ReadDir(path)
		mustFail(t, err, path)
	}
}

// The path of a manifest says its slot; a manifest of another one lies there by
// mistake.
func TestSlotOfTheFolderDisagrees(t *testing.T) {
	root := t.TempDir()
	place(t, root, 5, "snapshots/6", "6")
	for path, member := range map[string]string{
		root:                                   "snapshots/6/6",
		filepath.Join(root, "snapshots"):       "6/6",
		filepath.Join(root, "snapshots/6"):     "6",
		filepath.Join(root, "snapshots") + "/": "6/6",
	} {
		_, err := ReadDir(path)
		if e := wantErr(t, err, path, ErrSlot); e.Member != member {
			t.Errorf("%s: member %q, want %q", path, e.Member, member)
		}
	}
}

// The version lies beside the snapshots folder, as in an archive, or beside the
// manifest, as a validator has it; another file of that name is not looked at.
func TestVersionInAFolder(t *testing.T) {
	for where, refused := range map[string]bool{"version": true, "snapshots/5/version": true, "snapshots/version": false} {
		root := t.TempDir()
		place(t, root, 5, "snapshots/5", "5")
		write(t, filepath.Join(root, where), []byte("3.0.0"))
		_, err := ReadDir(filepath.Join(root, "snapshots", "5"))
		if refused {
			wantErr(t, err, filepath.Join(root, "snapshots", "5"), ErrVersion)
		} else if err != nil {
			t.Errorf("%s: %v", where, err)
		}
	}
	root := t.TempDir()
	place(t, root, 5, "elsewhere/5", "5")
	write(t, filepath.Join(root, "version"), []byte("3.0.0"))
	if _, err := ReadDir(filepath.Join(root, "elsewhere/5")); err != nil {
		t.Error(err)
	}
}

// A folder can be given as the one that one is in.
func TestFolderByARelativePath(t *testing.T) {
	root := t.TempDir()
	place(t, root, 5, "snapshots/5", "5")
	write(t, filepath.Join(root, "version"), []byte("3.0.0"))
	t.Chdir(filepath.Join(root, "snapshots", "5"))
	_, err := ReadDir(".")
	wantErr(t, err, ".", ErrVersion)
}

func TestTruncatedManifestInAFolder(t *testing.T) {
	root := unpack(t, small(snapshottest.New))
	slot := strconv.FormatUint(small(snapshottest.New).Slot, 10)
	path := filepath.Join(root, "snapshots", slot, slot)
	if err := os.Truncate(path, 5000); err != nil {
		t.Fatal(err)
	}
	_, err := ReadDir(root)
	if e := mustFail(t, err, root); e.Member != "snapshots/"+slot+"/"+slot {
		t.Errorf("member %q", e.Member)
	}
}
