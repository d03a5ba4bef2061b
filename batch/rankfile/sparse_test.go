package rankfile

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/schedgen/schedgen/schedule"
)

// A sparse is a file with a hole, which reads as zeros, between its first and its
// last bytes.
type sparse struct {
	head, tail []byte
	size       int64
	torn       bool // the hole cannot be read: the size was a lie

	most, read int // bytes, at a time and in all
}

func (s *sparse) ReadAt(b []byte, offset int64) (int, error) {
	s.most, s.read = max(s.most, len(b)), s.read+len(b)
	from := s.size - int64(len(s.tail))
	switch {
	case offset >= from:
		return bytes.NewReader(s.tail).ReadAt(b, offset-from)
	case offset+int64(len(b)) <= int64(len(s.head)):
		return copy(b, s.head[offset:]), nil
	case s.torn:
		return 0, io.EOF
	}
	clear(b)
	return len(b), nil
}

// withHole puts a hole of n bytes before the tables of twoEpochs, and lets change
// edit the rows of the first list and the first epoch.
func withHole(t *testing.T, n uint64, change func(l *listRow, e *Epoch)) *sparse {
	t.Helper()
	good, _ := twoEpochs(t)
	tables, _ := parseTrailer(good[len(good)-trailerSize:])
	l, _ := parseListRow(good[tables.lists:])
	e, _ := parseEpoch(good[tables.epochs:])
	s := &sparse{head: good[:tables.lists], size: int64(uint64(len(good)) + n)}
	change(&l, &e)
	s.tail = append(l.append(nil), good[tables.lists+listSize:tables.epochs]...)
	s.tail = append(e.append(s.tail), good[tables.epochs+epochSize:len(good)-trailerSize]...)
	tables.lists += n
	tables.epochs += n
	s.tail = tables.append(s.tail)
	return s
}

// A large file that says much and has nothing costs little to refuse.
func TestHoles(t *testing.T) {
	const large = 1 << 36
	for _, c := range []struct {
		name   string
		torn   bool
		change func(l *listRow, e *Epoch)
		read   int // bytes at most
		says   string
	}{
		{"rotations", false, func(_ *listRow, e *Epoch) { e.Slots, e.Repeat = schedule.MaxRotations+1, 1 }, 1000, "at most 268435456"},
		{"ranks that are not there", true, func(_ *listRow, e *Epoch) {
			e.Slots, e.Repeat, e.offset = schedule.MaxRotations, 1, 1<<20
		}, 2 * partSize, "the file ends"},
		{"entries of zeros", false, func(l *listRow, _ *Epoch) { l.entries, l.offset = 1<<24, 1<<20 }, 2 * partSize, "entry 0 has no stake"},
		{"entries that are not there", true, func(l *listRow, _ *Epoch) { l.entries, l.offset = 1<<24, 1<<20 }, 2 * partSize, "the file ends"},
	} {
		s := withHole(t, large, c.change)
		s.torn = c.torn
		f, err := NewFile(s, s.size)
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.Schedule(4)
		if !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: got %v, want one that says %q", c.name, err, c.says)
		}
		if s.most > partSize || s.read > c.read {
			t.Errorf("%s: %d bytes are read, up to %d at a time", c.name, s.read, s.most)
		}
		if _, err := f.Schedule(7); err != nil {
			t.Errorf("%s: the other epoch: %v", c.name, err)
		}
	}
}

// Blocks of several parts are read as they were written.
func TestParts(t *testing.T) {
	for _, entries := range []int{3, partSize/entrySize + 5} {
		slots := uint64(partSize + 10) // two bytes a slot
		s := derive(t, testStakes(t, entries, schedule.KeyedByVote), schedule.Params{Epoch: 3, Slots: slots, Repeat: 1})
		wantSame(t, open(t, write(t, s)), s)
	}
}
