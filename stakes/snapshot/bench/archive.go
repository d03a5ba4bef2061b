package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"

	"github.com/schedgen/schedgen/stakes/snapshot/snapshottest"
)

// writeTar writes an archive to standard output.
func writeTar(layout snapshottest.Layout, status int64) error {
	a := snapshottest.Archive{
		Spec: snapshottest.Mainnet(layout), StatusCache: status,
		Members: []snapshottest.Member{
			snapshottest.Version, snapshottest.Folders, snapshottest.StatusCache, snapshottest.Manifest,
		},
	}
	w := bufio.NewWriterSize(os.Stdout, 1<<20)
	if err := a.Tar(w); err != nil {
		return err
	}
	return w.Flush()
}

// compress writes a file with what a command prints, compressed, and returns its
// size without compression. Another process makes it, for the memory of this one
// counts as that of those that it starts.
func compress(name, level string, long bool, made *exec.Cmd) (int64, error) {
	args := []string{"-q", "-" + level, "-o", name}
	if long {
		args = append(args, "--long=27")
	}
	zstd := exec.Command("zstd", args...)
	out, err := made.StdoutPipe()
	if err != nil {
		return 0, err
	}
	counted := &counter{r: out}
	zstd.Stdin = counted
	zstd.Stderr, made.Stderr = os.Stderr, os.Stderr
	if err := made.Start(); err != nil {
		return 0, err
	}
	if err := zstd.Run(); err != nil {
		return 0, err
	}
	return counted.n, made.Wait()
}

type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n += int64(n)
	return n, err
}
