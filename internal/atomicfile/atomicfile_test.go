package atomicfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

func put(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func wantContent(t *testing.T, path, want string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil || string(got) != want {
		t.Errorf("%s: got %q, %v, want %q", path, got, err, want)
	}
}

// wantFiles fails if dir holds anything but these, such as a temporary file.
func wantFiles(t *testing.T, dir string, want ...string) {
	t.Helper()
	found, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range found {
		names = append(names, f.Name())
	}
	if strings.Join(names, " ") != strings.Join(want, " ") {
		t.Errorf("found %v, want %v", names, want)
	}
}

func TestWriteNew(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "new")
	if err := Write(path, put("content")); err != nil {
		t.Fatal(err)
	}
	wantContent(t, path, "content")
	wantFiles(t, dir, "new")

	write(t, filepath.Join(dir, "plain"), "")
	plain, err := os.Stat(filepath.Join(dir, "plain"))
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode() != plain.Mode() {
		t.Errorf("mode %v, want %v as any new file's", info.Mode(), plain.Mode())
	}
}

// Until the end the old content is there, and afterwards the new, with the
// permissions of the old.
func TestWriteReplaces(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "old")
	write(t, path, "old")
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	err = Write(path, func(w io.Writer) error {
		err := put("new")(w)
		wantContent(t, path, "old")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	wantContent(t, path, "new")
	wantFiles(t, dir, "old")
	after, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if after.Mode() != before.Mode() {
		t.Errorf("mode %v, want %v", after.Mode(), before.Mode())
	}
}

func TestWriteFails(t *testing.T) {
	wrong := errors.New("wrong")
	dir := t.TempDir()
	path := filepath.Join(dir, "old")
	write(t, path, "old")
	fill := func(w io.Writer) error {
		if err := put("half of")(w); err != nil {
			t.Error(err)
		}
		return wrong
	}
	for _, p := range []string{path, filepath.Join(dir, "new")} {
		if err := Write(p, fill); err != wrong {
			t.Errorf("got %v, want the error of fill", err)
		}
		wantFiles(t, dir, "old")
	}
	wantContent(t, path, "old")

	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic of fill is gone")
			}
		}()
		Write(path, func(io.Writer) error { panic("fill") })
	}()
	wantFiles(t, dir, "old")
}

func TestWriteBadTargets(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	write(t, file, "file")
	for _, path := range []string{
		dir,
		dir + string(filepath.Separator),
		filepath.Join(dir, "new") + "/",
		filepath.Join(dir, "none", "file"),
		filepath.Join(file, "below"),
		"",
	} {
		called := false
		err := Write(path, func(io.Writer) error { called = true; return nil })
		if err == nil || !strings.Contains(err.Error(), "cannot write "+path+": ") {
			t.Errorf("%q: got %v", path, err)
		}
		if called {
			t.Errorf("%q: wrote in spite of %v", path, err)
		}
		if err != nil && strings.Contains(err.Error(), ".tmp") {
			t.Errorf("%q: %v names the temporary file", path, err)
		}
	}
	wantFiles(t, dir, "file")
}

func TestWriteReadOnly(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write to everything")
	}
	path := filepath.Join(t.TempDir(), "old")
	write(t, path, "old")
	if err := os.Chmod(path, 0o400); err != nil {
		t.Fatal(err)
	}
	if err := Write(path, put("new")); !errors.Is(err, os.ErrPermission) {
		t.Errorf("got %v, want a refusal", err)
	}
	wantContent(t, path, "old")
}

func TestWriteThroughLinks(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "far"), 0o755); err != nil {
		t.Fatal(err)
	}
	target := filepath.Join(dir, "far", "target")
	near, middle := filepath.Join(dir, "near"), filepath.Join(dir, "middle")
	for link, to := range map[string]string{near: "middle", middle: filepath.Join("far", "target")} {
		if err := os.Symlink(to, link); err != nil {
			t.Skipf("no symbolic links here: %v", err)
		}
	}
	for _, text := range []string{"to a file not there yet", "to one that is"} {
		if err := Write(near, put(text)); err != nil {
			t.Fatal(err)
		}
		wantContent(t, target, text)
		if to, err := os.Readlink(near); to != "middle" || err != nil {
			t.Errorf("the link is %q, %v", to, err)
		}
	}
	wantFiles(t, filepath.Join(dir, "far"), "target")

	loop := filepath.Join(dir, "loop")
	if err := os.Symlink("loop", loop); err != nil {
		t.Fatal(err)
	}
	if err := Write(loop, put("")); err == nil {
		t.Error("a link to itself was written to")
	}
}

func TestWriteDevice(t *testing.T) {
	if err := Write(os.DevNull, put("gone")); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(os.DevNull)
	if err != nil || info.Mode().IsRegular() {
		t.Errorf("%s is now %v, %v", os.DevNull, info, err)
	}
}

// A file that the process has open is written to, not replaced.
func TestWriteOpenFile(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs /proc/self/fd")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "open")
	write(t, path, "first ")
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	before, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join("/proc/self/fd", strconv.Itoa(int(f.Fd())))
	if err := Write(name, put("second")); err != nil {
		t.Fatal(err)
	}
	wantContent(t, path, "first second")
	after, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if !os.SameFile(before, after) {
		t.Error("the open file was replaced")
	}
	wantFiles(t, dir, "open")
}
