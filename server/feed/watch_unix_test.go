//go:build unix

package feed

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/schedgen/schedgen/stakes/list"
)

// Only files of the folder itself are read.
func TestWatchOtherThanFiles(t *testing.T) {
	outside := t.TempDir()
	whole := jsonOf(t, made(5, 1, list.VintageExact))
	write(t, outside, "secret.json", whole)
	watching(t, tiny, func(t *testing.T, g *rig, w *Watch, dir string) {
		link := func(target, name string) {
			if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
		link(filepath.Join(outside, "secret.json"), "link.json")
		link("../"+filepath.Base(outside)+"/secret.json", "up.json")
		link("nowhere", "broken.json")
		link("loop.json", "loop.json")
		link("/dev/zero", "zero.json")
		link(outside, "folder-link")
		if err := syscall.Mkfifo(filepath.Join(dir, "pipe.json"), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"snapshot-5-4vJ9.tar.zst", "..."} {
			if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(dir, name), "inside.json", whole)
		}
		write(t, dir, ".hidden.json", whole)
		write(t, dir, "half.json.part", whole)
		write(t, dir, "empty.json", nil)
		after(time.Hour)
		g.wantNone(t, 5)
		if n, _ := g.told(); n != 0 {
			t.Errorf("%d files read: %s", n, g.log)
		}
		for _, name := range []string{"link.json", "up.json", "broken.json", "loop.json", "zero.json", "folder-link", "pipe.json"} {
			g.wantLog(t, `msg="left alone" folder=`+dir+` file=`+name, 1)
		}
		g.wantLog(t, "level=WARN", 0)
		if s := w.Status(); s.Ingested+s.Refused != 0 || s.Waiting != 1 {
			t.Errorf("status %+v", s)
		}
	})
}

// What becomes something else between the look and the opening is neither waited for
// nor followed out of the folder.
func TestTakeOtherThanFiles(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	whole := jsonOf(t, made(5, 1, list.VintageExact))
	write(t, outside, "secret.json", whole)
	info, err := os.Stat(filepath.Join(outside, "secret.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(outside, "secret.json"), filepath.Join(dir, "link.json")); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe.json"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "folder.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, dir, "longer.json", append(whole, '\n'))
	g := newRig(t, tiny)
	w, err := g.NewWatch(dir, WatchOptions{})
	if err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for name, says := range map[string]string{
		"link.json": "escapes", "pipe.json": "not a regular file", "folder.json": "not a regular file",
		"longer.json": "changes while it is read", "../" + filepath.Base(outside) + "/secret.json": "escapes",
	} {
		f := &file{size: info.Size(), modified: info.ModTime()}
		w.take(t.Context(), root, candidate{name, f}, time.Now())
		if f.taken || !strings.Contains(f.said, says) {
			t.Errorf("%s: %+v, want %q", name, f, says)
		}
	}
	g.wantNone(t, 5)
}

// A file that may not be read is tried again for ever, as its mode may change without
// its time.
func TestWatchNotReadable(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may read every file: this check needs another user")
	}
	watching(t, tiny, func(t *testing.T, g *rig, w *Watch, dir string) {
		write(t, dir, "a.json", jsonOf(t, made(5, 1, list.VintageExact)))
		path := filepath.Join(dir, "a.json")
		if err := os.Chmod(path, 0); err != nil {
			t.Fatal(err)
		}
		after(24 * time.Hour)
		g.wantLog(t, "permission denied", 1)
		if err := os.Chmod(path, 0o600); err != nil {
			t.Fatal(err)
		}
		after(11 * time.Minute)
		g.wantVersion(t, 5, 1)
	})
}
