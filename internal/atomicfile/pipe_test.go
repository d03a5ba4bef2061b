//go:build unix

package atomicfile

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestWritePipe(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skipf("no named pipes here: %v", err)
	}
	got := make(chan string)
	go func() {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
		}
		got <- string(text)
	}()
	if err := Write(path, put("through")); err != nil {
		t.Fatal(err)
	}
	if text := <-got; text != "through" {
		t.Errorf("read %q", text)
	}
	wantFiles(t, dir, "pipe")
}
