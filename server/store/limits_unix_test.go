//go:build unix

package store

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

func init() { children["fill"] = fillUp }

// fillUp puts lists until there is no room, then looks whether all are there.
func fillUp(dir string) error {
	s, err := Open(dir, Options{})
	if err != nil {
		return err
	}
	if limit := os.Getenv("SCHEDGEN_STORE_LIMIT"); limit != "" {
		var bytes uint64
		if _, err := fmt.Sscan(limit, &bytes); err != nil {
			return err
		}
		signal.Ignore(syscall.SIGXFSZ)
		if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: bytes, Max: bytes}); err != nil {
			return err
		}
	}
	const entries = 2000
	for epoch := uint64(0); epoch < 1000; epoch++ {
		_, err := s.Put(made(epoch, 0, entries))
		if err == nil {
			fmt.Println("have", epoch)
			continue
		}
		fmt.Println(err)
		if !errors.Is(err, ErrFull) {
			return err
		}
		for range 3 { // it stays so, and what is there stays, too
			if _, err := s.Put(made(epoch, 0, entries)); !errors.Is(err, ErrFull) {
				return fmt.Errorf("again: %v", err)
			}
		}
		for e := range epoch {
			if _, _, err := s.Get(e); err != nil {
				return err
			}
		}
		// A small one may find room in the pages that are free.
		if _, err := s.Put(made(0, 1, 1)); err != nil && !errors.Is(err, ErrFull) {
			return err
		}
		return s.Close()
	}
	return errors.New("never full")
}

// When there is no room the error says so, nothing is lost, and once there is room
// the store goes on.
func TestFull(t *testing.T) {
	t.Run("limit of the file", func(t *testing.T) {
		t.Setenv("SCHEDGEN_STORE_LIMIT", "3000000")
		checkFull(t, t.TempDir())
	})
	t.Run("limit off the page", func(t *testing.T) { // writes end in the middle
		t.Setenv("SCHEDGEN_STORE_LIMIT", "2097153")
		checkFull(t, t.TempDir())
	})
	t.Run("disk", func(t *testing.T) {
		if emulated() {
			t.Skip("starts processes, which may hang under emulation")
		}
		dir := t.TempDir()
		if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", dir).CombinedOutput(); err != nil {
			t.Skipf("cannot mount a small disk: %v: %s", err, out)
		}
		defer exec.Command("umount", dir).Run()
		checkFull(t, dir)
	})
}

func checkFull(t *testing.T, dir string) {
	cmd, lines := child(t, "fill", dir)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var said []string
	for lines.Scan() {
		said = append(said, lines.Text())
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v: %q", err, said)
	}
	had := len(said) - 1
	if had < 3 {
		t.Fatalf("full after %q", said)
	}
	if last := said[had]; !strings.Contains(last, file(dir)+": epoch ") || !strings.Contains(last, "no room") {
		t.Errorf("got %q", last)
	}
	s := mustOpen(t, dir, Options{})
	if err := s.Damage(); err != nil {
		t.Error(err)
	}
	for epoch := range uint64(had) {
		l, meta, err := s.Get(epoch)
		if err != nil {
			t.Errorf("epoch %d is lost: %v", epoch, err)
			continue
		}
		if epoch == 0 && meta.Entries == 1 {
			continue // the small one
		}
		wantSame(t, l, made(epoch, 0, 2000))
	}
	s.Close()
}

// A place that may not be read or written is named.
func TestPermissions(t *testing.T) {
	if os.Geteuid() != 0 {
		checkPermissions(t, nil)
		return
	}
	const nobody = 65534 // root may do everything, so somebody else tries
	checkPermissions(t, &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}})
}

func checkPermissions(t *testing.T, as *syscall.SysProcAttr) {
	program := copyOfSelf(t)
	for _, c := range []struct {
		name      string
		file, dir os.FileMode
		want      string // "" for success
	}{
		{"all", 0o666, 0o777, ""},
		{"no reading", 0o000, 0o777, "permission denied"},
		{"no writing", 0o444, 0o777, "permission denied"},
		{"no directory", 0o666, 0o000, "permission denied"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filled(t, 0, 1, 3)
			for _, e := range []error{os.Chmod(file(dir), c.file), os.Chmod(filepath.Dir(dir), 0o755), os.Chmod(dir, c.dir)} {
				if e != nil {
					t.Fatal(e)
				}
			}
			defer os.Chmod(dir, 0o755)
			cmd, lines := child(t, "open", dir)
			cmd.Path, cmd.SysProcAttr = program, as
			if err := cmd.Start(); err != nil {
				t.Skipf("cannot start the test as somebody else: %v", err)
			}
			said := ""
			for lines.Scan() {
				said += lines.Text()
			}
			err := cmd.Wait()
			if c.want == "" && err != nil {
				t.Fatalf("%v: %s", err, said)
			}
			if c.want != "" && !strings.Contains(said, file(dir)+": "+c.want) {
				t.Errorf("got %q, %v, want %q", said, err, c.want)
			}
		})
	}
}

// copyOfSelf returns a copy of the test binary where everybody may run it.
func copyOfSelf(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "test")
	for _, err := range []error{
		os.Chmod(filepath.Dir(dir), 0o755), os.Chmod(dir, 0o755), os.WriteFile(path, readFile(t, self), 0o755),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return path
}
