package schedulefile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/schedgen/schedgen/schedule"
)

// A fataler is a test, a fuzz target or a property.
type fataler interface {
	Helper()
	Fatal(...any)
	Fatalf(string, ...any)
}

// testStakes makes a list of n vote accounts, two of each identity.
func testStakes(t fataler, n int, k schedule.Keying) *schedule.Stakes {
	t.Helper()
	entries := make([]schedule.Entry, n)
	for i := range entries {
		e := &entries[i]
		for at := range e.Key {
			e.Key[at] = byte((i + 1) * (at + 3) >> (at % 3))
			e.Node[at] = byte((i/2 + 1) * (at + 5) >> (at % 4))
		}
		binary.BigEndian.PutUint16(e.Key[:], uint16(i+1))
		binary.BigEndian.PutUint16(e.Node[:], uint16(i/2+1)<<8)
		e.Stake = uint64(1_000_000 + 1000*i)
	}
	st, err := schedule.NewStakes(entries, k)
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

// small is a schedule of 22 slots whose last rotation is short.
func small(t fataler, k schedule.Keying) *schedule.Schedule {
	t.Helper()
	return derive(t, testStakes(t, 4, k), schedule.Params{Epoch: 7, FirstSlot: 998, Slots: 22})
}

// formats are those that are written and read, Parquet among them.
func formats(s *schedule.Schedule, filtered bool) []schedule.Format {
	formats := []schedule.Format{FormatParquet}
	for _, f := range schedule.Formats() {
		if (f == schedule.FormatEpochNew && s.Repeat() != schedule.DefaultRepeat) || (filtered && !f.Filters()) {
			continue
		}
		formats = append(formats, f)
	}
	return formats
}

func write(t fataler, s *schedule.Schedule, f schedule.Format, only ...schedule.Pubkey) []byte {
	t.Helper()
	var out bytes.Buffer
	var err error
	if f == FormatParquet {
		err = WriteParquet(&out, s, Options{Identities: only})
	} else {
		err = s.Write(&out, f, only...)
	}
	if err != nil {
		t.Fatalf("%s: %v", f, err)
	}
	return out.Bytes()
}

func read(b []byte) (*Observed, error) { return Read(bytes.NewReader(b), "file") }

func mustRead(t fataler, b []byte) *Observed {
	t.Helper()
	o, err := read(b)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// place puts o where s is, whatever its format says of that.
func place(t fataler, o *Observed, s *schedule.Schedule) *Observed {
	t.Helper()
	p, err := o.Place(s.FirstSlot(), s.Slots())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// checkSame compares what o says of leaders and vote accounts, once it is placed,
// with a derived schedule.
func checkSame(t fataler, o *Observed, s *schedule.Schedule, votes bool, only ...schedule.Pubkey) {
	t.Helper()
	want := FromSchedule(s, only...)
	got := *place(t, o, s)
	if !votes {
		want = withoutVotes(want)
	}
	if got.Epoch != nil && *got.Epoch != s.Epoch() {
		t.Fatalf("epoch %d, want %d", *got.Epoch, s.Epoch())
	}
	got.Source, got.Format, got.Epoch = want.Source, want.Format, want.Epoch
	if !reflect.DeepEqual(&got, want) {
		t.Fatalf("got\n%+v\nwant\n%+v", got, *want)
	}
}

// withoutVotes is o as a format without vote accounts has it.
func withoutVotes(o *Observed) *Observed {
	b := newBuilder()
	p := *o
	p.Votes, p.Keys, p.Leaders = nil, nil, nil
	for i := range o.Slots {
		number := uint32(None)
		if key, ok := o.Leader(schedule.Index(i)); ok {
			number = b.number(key)
		}
		p.Leaders = append(p.Leaders, number)
	}
	p.Keys = b.keys
	return &p
}

func hasVotes(f schedule.Format) bool {
	return f == schedule.FormatCSV || f == FormatParquet
}

var somewhere = time.FixedZone("somewhere", 3600)

// clock says that a slot takes 400 ms.
func clock(slot schedule.Slot) time.Time {
	return time.UnixMilli(1_700_000_000_123 + 400*int64(slot)).In(somewhere)
}

// emulated reports whether the tests run on a processor that is slow because it
// is emulated.
func emulated() bool { return os.Getenv("SCHEDGEN_TEST_EMULATED") == "1" }

// sharedFile returns a file of real data, or skips the test where the data is
// not at hand.
func sharedFile(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "shared", "data", name))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no ../shared/data/%s beside the repository: this check needs it", name)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// epoch454Stakes are the stakes of mainnet-beta's epoch 454.
func epoch454Stakes(t testing.TB) *schedule.Stakes {
	t.Helper()
	var entries []schedule.Entry
	for i, line := range strings.Split(strings.TrimSpace(string(sharedFile(t, "epoch-454-stakes.csv"))), "\n") {
		if i == 0 {
			continue // header
		}
		text, amount, _ := strings.Cut(line, ",")
		key, err := schedule.ParsePubkey(text)
		if err != nil {
			t.Fatal(err)
		}
		stake, err := strconv.ParseUint(amount, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, schedule.Entry{Key: key, Stake: stake})
	}
	st, err := schedule.NewStakes(entries, schedule.KeyedByIdentity)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// split returns the lines of a text that are not empty, without their ends.
func split(text []byte) []string {
	return strings.Split(strings.TrimRight(string(text), "\n"), "\n")
}

func join(lines []string) string { return strings.Join(lines, "\n") + "\n" }
