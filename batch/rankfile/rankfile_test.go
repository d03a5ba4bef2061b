package rankfile

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedgen/schedgen/schedule"
)

type fataler interface {
	Helper()
	Fatal(args ...any)
}

func testKey(i int) schedule.Pubkey { return schedule.Pubkey{byte(i), byte(i >> 8), byte(i >> 16), 1} }

func testStakes(t fataler, n int, keying schedule.Keying) *schedule.Stakes {
	t.Helper()
	entries := make([]schedule.Entry, n)
	for i := range entries {
		entries[i] = schedule.Entry{Key: testKey(i), Node: testKey(1_000_000 + i/2), Stake: 1 + uint64(i%7)}
	}
	st, err := schedule.NewStakes(entries, keying)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

func derive(t fataler, st *schedule.Stakes, p schedule.Params) *schedule.Schedule {
	t.Helper()
	s, err := schedule.Derive(st, p)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// write returns the file of some schedules.
func write(t fataler, schedules ...*schedule.Schedule) []byte {
	t.Helper()
	var b bytes.Buffer
	w := NewWriter(&b)
	for _, s := range schedules {
		if err := w.Write(s); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func open(t fataler, b []byte) *File {
	t.Helper()
	f, err := NewFile(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// wantSame checks that a file gives a schedule back.
func wantSame(t fataler, f *File, want *schedule.Schedule) {
	t.Helper()
	got, err := f.Schedule(want.Epoch())
	if err != nil {
		t.Fatal(err)
	}
	if got.Epoch() != want.Epoch() || got.FirstSlot() != want.FirstSlot() || got.Slots() != want.Slots() || got.Repeat() != want.Repeat() ||
		!bytes.Equal(got.AppendRanks(nil), want.AppendRanks(nil)) {
		t.Fatal("another schedule of epoch", want.Epoch())
	}
	a, b := got.Stakes(), want.Stakes()
	if a.Keying() != b.Keying() || a.Total() != b.Total() || a.Len() != b.Len() {
		t.Fatal("another stake list")
	}
	for rank, e := range a.All() {
		if e != b.Entry(rank) {
			t.Fatal("rank", rank, "has", e)
		}
	}
}

func drawSchedules(t *rapid.T) []*schedule.Schedule {
	lists := []*schedule.Stakes{
		testStakes(t, 1, schedule.KeyedByVote),
		testStakes(t, 1, schedule.KeyedByIdentity),
		testStakes(t, 20, schedule.KeyedByVote),
		testStakes(t, 20, schedule.KeyedByVote), // the same again
		testStakes(t, 20, schedule.KeyedByIdentity),
	}
	epochs := rapid.SliceOfDistinct(rapid.OneOf(rapid.Uint64(), rapid.Uint64Range(0, 40)), rapid.ID[uint64]).Draw(t, "epochs")
	slices.Sort(epochs)
	schedules := make([]*schedule.Schedule, len(epochs))
	for i, epoch := range epochs {
		schedules[i] = derive(t, rapid.SampledFrom(lists).Draw(t, "list"), schedule.Params{
			Epoch:     epoch,
			FirstSlot: schedule.Slot(rapid.Uint64Range(0, 1<<63).Draw(t, "first")),
			Slots:     rapid.Uint64Range(1, 200).Draw(t, "slots"),
			Repeat:    rapid.SampledFrom([]int{0, 1, 3, 4, math.MaxInt32}).Draw(t, "repeat"),
		})
	}
	return schedules
}

// What is written is read again, in any order, and nothing else is found.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		schedules := drawSchedules(t)
		f := open(t, write(t, schedules...))
		if f.Len() != uint64(len(schedules)) || f.Lists() > 4 {
			t.Fatalf("%d epochs, %d lists, want %d and at most 4", f.Len(), f.Lists(), len(schedules))
		}
		i := 0
		for e, err := range f.Epochs() {
			if s := schedules[i]; err != nil || e.Epoch != s.Epoch() || e.FirstSlot != s.FirstSlot() || e.Slots != s.Slots() || int(e.Repeat) != s.Repeat() {
				t.Fatalf("row %d: %+v, %v", i, e, err)
			}
			i++
		}
		if i != len(schedules) {
			t.Fatalf("%d rows of %d", i, len(schedules))
		}
		for _, i := range rapid.Permutation(indices(len(schedules))).Draw(t, "order") {
			wantSame(t, f, schedules[i])
		}
		absent := rapid.Uint64().Draw(t, "absent")
		if slices.ContainsFunc(schedules, func(s *schedule.Schedule) bool { return s.Epoch() == absent }) {
			return
		}
		var unknown *schedule.UnknownEpochError
		if _, err := f.Schedule(absent); !errors.As(err, &unknown) || unknown.Epoch != absent {
			t.Fatalf("epoch %d, which is not there: %v", absent, err)
		}
	})
}

func indices(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// Lists of the same bytes, but of different keyings, are different lists.
func TestKeyingOfEqualLists(t *testing.T) {
	var schedules []*schedule.Schedule
	for epoch, keying := range []schedule.Keying{schedule.KeyedByVote, schedule.KeyedByIdentity, schedule.KeyedByVote} {
		st, err := schedule.NewStakes([]schedule.Entry{{Key: testKey(1), Stake: 5}}, keying)
		if err != nil {
			t.Fatal(err)
		}
		schedules = append(schedules, derive(t, st, schedule.Params{Epoch: uint64(epoch), Slots: 4}))
	}
	f := open(t, write(t, schedules...))
	if f.Lists() != 2 {
		t.Errorf("%d lists", f.Lists())
	}
	for _, s := range schedules {
		wantSame(t, f, s)
	}
}

// Lists of more than 65,536 entries have ranks of four bytes.
func TestLongList(t *testing.T) {
	s := derive(t, testStakes(t, 1<<16+1, schedule.KeyedByVote), schedule.Params{Epoch: 3, Slots: 1001, Repeat: 2})
	b := write(t, s)
	if want := headerSize + entrySize*(1<<16+1) + 501*4 + 4 + listSize + epochSize + trailerSize; len(b) != want {
		t.Errorf("%d bytes, want %d", len(b), want)
	}
	wantSame(t, open(t, b), s)
}

func TestMany(t *testing.T) {
	st := testStakes(t, 5, schedule.KeyedByVote)
	var all []*schedule.Schedule
	for epoch := range uint64(1000) {
		all = append(all, derive(t, st, schedule.Params{Epoch: 3 * epoch, FirstSlot: schedule.Slot(8 * epoch), Slots: 8}))
	}
	f := open(t, write(t, all...))
	for _, s := range all {
		wantSame(t, f, s)
		if _, err := f.Find(s.Epoch() + 1); !errors.Is(err, schedule.ErrUnknownEpoch) {
			t.Fatal(err)
		}
	}
}

// One epoch of many is read with few bytes.
func TestReadsOneEpoch(t *testing.T) {
	st := testStakes(t, 5, schedule.KeyedByVote)
	var all []*schedule.Schedule
	for epoch := range uint64(256) {
		all = append(all, derive(t, st, schedule.Params{Epoch: epoch, Slots: 4000}))
	}
	b := write(t, all...)
	r := &countingReader{r: bytes.NewReader(b)}
	f, err := NewFile(r, int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	wantSame(t, f, all[77])
	if most := headerSize + trailerSize + 9*epochSize + listSize + 5*entrySize + 2000; r.n > most {
		t.Errorf("%d bytes were read of %d, want at most %d", r.n, len(b), most)
	}
}

type countingReader struct {
	r io.ReaderAt
	n int
}

func (c *countingReader) ReadAt(b []byte, offset int64) (int, error) {
	c.n += len(b)
	return c.r.ReadAt(b, offset)
}

func TestEmpty(t *testing.T) {
	b := write(t)
	f := open(t, b)
	if len(b) != headerSize+trailerSize || f.Len() != 0 || f.Lists() != 0 {
		t.Errorf("%d bytes, %d epochs, %d lists", len(b), f.Len(), f.Lists())
	}
	if _, err := f.Schedule(0); !errors.Is(err, schedule.ErrUnknownEpoch) {
		t.Error(err)
	}
	if _, err := f.Stakes(0); !errors.Is(err, ErrFormat) {
		t.Error(err)
	}
}

func TestOpen(t *testing.T) {
	s := derive(t, testStakes(t, 5, schedule.KeyedByVote), schedule.Params{Epoch: 9, Slots: 100})
	name := filepath.Join(t.TempDir(), "ranks")
	if err := os.WriteFile(name, write(t, s), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Open(name)
	if err != nil {
		t.Fatal(err)
	}
	wantSame(t, f, s)
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	if _, err := f.Schedule(9); !errors.Is(err, os.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	if _, err := Open(name + "none"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	if err := os.WriteFile(name, []byte("pubkey,stake\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(name); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), name) {
		t.Errorf("another file: %v", err)
	}
}

func TestWriterErrors(t *testing.T) {
	st := testStakes(t, 5, schedule.KeyedByVote)
	five := derive(t, st, schedule.Params{Epoch: 5, Slots: 100})
	var b bytes.Buffer
	w := NewWriter(&b)
	if err := w.Write(five); err != nil {
		t.Fatal(err)
	}
	size := b.Len()
	for _, s := range []*schedule.Schedule{five, derive(t, st, schedule.Params{Epoch: 4, Slots: 100})} {
		if err := w.Write(s); !errors.Is(err, ErrOrder) {
			t.Errorf("epoch %d after 5: %v", s.Epoch(), err)
		}
	}
	if err := w.Write(new(schedule.Schedule)); err == nil {
		t.Error("an empty schedule is taken")
	}
	if repeat := math.MaxInt; uint64(repeat) > math.MaxUint32 {
		if err := w.Write(derive(t, st, schedule.Params{Epoch: 6, Slots: 100, Repeat: repeat})); !errors.Is(err, ErrRepeat) {
			t.Errorf("long rotations: %v", err)
		}
	}
	if b.Len() != size {
		t.Error("something was written")
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	wantSame(t, open(t, b.Bytes()), five)
	if err := w.Close(); !errors.Is(err, ErrClosed) {
		t.Errorf("second Close: %v", err)
	}
	if err := w.Write(five); !errors.Is(err, ErrClosed) {
		t.Errorf("Write after Close: %v", err)
	}
}

// A failed write is reported by every later call.
func TestWriterFails(t *testing.T) {
	s := derive(t, testStakes(t, 5, schedule.KeyedByVote), schedule.Params{Epoch: 5, Slots: 100})
	size := len(write(t, s))
	for limit := 0; limit < size; limit += 8 {
		full := errors.New("full")
		w := NewWriter(&limitedWriter{limit, full})
		err := w.Write(s)
		if err == nil {
			err = w.Close()
		} else if again := w.Close(); again != err {
			t.Errorf("after %v, Close gives %v", err, again)
		}
		if !errors.Is(err, full) {
			t.Errorf("room for %d bytes of %d: %v", limit, size, err)
		}
	}
}

type limitedWriter struct {
	left int
	err  error
}

func (w *limitedWriter) Write(b []byte) (int, error) {
	if w.left -= len(b); w.left < 0 {
		return 0, w.err
	}
	return len(b), nil
}

func TestConcurrent(t *testing.T) {
	a, b := testStakes(t, 5, schedule.KeyedByVote), testStakes(t, 9, schedule.KeyedByIdentity)
	var all []*schedule.Schedule
	for epoch := range uint64(20) {
		all = append(all, derive(t, []*schedule.Stakes{a, b}[epoch%2], schedule.Params{Epoch: epoch, Slots: 100}))
	}
	f := open(t, write(t, all...))
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for _, want := range all {
				if got, err := f.Schedule(want.Epoch()); err != nil || got.Digest() != want.Digest() {
					t.Errorf("epoch %d: another schedule, %v", want.Epoch(), err)
				}
			}
		})
	}
	wg.Wait()
}
