package rankfile

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/schedgen/schedgen/schedule"
)

// twoEpochs is a file of two epochs with a list each.
func twoEpochs(t fataler) (b []byte, schedules []*schedule.Schedule) {
	t.Helper()
	schedules = []*schedule.Schedule{
		derive(t, testStakes(t, 3, schedule.KeyedByVote), schedule.Params{Epoch: 4, FirstSlot: 40, Slots: 10}),
		derive(t, testStakes(t, 4, schedule.KeyedByIdentity), schedule.Params{Epoch: 7, FirstSlot: 70, Slots: 33, Repeat: 2}),
	}
	return write(t, schedules...), schedules
}

// readAll reads everything that a file has.
func readAll(b []byte) (schedules []*schedule.Schedule, err error) {
	f, err := NewFile(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		return nil, err
	}
	for e, err := range f.Epochs() {
		if err != nil {
			return schedules, err
		}
		s, err := f.Schedule(e.Epoch)
		if err != nil {
			return schedules, err
		}
		schedules = append(schedules, s)
	}
	return schedules, nil
}

// A changed byte is noticed, except where it says nothing.
func TestDamage(t *testing.T) {
	b, want := twoEpochs(t)
	unnoticed := 0
	for i := range b {
		for _, flip := range []byte{1, 0x80, 0xff} {
			b[i] ^= flip
			got, err := readAll(b)
			b[i] ^= flip
			if err != nil {
				if !errors.Is(err, ErrFormat) {
					t.Errorf("byte %d: %v is no ErrFormat", i, err)
				}
				continue
			}
			unnoticed++
			if len(got) != 2 || got[0].Digest() != want[0].Digest() || got[1].Digest() != want[1].Digest() {
				t.Errorf("byte %d changes a schedule", i)
			}
		}
	}
	// The zeros of the header and those that fill up the two rank blocks.
	if most := 3 * (4 + 7 + 7); unnoticed > most {
		t.Errorf("%d changes go unnoticed, want at most %d", unnoticed, most)
	}
}

// A file that was cut short, at either end or in the middle, is no file.
func TestCutShort(t *testing.T) {
	b, _ := twoEpochs(t)
	for n := range len(b) {
		if _, err := readAll(b[:n]); !errors.Is(err, ErrFormat) {
			t.Errorf("%d bytes of %d: %v", n, len(b), err)
		}
		if n > 0 {
			if _, err := readAll(b[n:]); !errors.Is(err, ErrFormat) {
				t.Errorf("without the first %d bytes: %v", n, err)
			}
		}
	}
	if _, err := readAll(append(bytes.Clone(b), 0)); !errors.Is(err, ErrFormat) {
		t.Errorf("a byte more: %v", err)
	}
	if _, err := NewFile(bytes.NewReader(b), int64(len(b))+48); !errors.Is(err, ErrFormat) {
		t.Errorf("a size that is too large: %v", err)
	}
	if _, err := NewFile(bytes.NewReader(b), -1); !errors.Is(err, ErrFormat) {
		t.Errorf("a size below 0: %v", err)
	}
}

// seal recomputes the checksums of a file whose tables lie where t says.
func seal(b []byte, t trailer) {
	sum := func(row []byte) { order.PutUint32(row[len(row)-4:], checksum(row[:len(row)-4])) }
	for i := range uint64(t.listCount) {
		sum(b[t.lists+listSize*i:][:listSize])
	}
	for i := range t.epochCount {
		sum(b[t.epochs+epochSize*i:][:epochSize])
	}
	sum(b[len(b)-trailerSize:][:40])
}

// Tables that lie, with checksums that fit, are found out.
func TestLies(t *testing.T) {
	good, _ := twoEpochs(t)
	tables, _ := parseTrailer(good[len(good)-trailerSize:])
	epoch, list := int(tables.epochs), int(tables.lists)
	for _, c := range []struct {
		name  string
		at    int
		value uint64
		size  int
		says  string
	}{
		{"version", 8, 2, 4, "version 2"},
		{"rotations over the end", epoch + 16, 1 << 20, 8, "past the end"},
		{"too many rotations", epoch + 16, 4*schedule.MaxRotations + 1, 8, "268435457 rotations"},
		{"most slots", epoch + 16, ^uint64(0), 8, "at most 268435456"},
		{"no slots", epoch + 16, 0, 8, "0 slots"},
		{"no repeat", epoch + 32, 0, 4, "rotations of 0"},
		{"block over the end", epoch + 24, uint64(len(good)), 8, "past the end"},
		{"block far over the end", epoch + 24, ^uint64(0), 8, "past the end"},
		{"slots over the limit", epoch + 8, ^uint64(0), 8, "18446744073709551615"},
		{"list", epoch + 36, 2, 4, "list 2 of 2"},
		{"the other list", epoch + 36, 1, 4, "rank"},
		{"keying", list + 12, 2, 4, "keying 2"},
		{"entries", list + 8, 2, 4, "digest"},
		{"no entries", list + 8, 0, 4, "digest"},
		{"most entries", list + 8, 1<<32 - 2, 4, "past the end"},
		{"too many entries", list + 8, 1<<32 - 1, 4, "at most 4294967294"},
		{"total", list + 16, 5, 8, "lamports"},
		{"epochs", len(good) - 32, 3, 8, "tables"},
		{"epochs that wrap", len(good) - 32, tables.epochCount + 1<<60, 8, "tables"},
		{"lists", len(good) - 24, 1, 4, "tables"},
		{"list table", len(good) - 48, 8, 8, "tables"},
		{"epoch table", len(good) - 40, ^uint64(0), 8, "tables"},
	} {
		b := bytes.Clone(good)
		if c.size == 4 {
			order.PutUint32(b[c.at:], uint32(c.value))
		} else {
			order.PutUint64(b[c.at:], c.value)
		}
		seal(b, tables)
		if _, err := readAll(b); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: got %v, want one that says %q", c.name, err, c.says)
		}
	}
}

// A list must be sorted, and be what its keying makes of it.
func TestUnsortedList(t *testing.T) {
	entry := func(key, node byte, stake uint64) []byte {
		b := make([]byte, entrySize)
		b[0], b[32] = key, node
		order.PutUint64(b[64:], stake)
		return b
	}
	for name, list := range map[string][]byte{
		"order":       append(entry(1, 1, 5), entry(2, 2, 6)...),
		"ties":        append(entry(1, 1, 5), entry(2, 2, 5)...),
		"twice":       append(entry(1, 1, 5), entry(1, 1, 5)...),
		"duplicate":   append(entry(1, 1, 5), entry(1, 1, 4)...),
		"no stake":    append(entry(1, 1, 5), entry(2, 2, 0)...),
		"no entries":  nil,
		"no identity": entry(1, 0, 5),
		"overflow":    append(entry(1, 1, 1<<63), entry(2, 2, 1<<63)...),
	} {
		row := listRow{entries: uint32(len(list) / entrySize), total: 11}
		entries, err := appendEntries(nil, 0, list)
		var st *schedule.Stakes
		if err == nil {
			st, err = newList(row, schedule.KeyedByVote, entries)
		}
		if !errors.Is(err, ErrFormat) {
			t.Errorf("%s: got %v, %v", name, st, err)
		}
	}
	row := listRow{entries: 1, total: 5}
	entries, err := appendEntries(nil, 0, entry(1, 2, 5))
	if err != nil {
		t.Fatal(err)
	}
	if st, err := newList(row, schedule.KeyedByIdentity, entries); !errors.Is(err, ErrFormat) {
		t.Errorf("vote accounts in a list keyed by identity: %v, %v", st, err)
	}
}

// An error of the reader is no error of the file.
func TestReaderFails(t *testing.T) {
	b, _ := twoEpochs(t)
	broken := errors.New("broken")
	failed := 0
	for limit := range 30 {
		r := &failingReader{bytes.NewReader(b), limit, broken}
		f, err := NewFile(r, int64(len(b)))
		if err == nil {
			_, err = f.Schedule(7)
		}
		if err == nil {
			break
		}
		failed++
		if !errors.Is(err, broken) || errors.Is(err, ErrFormat) {
			t.Errorf("after %d reads: %v", limit, err)
		}
	}
	if failed < 6 {
		t.Errorf("%d reads in all", failed)
	}
}

type failingReader struct {
	r    io.ReaderAt
	left int
	err  error
}

func (f *failingReader) ReadAt(b []byte, offset int64) (int, error) {
	if f.left--; f.left < 0 {
		return 0, f.err
	}
	return f.r.ReadAt(b, offset)
}

// Whatever the bytes are, they are a file of schedules or an ErrFormat.
func FuzzFile(f *testing.F) {
	good, _ := twoEpochs(f)
	f.Add(good, false)
	f.Add(write(f), false)
	f.Add(good[:len(good)-1], true)
	f.Add([]byte("pubkey,stake\n"), true)
	f.Fuzz(func(t *testing.T, b []byte, sealed bool) {
		if sealed && len(b) >= headerSize+trailerSize {
			order.PutUint32(b[len(b)-12:], checksum(b[len(b)-trailerSize:len(b)-12]))
		}
		schedules, err := readAll(b)
		if err != nil && !errors.Is(err, ErrFormat) && !errors.Is(err, schedule.ErrUnknownEpoch) {
			t.Fatal(err)
		}
		for _, s := range schedules {
			if _, ok := s.LeaderAt(s.FirstSlot()); !ok {
				t.Fatal("a schedule without a leader")
			}
		}
	})
}
