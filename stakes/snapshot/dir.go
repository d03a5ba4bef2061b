package snapshot

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
)

const snapshotsFolder = "snapshots"

// ReadDir reads the snapshot in a folder: what an archive was unpacked to, or a
// validator's ledger; the snapshots folder in it; or a slot's folder in that. Of
// several slots it takes the latest and notes the others. Errors are as of [Read].
func ReadDir(path string) (*list.Set, error) {
	s := &source{name: path}
	if err := s.folder(path); err != nil {
		return nil, err
	}
	return s.set()
}

func (s *source) folder(path string) error {
	slots, err := manifests(path)
	if err == nil && len(slots) == 0 {
		if slots, err = slotFolders(path); err == nil && len(slots) == 0 {
			if slots, err = slotFolders(filepath.Join(path, snapshotsFolder)); errors.Is(err, fs.ErrNotExist) {
				err = nil
			}
		}
	}
	if err != nil {
		return &Error{Name: s.name, Err: pathless(err)}
	}
	if len(slots) == 0 {
		return &Error{Name: s.name, Err: fmt.Errorf("%w: no file %s in the folder", ErrNoManifest, manifestForm)}
	}
	last := slots[0]
	for _, f := range slots[1:] {
		if f.slot > last.slot {
			last = f
		}
	}
	for _, f := range slots {
		if f != last {
			s.note("there is another snapshot in the folder, of slot %d", f.slot)
		}
	}
	return s.file(last)
}

// A manifestFile is a manifest in a folder that has its name.
type manifestFile struct {
	path string
	slot schedule.Slot
}

// member is how errors call a file of the folder.
func (s *source) member(path string) string {
	if rel, err := filepath.Rel(s.name, path); err == nil {
		return filepath.ToSlash(rel)
	}
	return path
}

// file reads a manifest and the version beside it, or beside the snapshots folder.
func (s *source) file(f manifestFile) error {
	for _, path := range versionFiles(f.path) {
		v, err := os.Open(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return &Error{Name: s.name, Member: s.member(path), Err: pathless(err)}
		}
		err = s.readVersion(v, s.member(path))
		v.Close()
		if err != nil {
			return err
		}
		break
	}
	m, err := os.Open(f.path)
	if err != nil {
		return &Error{Name: s.name, Member: s.member(f.path), Err: pathless(err)}
	}
	defer m.Close()
	info, err := m.Stat()
	if err != nil {
		return &Error{Name: s.name, Member: s.member(f.path), Err: pathless(err)}
	}
	return s.readManifest(m, info.Size(), s.member(f.path), f.slot)
}

// versionFiles returns where the version of a manifest may be: beside it, where a
// validator has it, or beside the snapshots folder, as in an archive.
func versionFiles(manifestPath string) []string {
	folder := filepath.Dir(manifestPath)
	files := []string{filepath.Join(folder, versionMember)}
	if full, err := filepath.Abs(folder); err == nil && filepath.Base(filepath.Dir(full)) == snapshotsFolder {
		files = append(files, filepath.Join(folder, "..", "..", versionMember))
	}
	return files
}

// manifests returns the files in a folder that have a slot for a name.
func manifests(folder string) (files []manifestFile, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		slot, err := parseSlot(e.Name())
		if err != nil {
			continue
		}
		path := filepath.Join(folder, e.Name())
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			files = append(files, manifestFile{path: path, slot: slot})
		}
	}
	return files, nil
}

// slotFolders returns the manifests in the folders of a folder that have a slot
// for a name.
func slotFolders(folder string) (files []manifestFile, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if _, err := parseSlot(e.Name()); err != nil {
			continue
		}
		path := filepath.Join(folder, e.Name(), e.Name())
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			slot, _ := parseSlot(e.Name())
			files = append(files, manifestFile{path: path, slot: slot})
		}
	}
	return files, nil
}

// pathless takes the path out of an error: that of the snapshot is said already.
func pathless(err error) error {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		return pathErr.Err
	}
	return err
}
