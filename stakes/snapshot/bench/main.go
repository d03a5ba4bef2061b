// Command bench measures how long it takes to read the stakes out of a snapshot
// archive beside what the decompression alone takes `zstd -dc`, in turns, each a
// process of its own. The archive is as large as mainnet-beta's up to the end of
// its manifest and ends there, so that both read all of it.
//
// On a machine with other work the processor time tells more than the time it
// takes.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/schedgen/schedgen/stakes/snapshot"
	"github.com/schedgen/schedgen/stakes/snapshot/snapshottest"
)

func main() {
	layout := flag.String("layout", string(snapshottest.Old), "of the manifest: old or new")
	level := flag.String("level", "3", "of the compression")
	long := flag.Bool("long", false, "compress with a window of 128 MiB")
	turns := flag.Int("turns", 11, "how often each is measured")
	status := flag.Int64("status-cache", 0, "bytes of the status cache, before the manifest")
	read := flag.String("read", "", "read this archive, and nothing else")
	tar := flag.Bool("tar", false, "write the archive, not compressed, and nothing else")
	flag.Parse()
	var err error
	switch {
	case *read != "":
		err = readArchive(*read)
	case *tar:
		err = writeTar(snapshottest.Layout(*layout), *status)
	default:
		err = compare(*layout, *level, *long, *turns, *status)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(2)
	}
}

func readArchive(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	set, err := snapshot.Read(f, name)
	if err != nil {
		return err
	}
	fmt.Printf("%d epochs, %d vote accounts in the latest\n", len(set.Lists), len(set.Latest().Entries))
	return nil
}

func compare(layout, level string, long bool, turns int, status int64) error {
	folder, err := os.MkdirTemp("", "snapshot-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	self, err := os.Executable()
	if err != nil {
		return err
	}
	archive := filepath.Join(folder, "archive.tar.zst")
	size, err := compress(archive, level, long, exec.Command(self, "-tar", "-layout", layout, "-status-cache", fmt.Sprint(status)))
	if err != nil {
		return err
	}
	var ours, theirs runs
	for range turns {
		if err := ours.add(exec.Command(self, "-read", archive)); err != nil {
			return err
		}
		if err := theirs.add(exec.Command("zstd", "-dc", "--long=27", archive)); err != nil {
			return err
		}
	}
	fmt.Printf("%s layout, %d MB, zstd level %s, medians of %d turns\n", layout, size/1e6, level, turns)
	ours.print("schedgen", size)
	theirs.print("zstd -dc", size)
	fmt.Printf("ratio     %.2f, of processor time %.2f\n",
		median(ours.took).Seconds()/median(theirs.took).Seconds(), median(ours.worked).Seconds()/median(theirs.worked).Seconds())
	return nil
}

// runs are what runs of one command took.
type runs struct {
	took, worked []time.Duration // time, and processor time
	memory       uint64          // bytes at most, 0 where that is not known
}

// add runs a command, its output thrown away.
func (r *runs) add(c *exec.Cmd) error {
	c.Stderr = os.Stderr
	start := time.Now()
	if err := c.Run(); err != nil {
		return err
	}
	r.took = append(r.took, time.Since(start))
	r.worked = append(r.worked, c.ProcessState.UserTime()+c.ProcessState.SystemTime())
	r.memory = max(r.memory, peakMemory(c.ProcessState))
	return nil
}

func (r *runs) print(name string, size int64) {
	took := median(r.took)
	fmt.Printf("%s  %v, %.0f MB/s, %v of processor time, at most %d MiB of memory\n", name,
		took.Round(time.Millisecond), float64(size)/1e6/took.Seconds(), median(r.worked).Round(time.Millisecond), r.memory>>20)
}

func median(d []time.Duration) time.Duration {
	d = slices.Sorted(slices.Values(d))
	return d[len(d)/2]
}
