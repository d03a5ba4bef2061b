package feed

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server/epochs"
	"github.com/schedgen/schedgen/server/store"
	"github.com/schedgen/schedgen/stakes/list"
)

// watching runs a watch of a folder in a bubble of made-up time.
func watching(t *testing.T, es schedule.EpochSchedule, check func(t *testing.T, g *rig, w *Watch, dir string)) {
	t.Helper()
	dir := t.TempDir()
	running(t, func(t *testing.T, start func(runner)) {
		g := newRig(t, es)
		w, err := g.NewWatch(dir, WatchOptions{})
		if err != nil {
			t.Fatal(err)
		}
		start(w)
		after(time.Millisecond)
		check(t, g, w, dir)
	})
}

// settled is after how long a file that does not change has been read.
const settled = 16 * time.Second

// touch gives a file a time of change of its own, as file systems with coarse times
// may not.
func touch(t testing.TB, dir, name string, second int) {
	t.Helper()
	at := time.Unix(1_700_000_000+int64(second), 0)
	if err := os.Chtimes(filepath.Join(dir, name), at, at); err != nil {
		t.Fatal(err)
	}
}

func TestWatchTakesWhatIsThereAndWhatComes(t *testing.T) {
	watching(t, tiny, func(t *testing.T, g *rig, w *Watch, dir string) {
		write(t, dir, "a.json", jsonOf(t, made(5, 1, list.VintageExact)))
		after(settled)
		g.wantVersion(t, 5, 1)
		write(t, dir, "b.json", jsonOf(t, made(6, 2, list.VintageExact)))
		after(9 * time.Second)
		g.wantNone(t, 6)
		after(settled)
		g.wantVersion(t, 6, 2)
		after(time.Hour)
		for _, name := range []string{"a.json", "b.json"} {
			in := g.attempts(name)
			if len(in) != 1 || in[0].Origin != Watched || in[0].Lists[0].Provenance.Source != "made" {
				t.Errorf("%s: %+v", name, in)
			}
		}
		if s := w.Status(); s.Ingested != 2 || s.Waiting != 0 || s.Refused != 0 || s.Err != nil || s.Dir != dir {
			t.Errorf("status %+v", s)
		}
		g.wantLog(t, `msg="stakes ingested" origin=watch file=b.json taken=[6] vintage=exact digests=`, 1)
	})
}

func TestWatchSnapshot(t *testing.T) {
	for _, compression := range []string{"", ".zst", ".lz4", ".gz"} {
		watching(t, snapshotSchedule, func(t *testing.T, g *rig, w *Watch, dir string) {
			name, content := archive(t, compression)
			write(t, dir, name, content)
			after(settled)
			g.wantSnapshot(t)
			held, _ := g.registry.Summary(901)
			if p := held.Provenance; p.Source != name || strings.Contains(strings.Join(p.Notes, " "), "the name says") {
				t.Errorf("provenance %+v", p)
			}
		})
	}
}

// The name is compared with what is inside, as it is when the file is named.
func TestWatchSnapshotOfAnotherName(t *testing.T) {
	watching(t, snapshotSchedule, func(t *testing.T, g *rig, w *Watch, dir string) {
		name, content := archive(t, ".zst")
		name = strings.Replace(strings.Replace(name, "389233000", "389239999", 1), ".zst", ".lz4", 1)
		write(t, dir, name, content)
		after(settled)
		g.wantSnapshot(t)
		held, _ := g.registry.Summary(901)
		notes := strings.Join(held.Provenance.Notes, "; ")
		if !strings.Contains(notes, "the name says slot 389239999") || !strings.Contains(notes, "the name says lz4") {
			t.Errorf("notes %s", notes)
		}
	})
}

// A snapshot that comes in pieces is read when no more come for a while, and counts
// when its stakes are all there.
func TestWatchGrowingSnapshot(t *testing.T) {
	for _, compression := range []string{"", ".zst"} {
		for _, pause := range []time.Duration{3 * time.Second, 9 * time.Second, 40 * time.Second, 5 * time.Minute} {
			t.Run(compression+pause.String(), func(t *testing.T) { growSnapshot(t, compression, pause) })
		}
	}
}

func growSnapshot(t *testing.T, compression string, pause time.Duration) {
	watching(t, snapshotSchedule, func(t *testing.T, g *rig, w *Watch, dir string) {
		name, content := archive(t, compression)
		const piece, pieces = 1200, 10 // about as much as comes before the manifest's end
		for i := range pieces {
			write(t, dir, name, content[:i*piece])
			touch(t, dir, name, i)
			after(pause)
			if _, held := g.registry.Summary(900); held {
				g.wantSnapshot(t)
				continue
			}
			g.wantNone(t, 901)
			g.wantNone(t, 902)
		}
		early := len(g.attempts(name))
		if fast := pause < settled; fast != (early == 0) {
			t.Errorf("read %d times before it was whole", early)
		}
		write(t, dir, name, content)
		touch(t, dir, name, pieces)
		after(settled)
		g.wantSnapshot(t)
		if n := len(g.attempts(name)); n != early+1 {
			t.Errorf("read %d times, want once more than %d", n, early)
		}
		g.wantLog(t, "level=WARN", 0)
	})
}

// A file that stays cut off is tried less and less often, and at last left alone; a
// change brings it back.
func TestWatchCutSnapshot(t *testing.T) {
	watching(t, snapshotSchedule, func(t *testing.T, g *rig, w *Watch, dir string) {
		name, content := archive(t, ".zst")
		write(t, dir, name, content[:1000])
		after(24 * time.Hour)
		if n := len(g.attempts(name)); n != mostTries {
			t.Errorf("read %d times, want %d", n, mostTries)
		}
		if s := w.Status(); s.Refused != 1 || s.Waiting != 0 || s.Ingested != 0 {
			t.Errorf("status %+v", s)
		}
		for _, epoch := range snapshotEpochs {
			g.wantNone(t, epoch)
		}
		g.wantLog(t, `msg="file is not complete"`, 1)
		g.wantLog(t, `msg="stakes refused, until the file changes"`, 1)
		write(t, dir, name, content)
		touch(t, dir, name, 1)
		after(settled)
		g.wantSnapshot(t)
	})
}

// Programs that write a file beside its place and move it there are not waited for
// longer than others; the older file counts until then.
func TestWatchRename(t *testing.T) {
	watching(t, tiny, func(t *testing.T, g *rig, w *Watch, dir string) {
		write(t, dir, "a.json", jsonOf(t, made(5, 1, list.VintageExact)))
		after(settled)
		write(t, dir, "a.json.tmp", jsonOf(t, made(5, 2, list.VintageExact)))
		touch(t, dir, "a.json.tmp", 7)
		after(time.Minute)
		g.wantVersion(t, 5, 1)
		if err := os.Rename(filepath.Join(dir, "a.json.tmp"), filepath.Join(dir, "a.json")); err != nil {
			t.Fatal(err)
		}
		after(settled)
		g.wantVersion(t, 5, 2)
		in := g.attempts("a.json")
		if len(in) != 2 || in[1].Lists[0].Result != Replaced || len(g.attempts("a.json.tmp")) != 0 {
			t.Errorf("got %+v", in)
		}
		g.wantLog(t, `file=a.json replaced=[5] vintage=exact`, 1)
	})
}

// A file that goes before it is read is none; one that goes later has been taken.
func TestWatchRemoved(t *testing.T) {
	watching(t, tiny, func(t *testing.T, g *rig, w *Watch, dir string) {
		for _, wait := range []time.Duration{6 * time.Second, settled} {
			write(t, dir, "a.json", jsonOf(t, made(5, 1, list.VintageExact)))
			after(wait)
			if err := os.Remove(filepath.Join(dir, "a.json")); err != nil {
				t.Fatal(err)
			}
			after(settled)
			if wait < settled {
				g.wantNone(t, 5)
			} else {
				g.wantVersion(t, 5, 1)
			}
			if s := w.Status(); s.Ingested+s.Waiting+s.Refused != 0 {
				t.Errorf("status %+v", s)
			}
		}
		g.wantLog(t, "level=WARN", 0)
	})
}

// Content that is wrong is told once, and is no reason to serve anything else.
func TestWatchCorrupted(t *testing.T) {
	good, bad := jsonOf(t, made(5, 1, list.VintageExact)), made(5, 2, list.VintageExact)
	for i := range bad.Entries {
		bad.Entries[i].Stake = 1 << 63
	}
	otherCluster := made(5, 2, list.VintageExact)
	otherCluster.Provenance.EpochSchedule = &snapshotSchedule
	name, content := archive(t, ".zst")
	content[20] ^= 0x55
	for _, c := range []struct {
		name, says string
		content    []byte
	}{
		{"corrupted.json", "corrupted.json", bytes.Replace(good, []byte(`"stake":"`), []byte(`"stake":"x`), 1)},
		{"overflow.json", "stake sum is greater", jsonOf(t, bad)},
		{"program", "cannot open stake list program: it begins with", []byte("\x7fELF\x02\x01\x01\x00\x00\x00")},
		{"text.txt", "text.txt", []byte("hello\n")},
		{"plain.csv", "want a file that says so itself", []byte(plainCSV)},
		{"other.json", "of another cluster", jsonOf(t, otherCluster)},
		{name, name, content},
		{"a\nlevel=ERROR msg=x", `file="\"a\\nlevel=ERROR msg=x\""`, []byte("hello\n")},
	} {
		t.Run(c.says, func(t *testing.T) {
			watching(t, tiny, func(t *testing.T, g *rig, w *Watch, dir string) {
				g.mustPut(t, made(5, 1, list.VintageExact))
				write(t, dir, c.name, c.content)
				after(time.Hour)
				g.wantVersion(t, 5, 1)
				g.wantLog(t, `level=WARN msg="stakes refused" folder=`, 1)
				g.wantLog(t, `level=WARN msg="stakes refused, until the file changes" folder=`, 1)
				g.wantLog(t, c.says, 2)
				g.wantLog(t, "level=", 2)
				if n := len(g.attempts(quoted(c.name))); n != mostTries {
					t.Errorf("read %d times", n)
				}
			})
		})
	}
}

// A CSV list is whole wherever a line ends. One that ends within a line is still
// written.
func TestWatchCutCSV(t *testing.T) {
	watching(t, tiny, func(t *testing.T, g *rig, w *Watch, dir string) {
		head := "# schedgen: {\"kind\":\"csv\",\"source\":\"x\",\"epoch\":5,\"vintage\":\"exact\"}\n"
		whole := head + "pubkey,stake\n" + schedule.Pubkey{1}.String() + ",500\n" + schedule.Pubkey{2}.String() + ",700\n"
		for i := len(head) + 60; i < len(whole); i += 7 {
			if whole[i-1] == '\n' {
				continue
			}
			write(t, dir, "a.csv", []byte(whole[:i]))
			touch(t, dir, "a.csv", i)
			after(settled)
			g.wantNone(t, 5)
		}
		write(t, dir, "a.csv", []byte(whole))
		after(settled)
		if held, _ := g.registry.Summary(5); held.Entries != 2 {
			t.Errorf("got %+v", held)
		}
	})
}

// What is no fault of the file is tried for ever: a disk that is full today takes the
// list tomorrow.
func TestWatchTriesForEver(t *testing.T) {
	for says, err := range map[string]error{
		"no room":            &store.Error{Path: "epochs.db", Err: store.ErrFull},
		"input/output error": &os.PathError{Op: "read", Err: syscall.EIO},
		"how long epochs":    epochs.ErrNoEpochSchedule,
		"unknown whether":    schedule.ErrKeyingUnknown,
	} {
		watching(t, tiny, func(t *testing.T, g *rig, w *Watch, dir string) {
			g.registry.fail(fmt.Errorf("%s: %w", says, err))
			write(t, dir, "a.json", jsonOf(t, made(5, 1, list.VintageExact)))
			after(24 * time.Hour)
			if s := w.Status(); s.Waiting != 1 || s.Refused != 0 {
				t.Errorf("%s: status %+v", says, s)
			}
			g.wantLog(t, says, 1)
			g.registry.fail(nil)
			after(11 * time.Minute)
			g.wantVersion(t, 5, 1)
		})
	}
}

func TestWatchFolderGoesAndComes(t *testing.T) {
	watching(t, tiny, func(t *testing.T, g *rig, w *Watch, dir string) {
		away := dir + "-away"
		write(t, dir, "a.json", jsonOf(t, made(5, 1, list.VintageExact)))
		if err := os.Rename(dir, away); err != nil {
			t.Fatal(err)
		}
		after(time.Minute)
		if s := w.Status(); !errors.Is(s.Err, os.ErrNotExist) || !strings.Contains(s.Err.Error(), filepath.Base(dir)) {
			t.Errorf("status %+v", s)
		}
		g.wantLog(t, "folder cannot be looked at", 1)
		if err := os.Rename(away, dir); err != nil {
			t.Fatal(err)
		}
		after(2 * time.Minute)
		g.wantVersion(t, 5, 1)
		g.wantLog(t, "folder can be looked at again", 1)
		if s := w.Status(); s.Err != nil {
			t.Errorf("status %+v", s)
		}
	})
}

func TestNewWatchErrors(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "file", nil)
	for _, name := range []string{"none", "file"} {
		w, err := newRig(t, tiny).NewWatch(filepath.Join(dir, name), WatchOptions{})
		if w != nil || err == nil || !strings.HasPrefix(err.Error(), filepath.Join(dir, name)+": ") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Of many files, the newest snapshot is first, and one that comes later does not
// wait for the rest.
func TestWatchManyFiles(t *testing.T) {
	files := 10_000
	if shorter() {
		files = 500
	}
	watching(t, snapshotSchedule, func(t *testing.T, g *rig, w *Watch, dir string) {
		for i := range files {
			write(t, dir, fmt.Sprintf("junk-%05d", i), []byte{0x7f, byte(i), byte(i >> 8)})
		}
		name, content := archive(t, ".zst")
		older := strings.Replace(name, "389233000", "389232999", 1)
		newer := "incremental-snapshot-389233000-389233500-" + strings.SplitN(name, "-", 3)[2]
		for _, name := range []string{older, name, newer} {
			write(t, dir, name, content)
		}
		after(settled)
		g.wantSnapshot(t)
		g.mu.Lock()
		defer g.mu.Unlock()
		if len(g.ingested) != files+3 {
			t.Fatalf("%d read, want %d", len(g.ingested), files+3)
		}
		for i, want := range []string{newer, name, older} {
			if g.ingested[i].Name != want {
				t.Errorf("%s is read as number %d, want %s", g.ingested[i].Name, i, want)
			}
		}
	})
}

// More files than are looked after do not hide a snapshot, nor fill the memory.
func TestWatchTooManyFiles(t *testing.T) {
	dir := t.TempDir()
	for i := range 100 {
		write(t, dir, fmt.Sprintf("junk-%05d", i), []byte{0x7f, byte(i)})
	}
	name, content := archive(t, ".zst")
	write(t, dir, name, content)
	running(t, func(t *testing.T, start func(runner)) {
		g := newRig(t, snapshotSchedule)
		w, err := g.NewWatch(dir, WatchOptions{MaxFiles: 10})
		if err != nil {
			t.Fatal(err)
		}
		start(w)
		after(settled)
		g.wantSnapshot(t)
		g.wantLog(t, "too many files", 1)
		if s := w.Status(); s.Ingested+s.Waiting+s.Refused != 11 {
			t.Errorf("status %+v", s)
		}
	})
}

// Looking again comes before reading on.
func TestWatchLooksInBetween(t *testing.T) {
	dir := t.TempDir()
	running(t, func(t *testing.T, start func(runner)) {
		g := newRig(t, tiny)
		slow := &slowRegistry{failing: g.registry}
		g.o.Registry = slow
		w, err := g.NewWatch(dir, WatchOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for epoch := range uint64(20) {
			name := fmt.Sprintf("snapshot-%d-x.json", 100+epoch)
			write(t, dir, name, jsonOf(t, made(epoch, 1, list.VintageExact)))
		}
		start(w)
		after(settled + 4*time.Second)
		write(t, dir, "snapshot-500-x.json", jsonOf(t, made(500, 1, list.VintageExact)))
		after(30 * time.Second)
		g.wantVersion(t, 500, 1)
		g.wantNone(t, 0)
		after(2 * time.Minute)
		g.wantVersion(t, 0, 1)
	})
}

// slowRegistry takes three seconds for a list.
type slowRegistry struct{ *failing }

func (s *slowRegistry) Put(l *list.List) (store.Put, error) {
	time.Sleep(3 * time.Second)
	return s.failing.Put(l)
}
