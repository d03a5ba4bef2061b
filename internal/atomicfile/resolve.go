package atomicfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// maxLinks is how many symbolic links are followed, as many as Linux does.
const maxLinks = 40

// A target is where a path leads to.
type target struct {
	path string // no symbolic link any more, unless open
	open bool   // stands for a file that a process has open: write to that one
}

// resolve follows the symbolic links at path. The last of them may point to a
// file that does not exist yet.
func resolve(path string) (target, error) {
	for range maxLinks {
		dir, err := filepath.EvalSymlinks(filepath.Dir(path))
		if err != nil {
			return target{}, err
		}
		path = filepath.Join(dir, filepath.Base(path))
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode()&fs.ModeSymlink == 0 {
			return target{path: path}, nil
		}
		if err != nil {
			return target{}, err
		}
		// The links in /proc/PID/fd, to which /dev/stdout leads, stand for
		// open files: the text of such a link need not be a path, and a
		// file that took its name would not be the one that is open.
		if strings.HasPrefix(dir, "/proc/") {
			return target{path: path, open: true}, nil
		}
		to, err := os.Readlink(path)
		if err != nil {
			return target{}, err
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(dir, to)
		}
		path = to
	}
	return target{}, errors.New("too many symbolic links")
}
