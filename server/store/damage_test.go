package store

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"

	"go.etcd.io/bbolt"

	"github.com/schedgen/schedgen/stakes/list"
)

func wantOpenError(t *testing.T, dir string, kind error, text string) {
	t.Helper()
	s, err := Open(dir, Options{})
	if err == nil {
		s.Close()
		t.Fatalf("opened, want %v", kind)
	}
	var named *Error
	if !errors.Is(err, kind) || !errors.As(err, &named) || !strings.Contains(err.Error(), text) || strings.Contains(err.Error(), "\n") {
		t.Errorf("got %v, want %v with %q", err, kind, text)
	}
}

func TestNotStore(t *testing.T) {
	noise := make([]byte, 100_000)
	for i := range noise {
		noise[i] = byte(rand.NewPCG(1, uint64(i)).Uint64())
	}
	for name, content := range map[string][]byte{
		"empty": {}, "text": []byte("vote_pubkey,node_pubkey,stake\n"), "zeros": make([]byte, 1<<16), "noise": noise,
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			writeFile(t, file(dir), content)
			wantOpenError(t, dir, ErrNotStore, file(dir))
			if !bytes.Equal(readFile(t, file(dir)), content) {
				t.Error("the file was changed")
			}
		})
	}
	t.Run("directory", func(t *testing.T) {
		dir := t.TempDir()
		if err := os.Mkdir(file(dir), 0o755); err != nil {
			t.Fatal(err)
		}
		wantOpenError(t, dir, ErrNotStore, "no regular file")
	})
	t.Run("below a file", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "file")
		writeFile(t, path, nil)
		if _, err := Open(path, Options{}); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("other database", func(t *testing.T) {
		dir := t.TempDir()
		change(t, dir, func(tx *bbolt.Tx) error {
			_, err := tx.CreateBucket([]byte("other"))
			return err
		})
		wantOpenError(t, dir, ErrNotStore, "a database of something else")
	})
}

// change runs fn on the file itself.
func change(t *testing.T, dir string, fn func(*bbolt.Tx) error) {
	t.Helper()
	db, err := bbolt.Open(file(dir), 0o640, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Update(fn); err != nil {
		t.Fatal(err)
	}
}

func TestNewer(t *testing.T) {
	dir := filled(t, 1, 1, 3)
	change(t, dir, func(tx *bbolt.Tx) error { return tx.Bucket(ownBucket).Put(versionKey, []byte("2")) })
	wantOpenError(t, dir, ErrNewer, "form 2, this one knows 1")
}

func TestTruncated(t *testing.T) {
	const lists = 10
	dir := filled(t, 0, lists, 300)
	whole := readFile(t, file(dir))
	for _, size := range []int{1, 100, 4096, 8191, 8192, 20_000, len(whole) / 2, len(whole) * 3 / 4} {
		writeFile(t, file(dir), whole[:size])
		s, err := Open(dir, Options{})
		if err != nil {
			if !errors.Is(err, ErrNotStore) && !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), file(dir)) {
				t.Errorf("%d bytes: %v", size, err)
			}
			continue
		}
		if err := s.Damage(); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "the file ends at") {
			t.Errorf("%d bytes: damage %v", size, err)
		}
		if _, err := s.Put(made(0, 9, 3)); !errors.Is(err, ErrDamaged) {
			t.Errorf("%d bytes: a list was put: %v", size, err)
		}
		for epoch := range uint64(lists) {
			if l, _, err := s.Get(epoch); err == nil {
				wantSame(t, l, made(epoch, 0, 300))
			} else if !errors.Is(err, ErrDamaged) {
				t.Errorf("%d bytes: %v", size, err)
			}
		}
		s.Close()
	}
}

func wantSame(t testing.TB, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Error("got another list")
	}
}

// Wherever a bit is flipped, a list is the one that was put or an error, all others
// are there, and none is forgotten.
func TestFlipped(t *testing.T) {
	const lists, entries = 12, 120
	rounds := 200
	if testing.Short() || emulated() {
		rounds = 40
	}
	dir := filled(t, 0, lists, entries)
	whole := readFile(t, file(dir))
	rng := rand.New(rand.NewPCG(3, 4))
	var want []*list.List
	for epoch := range uint64(lists) {
		want = append(want, made(epoch, 0, entries))
	}
	refused, damaged, lost := 0, 0, 0
	for range rounds {
		// The first two pages say which transaction was the last: with one of them
		// damaged, bbolt goes back to the one before.
		at := 2*os.Getpagesize() + rng.IntN(len(whole)-2*os.Getpagesize())
		if rng.IntN(4) == 0 { // heads of pages, which are few bytes
			at = at/os.Getpagesize()*os.Getpagesize() + rng.IntN(200)
		}
		flipped := bytes.Clone(whole)
		flipped[at] ^= 1 << rng.IntN(8)
		writeFile(t, file(dir), flipped)
		s, err := Open(dir, Options{})
		if err != nil {
			if !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrNotStore) {
				t.Errorf("byte %d: %v", at, err)
			}
			refused++
			continue
		}
		bad := 0
		for epoch := range uint64(lists) {
			l, _, err := s.Get(epoch)
			if err == nil {
				wantSame(t, l, want[epoch])
				continue
			}
			if !errors.Is(err, ErrDamaged) {
				t.Errorf("byte %d: %v", at, err)
			}
			bad++
		}
		damaged += min(bad, 1)
		lost += bad
		if metas, err := s.Epochs(); err == nil && len(metas) < lists && s.Damage() == nil {
			t.Errorf("byte %d: only %d epochs, and no damage", at, len(metas))
		}
		s.Close()
	}
	t.Logf("%d flips: %d files refused, %d with damage to %d lists in all", rounds, refused, damaged, lost)
	if damaged == 0 || lost > 3*damaged {
		t.Errorf("%d flips damaged %d lists", damaged, lost)
	}
}

// Heads of pages, of which every bit counts: whatever is flipped is noticed, or
// changes nothing.
func TestFlippedHeads(t *testing.T) {
	const lists, entries = 6, 20
	dir := filled(t, 0, lists, entries)
	whole := readFile(t, file(dir))
	size := os.Getpagesize()
	sound := walkPages(bytes.NewReader(whole), int64(len(whole)))
	if sound.err != nil || len(sound.lists) != lists || sound.complete() != nil {
		t.Fatalf("%v, %d lists", sound.err, len(sound.lists))
	}
	for id := 2; id < int(sound.high); id++ {
		if sound.seen[id] != pageUsed || native.Uint64(whole[id*size:]) != uint64(id) {
			continue
		}
		for bit := range 8 * (headSize + 4*elementSize) {
			flipped := bytes.Clone(whole)
			flipped[id*size+bit/8] ^= 1 << (bit % 8)
			p := walkPages(bytes.NewReader(flipped), int64(len(flipped)))
			if p.err == nil {
				p.err = p.complete()
			}
			if p.err != nil {
				if !errors.Is(p.err, ErrDamaged) {
					t.Errorf("page %d bit %d: %v", id, bit, p.err)
				}
				continue
			}
			for epoch, at := range sound.lists {
				if now := p.lists[epoch]; now != at {
					v, err := p.list(epoch)
					if _, _, err := decode(epoch, v); err == nil {
						t.Errorf("page %d bit %d: epoch %d is found elsewhere", id, bit, epoch)
					}
					_ = err
				}
			}
		}
	}
}

// FuzzWalkPages: no file makes the walk panic, or find what is not in it.
func FuzzWalkPages(f *testing.F) {
	whole := readFile(f, file(filled(f, 0, 2, 3)))
	f.Add(whole[2*os.Getpagesize():])
	f.Add([]byte{})
	metas := whole[:2*os.Getpagesize()]
	f.Fuzz(func(t *testing.T, rest []byte) {
		all := append(bytes.Clone(metas), rest...)
		p := walkPages(bytes.NewReader(all), int64(len(all)))
		for epoch, at := range p.lists {
			if at.at < 0 || at.n < 0 || at.at+at.n > int64(len(all)) {
				t.Errorf("epoch %d is at %+v of %d bytes", epoch, at, len(all))
			}
		}
		p.complete()
	})
}

// A list whose bytes changed is an error of its epoch; a new one mends it.
func TestDamagedList(t *testing.T) {
	dir := filled(t, 0, 5, 100)
	change(t, dir, func(tx *bbolt.Tx) error {
		v := bytes.Clone(tx.Bucket(listBucket).Get(epochKey(3)))
		v[len(v)-50] ^= 1
		return errors.Join(tx.Bucket(listBucket).Put(epochKey(3), v), tx.Bucket(listBucket).Put(epochKey(4), v[:20]))
	})
	s := mustOpen(t, dir, Options{})
	if err := s.Damage(); err != nil {
		t.Fatal(err)
	}
	for _, epoch := range []uint64{3, 4} {
		var named *Error
		if _, _, err := s.Get(epoch); !errors.Is(err, ErrDamaged) || !errors.As(err, &named) || named.Epoch == nil || *named.Epoch != epoch {
			t.Errorf("epoch %d: got %v", epoch, err)
		}
	}
	metas, err := s.Epochs()
	if err != nil || len(metas) != 5 || metas[3].Err != nil || !errors.Is(metas[4].Err, ErrDamaged) {
		t.Errorf("got %+v, %v", metas, err)
	}
	for epoch := range uint64(3) {
		wantList(t, s, made(epoch, 0, 100))
	}
	for _, epoch := range []uint64{3, 4} {
		if put := outcome(t, s, made(epoch, 0, 100)); put != fmt.Sprint(epoch, " replaced") {
			t.Errorf("got %+v", put)
		}
		wantList(t, s, made(epoch, 0, 100))
	}
}

// A list that vanished is not one that never was.
func TestGoneList(t *testing.T) {
	dir := filled(t, 0, 3, 10)
	change(t, dir, func(tx *bbolt.Tx) error { return tx.Bucket(listBucket).Delete(epochKey(1)) })
	s := mustOpen(t, dir, Options{})
	if err := s.Damage(); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "the list of epoch 1 is gone") {
		t.Errorf("got %v", err)
	}
	if _, _, err := s.Get(1); !errors.Is(err, ErrDamaged) {
		t.Errorf("got %v", err)
	}
	metas, err := s.Epochs()
	if err != nil || len(metas) != 3 || !errors.Is(metas[1].Err, ErrDamaged) {
		t.Errorf("got %+v, %v", metas, err)
	}
	wantList(t, s, made(2, 0, 10))
}

// What happens to the file while it is open ends questions, not the process.
func TestChangedWhileOpen(t *testing.T) {
	if emulated() {
		t.Skip("reads memory whose file has ended, which emulators do not all report")
	}
	open := func(t *testing.T) (*Store, string) {
		dir := filled(t, 0, 5, 300)
		return mustOpen(t, dir, Options{}), file(dir)
	}
	t.Run("truncated", func(t *testing.T) {
		s, path := open(t)
		if err := os.Truncate(path, 10_000); err != nil {
			t.Fatal(err)
		}
		if _, _, err := s.Get(4); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "ends at 10000") {
			t.Errorf("got %v", err)
		}
		if _, err := s.Put(made(4, 1, 3)); !errors.Is(err, ErrDamaged) {
			t.Errorf("got %v", err)
		}
	})
	for name, size := range map[string]int64{"truncated in between": 10_000, "emptied in between": 0} {
		t.Run(name, func(t *testing.T) { // between the look at the size and the reading
			s, path := open(t)
			s.least.Store(0)
			if err := os.Truncate(path, size); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				if _, _, err := s.Get(4); !errors.Is(err, ErrDamaged) {
					t.Errorf("got %v", err)
				}
				if _, err := s.Epochs(); !errors.Is(err, ErrDamaged) {
					t.Errorf("got %v", err)
				}
			}
		})
	}
	t.Run("removed", func(t *testing.T) {
		s, path := open(t)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Put(made(4, 1, 3)); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("a list was put where nobody finds it: %v", err)
		}
		wantList(t, s, made(4, 0, 300))
	})
	t.Run("replaced", func(t *testing.T) {
		s, path := open(t)
		if err := os.Rename(file(filled(t, 0, 1, 3)), path); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Put(made(4, 1, 3)); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "replaced") {
			t.Errorf("a list was put where nobody finds it: %v", err)
		}
	})
}

// After a panic in a write nobody waits for the lock that it held.
func TestGivesUp(t *testing.T) {
	s := mustOpen(t, filled(t, 0, 1, 3), Options{})
	if err := s.update(func(*bbolt.Tx) error { panic("page") }); !errors.Is(err, ErrDamaged) {
		t.Errorf("got %v", err)
	}
	if _, err := s.Put(made(0, 1, 3)); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "page") {
		t.Errorf("got %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// After a failure of the disk nothing is said to be on it, and what is there is read.
// A full disk is no such failure.
func TestDiskFails(t *testing.T) {
	s := mustOpen(t, filled(t, 0, 1, 3), Options{})
	s.wrote(&fs.PathError{Op: "write", Path: "x", Err: syscall.ENOSPC}, false)
	mustPut(t, s, made(0, 0, 3))
	s.wrote(ErrCluster, true)
	mustPut(t, s, made(0, 1, 3))
	s.wrote(&fs.PathError{Op: "sync", Path: "x", Err: syscall.EIO}, false)
	for range 2 {
		if _, err := s.Put(made(0, 1, 3)); !errors.Is(err, syscall.EIO) || !strings.Contains(err.Error(), "failure of the disk") {
			t.Errorf("got %v", err)
		}
	}
	wantList(t, s, made(0, 1, 3))
}

// After a write that may not have reached the disk the same list is written again.
func TestUnsureIsWritten(t *testing.T) {
	s := mustOpen(t, t.TempDir(), Options{})
	first := mustPut(t, s, made(0, 0, 3)).Meta.StoredAt
	if again := mustPut(t, s, made(0, 0, 3)).Meta.StoredAt; !again.Equal(first) {
		t.Error("written again though it was there")
	}
	s.unsure.Store(true)
	if put := mustPut(t, s, made(0, 0, 3)); !put.Same || put.Meta.StoredAt.Equal(first) || s.unsure.Load() {
		t.Errorf("not written again: %+v", put)
	}
}
