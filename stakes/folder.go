package stakes

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/schedgen/schedgen/stakes/list"
	"github.com/schedgen/schedgen/stakes/snapshot"
)

// The files that hold a genesis in a folder, a validator's ledger.
const (
	genesisName        = "genesis.bin"
	genesisArchiveName = "genesis.tar.bz2"
)

// openFolder reads an unpacked snapshot, or, in a folder without, a genesis.
func openFolder(ctx context.Context, name string) (*list.Set, error) {
	set, err := snapshot.ReadDir(name)
	if err == nil || !errors.Is(err, snapshot.ErrNoManifest) {
		return set, err
	}
	for _, file := range []string{genesisName, genesisArchiveName} {
		path := filepath.Join(name, file)
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
			continue
		}
		f, err := os.Open(path)
		if err != nil {
			return nil, sourceError(path, err)
		}
		defer f.Close()
		return read(ctx, f, path)
	}
	if archive := snapshotIn(name); archive != "" {
		return nil, fmt.Errorf("%w %s: a directory of snapshot archives, want one of them, such as %s", ErrSource, name, archive)
	}
	return nil, fmt.Errorf("%w %s: a directory without snapshots/SLOT/SLOT and without %s, want one with one of them, or a file: %s",
		ErrSource, name, genesisName, kinds)
}

// snapshotIn returns the path of a full snapshot's archive in a folder, or "".
func snapshotIn(folder string) string {
	entries, _ := os.ReadDir(folder)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "snapshot-") && strings.Contains(e.Name(), ".tar") {
			return filepath.Join(folder, e.Name())
		}
	}
	return ""
}
