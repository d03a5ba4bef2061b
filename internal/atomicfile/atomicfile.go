package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// Write makes what fill writes the content of the file at path.
//
// A symbolic link is followed: the file it points to is replaced, the link
// stays. A file that exists keeps its permissions; a new one gets those that the
// process's umask leaves of rw-rw-rw-. The owner becomes that of the process,
// and other hard links keep the old content. Whatever is there but is no regular file,
// such as a pipe, a terminal or /dev/null, is opened and written to as it is.
//
// An error of fill is returned as it is. Every other error, those of the writer
// that fill gets included, names path.
func Write(path string, fill func(io.Writer) error) error {
	if path != "" && os.IsPathSeparator(path[len(path)-1]) {
		return fail(path, errors.New("is a directory"))
	}
	target, err := resolve(path)
	if err != nil {
		return fail(path, err)
	}
	info, err := os.Stat(target.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return replace(path, target.path, nil, fill)
	case err != nil:
		return fail(path, err)
	case info.IsDir():
		return fail(path, errors.New("is a directory"))
	case target.open || !info.Mode().IsRegular():
		return writeInto(path, target.path, fill)
	default:
		return replace(path, target.path, info, fill)
	}
}

// replace writes a temporary file and renames it to target. With old, target is
// a regular file of that description.
func replace(path, target string, old fs.FileInfo, fill func(io.Writer) error) (err error) {
	if old != nil {
		// Renaming over a file needs no permission to write to it. Ask for
		// it all the same, so that a read-only file stays what it is.
		if err := probe(target); err != nil {
			return fail(path, err)
		}
	}
	temp, err := create(filepath.Dir(target))
	if err != nil {
		return fail(path, err)
	}
	renamed := false
	defer func() {
		if !renamed {
			temp.Close() // a second Close does no harm
			os.Remove(temp.Name())
		}
	}()
	if err := fill(namedWriter{temp, path}); err != nil {
		return err
	}
	if old != nil {
		if err := os.Chmod(temp.Name(), old.Mode().Perm()); err != nil {
			return fail(path, err)
		}
	}
	if err := temp.Sync(); err != nil {
		return fail(path, err)
	}
	if err := temp.Close(); err != nil {
		return fail(path, err)
	}
	if err := os.Rename(temp.Name(), target); err != nil {
		return fail(path, err)
	}
	renamed = true
	syncDir(filepath.Dir(target))
	return nil
}

// probe reports whether the file may be written to, and leaves it unchanged.
func probe(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

// create makes a new file in dir with the permissions that umask leaves, which
// os.CreateTemp does not.
func create(dir string) (*os.File, error) {
	for attempt := 0; ; attempt++ {
		name := fmt.Sprintf(".schedgen-%016x.tmp", rand.Uint64())
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) && attempt < 100 {
			continue
		}
		return f, err
	}
}

// writeInto writes to what is at target already. Appending leaves alone what a
// shell that redirected its output has there, and means nothing to a pipe.
func writeInto(path, target string, fill func(io.Writer) error) error {
	f, err := os.OpenFile(target, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return fail(path, err)
	}
	err = fill(namedWriter{f, path})
	if closing := f.Close(); err == nil && closing != nil {
		err = fail(path, closing)
	}
	return err
}

// A namedWriter names the target in its errors, where the file would give the
// temporary name.
type namedWriter struct {
	f    *os.File
	path string
}

func (w namedWriter) Write(p []byte) (int, error) {
	n, err := w.f.Write(p)
	if err != nil {
		err = fail(w.path, err)
	}
	return n, err
}

// syncDir makes a rename in dir last through a power cut. Not every system and
// file system can sync a directory, and the content is safe by then, so that it
// does its best.
func syncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		d.Close()
	}
}

// fail says what went wrong with path, without the temporary name that the
// error of a system call mentions.
func fail(path string, err error) error {
	var pathErr *fs.PathError
	var linkErr *os.LinkError
	switch {
	case errors.As(err, &pathErr):
		err = pathErr.Err
	case errors.As(err, &linkErr):
		err = linkErr.Err
	}
	return fmt.Errorf("cannot write %s: %w", path, err)
}
