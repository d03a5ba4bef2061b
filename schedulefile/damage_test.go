package schedulefile

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/schedgen/schedgen/schedule"
)

// samples are small schedules in every format, some of them limited to one
// identity.
func samples(t fataler) map[string][]byte {
	t.Helper()
	in := map[string][]byte{}
	for _, keying := range []schedule.Keying{schedule.KeyedByVote, schedule.KeyedByIdentity} {
		s := small(t, keying)
		one, _ := s.Leader(4)
		for _, f := range formats(s, false) {
			in[string(f)+" by "+keying.String()] = write(t, s, f)
		}
		for _, f := range formats(s, true) {
			in[string(f)+" of one by "+keying.String()] = write(t, s, f, one)
		}
	}
	in["answer"] = []byte(`{"jsonrpc":"2.0","result":` + string(in["rpc by vote"]) + `,"id":1}`)
	return in
}

// A file that was cut anywhere is refused, or is text or CSV whose lines are all
// whole: a beginning of the schedule, in which nothing is other than it was.
func TestTruncated(t *testing.T) {
	for name, whole := range samples(t) {
		want := mustRead(t, whole)
		trimmed := len(bytes.TrimRight(whole, "\n"))
		step := 1
		if testing.Short() || emulated() {
			step = 7
		}
		for n := 0; n < trimmed; n += step {
			got, err := read(whole[:n])
			if err != nil {
				if !isTyped(err) {
					t.Errorf("%s, %d bytes: %v is no *Error", name, n, err)
				}
				continue
			}
			if want.Format != schedule.FormatText && want.Format != schedule.FormatCSV {
				t.Errorf("%s: %d bytes of %d are read", name, n, len(whole))
				continue
			}
			checkBeginning(t, name, got, want)
		}
	}
}

func isTyped(err error) bool {
	var located *Error
	return errors.As(err, &located)
}

func checkBeginning(t *testing.T, name string, got, want *Observed) {
	t.Helper()
	if got.Slots > want.Slots || got.AtEnd {
		t.Fatalf("%s: %d slots of %d, at end %v", name, got.Slots, want.Slots, got.AtEnd)
	}
	for i := range got.Slots {
		i := schedule.Index(i)
		a, known := got.Leader(i)
		if b, _ := want.Leader(i); known && a != b {
			t.Fatalf("%s: leader of index %d is %v, was %v", name, i, a, b)
		}
		a, known = got.Vote(i)
		b, wasKnown := want.Vote(i)
		if _, led := got.Leader(i); known && a != b || led && wasKnown != known {
			t.Fatalf("%s: vote account of index %d is %v, was %v", name, i, a, b)
		}
	}
}

// A changed bit is refused or read as something: never a panic, never an error
// without its place.
func TestBitFlips(t *testing.T) {
	unnoticed := map[schedule.Format]int{}
	for name, in := range samples(t) {
		want := mustRead(t, in)
		step := 23 // every bit of a byte comes up
		if testing.Short() || emulated() {
			step = 97
		}
		for i := 0; i < len(in)*8; i += step {
			in[i/8] ^= 1 << (i % 8)
			got, err := read(in)
			in[i/8] ^= 1 << (i % 8)
			if err != nil && !isTyped(err) {
				t.Errorf("%s, bit %d: %v is no *Error", name, i, err)
			}
			if err == nil && !sameLeaders(got, want) {
				unnoticed[want.Format]++
			}
		}
	}
	// Pages have checksums and leaders a digest; the length of the epoch that the
	// metadata name has neither.
	if n := unnoticed[FormatParquet]; n > 4 {
		t.Errorf("%d bits of Parquet files change leaders without being noticed", n)
	}
}

func sameLeaders(a, b *Observed) bool {
	if a.Slots != b.Slots {
		return false
	}
	for i := range a.Slots {
		x, _ := a.Leader(schedule.Index(i))
		if y, _ := b.Leader(schedule.Index(i)); x != y {
			return false
		}
	}
	return true
}

// An error of the reader comes through, whatever was read before it.
func TestReaderFails(t *testing.T) {
	for name, in := range samples(t) {
		for _, n := range []int{0, 1, 7, len(in) / 2, len(in)} {
			r := io.MultiReader(bytes.NewReader(in[:n]), iotest.ErrReader(errFull))
			if o, err := Read(r, "file"); !errors.Is(err, errFull) || o != nil || !strings.HasPrefix(err.Error(), "file: ") {
				t.Errorf("%s after %d bytes: %v, %v", name, n, o, err)
			}
		}
		o, err := Read(iotest.OneByteReader(bytes.NewReader(in)), "file")
		if err != nil || !reflect.DeepEqual(o, mustRead(t, in)) {
			t.Errorf("%s byte by byte: %+v, %v", name, o, err)
		}
	}
}

// Small files that claim to be large take little memory.
func TestBombs(t *testing.T) {
	line := "10 " + textA + "\n"
	for name, in := range map[string]string{
		"text slots":    line + "18446744073709551615 " + textB + "\n",
		"text before":   "18446744073709551615 " + textB + "\n" + line,
		"text gap":      line + "1048585 " + textB + "\n", // as far apart as may be
		"csv":           "slot_index,leader\n18446744073709551615," + textA + "\n",
		"csv gap":       "slot_index,leader\n1048575," + textA + "\n",
		"json":          `{"epoch":0,"leaderScheduleEntries":[{"slot":0,"leader":"?"},{"slot":268435454,"leader":"?"}]}`,
		"rpc":           `{"` + textA + `":[268435455]}`,
		"deep":          `{"epoch":` + strings.Repeat("[", 1<<16),
		"digits":        `{"epoch":` + strings.Repeat("1", 1<<16) + `}`,
		"name":          `{"` + strings.Repeat("1", 1<<16) + `":[]}`,
		"base58":        "1 " + strings.Repeat("z", 4000) + "\n",
		"Parquet":       "PAR1" + strings.Repeat("\xff", 100) + "\xff\xff\xff\xffPAR1",
		"Parquet lists": "PAR1\x15\x04\x19\xfc\xff\xff\xff\xff\x07" + "\x00\x09\x00\x00\x00PAR1",
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := read([]byte(in))
		runtime.ReadMemStats(&after)
		if took := after.TotalAlloc - before.TotalAlloc; took > 32<<20 {
			t.Errorf("%s: %d bytes for %d, %v", name, took, len(in), err)
		}
		if (err == nil) != strings.HasSuffix(name, "gap") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
