package store

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"go.etcd.io/bbolt"
)

const (
	fileName   = "epochs.db"
	newPattern = fileName + ".new-*"
	fileMode   = 0o640
	dirMode    = 0o750
)

// create makes the file with its buckets, unless it is there. The file gets its
// name when it is complete, so that a crash leaves no half of one.
func create(path string, timeout time.Duration) error {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), dirMode); err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(path), newPattern)
	if err != nil {
		return err
	}
	defer os.Remove(temp.Name())
	if err := errors.Join(temp.Chmod(fileMode), temp.Close()); err != nil {
		return err
	}
	db, err := bbolt.Open(temp.Name(), fileMode, boltOptions(timeout, false))
	if err != nil {
		return err
	}
	if err := errors.Join(db.Update(initialise), db.Close()); err != nil {
		return err
	}
	// A link, unlike a rename, leaves alone what another process made meanwhile.
	if err := os.Link(temp.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		if _, there := os.Stat(path); there == nil {
			return nil
		}
		if err := os.Rename(temp.Name(), path); err != nil { // no links here
			return err
		}
	}
	syncDir(filepath.Dir(path))
	return nil
}

func initialise(tx *bbolt.Tx) error {
	own, err := tx.CreateBucketIfNotExists(ownBucket)
	if err != nil {
		return err
	}
	if _, err := tx.CreateBucketIfNotExists(listBucket); err != nil {
		return err
	}
	return own.Put(versionKey, []byte(version))
}

// removeLeftovers removes what a crash in create left. Only the process that has
// the store open may.
func removeLeftovers(dir string) {
	names, err := filepath.Glob(filepath.Join(dir, newPattern))
	if err != nil {
		return
	}
	for _, name := range names {
		if info, err := os.Lstat(name); err == nil && time.Since(info.ModTime()) > time.Hour {
			os.Remove(name)
		}
	}
}

// syncDir makes a new name in dir last through a power cut. Not every file system
// can sync a directory, so that it does its best.
func syncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		d.Close()
	}
}
