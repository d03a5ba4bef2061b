package feed

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/schedgen/schedgen/stakes/list"
)

// A change shows in the size or in the time of change.
func TestWatchChanges(t *testing.T) {
	watching(t, tiny, func(t *testing.T, g *rig, w *Watch, dir string) {
		one, two := jsonOf(t, made(5, 1, list.VintageExact)), jsonOf(t, made(5, 2, list.VintageExact))
		for len(one) != len(two) { // made as long as the other with white space
			one, two = append(one, bytes.Repeat([]byte{' '}, max(0, len(two)-len(one)))...), append(two, bytes.Repeat([]byte{' '}, max(0, len(one)-len(two)))...)
		}
		for i, c := range []struct {
			content []byte
			second  int
			version uint64
		}{{one, 1, 1}, {two, 2, 2}, {append(one, ' '), 2, 1}, {one, 2, 1}, {two, 0, 2}} {
			write(t, dir, "a.json", c.content)
			touch(t, dir, "a.json", c.second)
			after(settled)
			g.wantVersion(t, 5, c.version)
			if n := len(g.attempts("a.json")); n != i+1 {
				t.Errorf("change %d: read %d times", i, n)
			}
		}
	})
}

// What changes while it is read does not count.
func TestTakeChanging(t *testing.T) {
	dir := t.TempDir()
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
	for name, change := range map[string]func(){
		"size": func() {
			write(t, dir, "size", append(jsonOf(t, made(5, 1, list.VintageExact)), ' '))
			touch(t, dir, "size", 1)
		},
		"time": func() { touch(t, dir, "time", 2) },
	} {
		write(t, dir, name, jsonOf(t, made(5, 1, list.VintageExact)))
		touch(t, dir, name, 1)
		info, err := root.Lstat(name)
		if err != nil {
			t.Fatal(err)
		}
		f := &file{size: info.Size(), modified: info.ModTime()}
		w.take(&changing{t.Context(), change}, root, candidate{name, f}, time.Now())
		if f.taken || !strings.Contains(f.said, ErrIncomplete.Error()) {
			t.Errorf("%s: %+v", name, f)
		}
		g.wantNone(t, 5)
	}
}

// changing is a context that changes something each time it is asked, as it is before
// each piece is read.
type changing struct {
	context.Context
	change func()
}

func (c *changing) Err() error {
	c.change()
	return c.Context.Err()
}

// What goes away between the look and the opening is no failure.
func TestTakeRemoved(t *testing.T) {
	dir := t.TempDir()
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
	gone := &file{size: 5}
	w.take(t.Context(), root, candidate{"a.csv", gone}, time.Now())
	if gone.taken || gone.left || gone.tries != 0 || g.log.count("refused") != 0 {
		t.Errorf("%+v, %s", gone, g.log)
	}
}
