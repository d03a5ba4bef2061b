//go:build unix

package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// interruptOnce sends this process the signal of Ctrl-C as soon as ready says so.
func interruptOnce(t *testing.T, ready func() bool) {
	go func() {
		for !ready() {
			select {
			case <-t.Context().Done():
				return
			case <-time.After(time.Millisecond):
			}
		}
		if err := syscall.Kill(syscall.Getpid(), syscall.SIGINT); err != nil {
			t.Error(err)
		}
	}()
}

func wantInterrupted(t *testing.T, args ...string) {
	t.Helper()
	var out, errs bytes.Buffer
	args = append([]string{"batch", "--stakes", "-", "--keyed-by", "vote", "--slots", "4000", "--epochs", "5..4000000000000", "--workers", "2"}, args...)
	code := run(args, strings.NewReader(votesList), &out, &errs)
	if code != exitError || out.Len() > 0 || !strings.HasPrefix(errs.String(), "schedgen: interrupted at epoch ") || strings.Count(errs.String(), "\n") != 1 {
		t.Errorf("exit code %d, standard output %.100q, standard error %q", code, out.String(), errs.String())
	}
}

// After Ctrl-C whole files of whole epochs are left, and nothing else.
func TestBatchInterruptedDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	interruptOnce(t, func() bool {
		_, err := os.Stat(filepath.Join(dir, "epoch-7.csv"))
		return err == nil
	})
	wantInterrupted(t, "--format", "csv", "-o", dir)
	found, err := os.ReadDir(dir)
	if err != nil || len(found) < 3 {
		t.Errorf("%d files, %v", len(found), err)
	}
	for _, f := range found {
		text, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil || bytes.Count(text, []byte("\n")) != 4001 || !strings.HasPrefix(f.Name(), "epoch-") {
			t.Errorf("%s with %d lines, %v", f.Name(), bytes.Count(text, []byte("\n")), err)
		}
	}
}

// After Ctrl-C no file is left of what would have been one, and the file of
// before stays.
func TestBatchInterruptedFile(t *testing.T) {
	for _, flag := range []string{"--format=ranks", "--counts=epoch", "--counts"} {
		dir := t.TempDir()
		out := filepath.Join(dir, "out")
		writeFile(t, out, "before")
		interruptOnce(t, func() bool {
			temporary, _ := filepath.Glob(filepath.Join(dir, ".schedgen-*"))
			return len(temporary) > 0
		})
		wantInterrupted(t, flag, "-o", out)
		wantFiles(t, dir, "out")
		wantFile(t, out, "before")
	}
}

// Ctrl-C while derive writes leaves the file of before, and no part of a new one.
func TestDeriveInterrupted(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	writeFile(t, out, "before")
	interruptOnce(t, func() bool {
		temporary, _ := filepath.Glob(filepath.Join(dir, ".schedgen-*"))
		return len(temporary) > 0
	})
	wantRefused(t, votesList, []string{"derive", "--stakes", "-", "--keyed-by", "vote", "--epoch", "5",
		"--slots", "20000000", "--format", "csv", "-o", out}, "interrupted")
	wantFiles(t, dir, "out")
	wantFile(t, out, "before")
}

// Standard output ends with a whole epoch.
func TestBatchInterruptedStandardOutput(t *testing.T) {
	w := &interruptingWriter{t: t}
	var errs bytes.Buffer
	code := run([]string{"batch", "--stakes", "-", "--keyed-by", "vote", "--slots", "10", "--epochs", "5..4000000000000", "--format", "digest"},
		strings.NewReader(votesList), w, &errs)
	if code != exitError || !strings.HasPrefix(errs.String(), "schedgen: interrupted at epoch ") {
		t.Errorf("exit code %d, standard error %q", code, errs.String())
	}
	if !strings.HasPrefix(w.String(), "5 ") || !strings.HasSuffix(w.String(), "\n") {
		t.Errorf("standard output %.100q", w.String())
	}
}

// An interruptingWriter sends Ctrl-C at its third write.
type interruptingWriter struct {
	bytes.Buffer
	t      *testing.T
	writes int
}

var _ io.Writer = (*interruptingWriter)(nil)

func (w *interruptingWriter) Write(b []byte) (int, error) {
	if w.writes++; w.writes == 3 {
		if err := syscall.Kill(syscall.Getpid(), syscall.SIGINT); err != nil {
			w.t.Error(err)
		}
	}
	return w.Buffer.Write(b)
}

// A directory that was made for files is gone when none could be written: its
// path has room for its own name, and none for that of a file.
func TestBatchRemovesEmptyDirectory(t *testing.T) {
	const longest = 4096 // of a path, on Linux
	parent := t.TempDir()
	for len(parent) < longest-300 {
		parent = filepath.Join(parent, strings.Repeat("d", 200))
	}
	if err := os.MkdirAll(parent, 0o777); err != nil {
		t.Skipf("no path can be as long as on Linux: %v", err)
	}
	out := filepath.Join(parent, strings.Repeat("e", longest-len(parent)-10))
	wantRefused(t, "", []string{"batch", "--stakes", "example", "--epochs", "1..9", "-o", out}, "cannot write")
	wantFiles(t, parent)
}
