package schedulefile

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/schedgen/schedgen/schedule"
)

func csvText(t fataler, s *schedule.Schedule, columns []Column, o Options) string {
	t.Helper()
	var out strings.Builder
	if err := WriteCSV(&out, s, columns, o); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// The default columns are what the format csv prints, to the byte.
func TestWriteCSVDefault(t *testing.T) {
	for _, keying := range []schedule.Keying{schedule.KeyedByVote, schedule.KeyedByIdentity} {
		s := small(t, keying)
		one, _ := s.Leader(5)
		for _, only := range [][]schedule.Pubkey{nil, {one}, {one, one}, {{9}}} {
			want := string(write(t, s, schedule.FormatCSV, only...))
			if got := csvText(t, s, DefaultColumns(), Options{Identities: only, TimeOf: clock}); got != want {
				t.Errorf("%v, %v: got\n%s\nwant\n%s", keying, only, got, want)
			}
		}
	}
}

// More than one piece of output.
func TestWriteCSVLong(t *testing.T) {
	s := derive(t, testStakes(t, 9, schedule.KeyedByVote), schedule.Params{Epoch: 3, Slots: 9_001})
	if csvText(t, s, DefaultColumns(), Options{}) != string(write(t, s, schedule.FormatCSV)) {
		t.Error("the output is not that of the format")
	}
}

func TestWriteCSVColumns(t *testing.T) {
	s := derive(t, testStakes(t, 1, schedule.KeyedByVote), schedule.Params{Epoch: 3, FirstSlot: 96, Slots: 6})
	leader, _ := s.Leader(0)
	vote, _ := s.Vote(0)
	want := `time,rotation,slot
2023-11-14T22:13:58.523Z,0,96
2023-11-14T22:13:58.923Z,0,97
2023-11-14T22:13:59.323Z,0,98
2023-11-14T22:13:59.723Z,0,99
2023-11-14T22:14:00.123Z,1,100
2023-11-14T22:14:00.523Z,1,101
`
	columns := []Column{ColumnTime, ColumnRotation, ColumnSlot}
	if got := csvText(t, s, columns, Options{TimeOf: clock}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	all := split([]byte(csvText(t, s, Columns(), Options{})))
	if want := "slot,slot_index,rotation,leader,vote_account,time"; all[0] != want {
		t.Errorf("header %q, want %q", all[0], want)
	}
	if want := "100,4,1," + leader.String() + "," + vote.String() + ","; all[5] != want {
		t.Errorf("row %q, want %q", all[5], want)
	}
}

// What is no time, or none that RFC 3339 can say, is empty.
func TestWriteCSVNoTime(t *testing.T) {
	s := derive(t, testStakes(t, 1, schedule.KeyedByVote), schedule.Params{Slots: 5})
	times := []time.Time{
		{}, time.UnixMilli(0), time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(0, 12, 31, 0, 0, 0, 0, time.UTC),
		time.Date(9999, 12, 31, 23, 59, 59, 999_999_999, time.UTC),
	}
	o := Options{TimeOf: func(slot schedule.Slot) time.Time { return times[slot] }}
	want := "slot,time\n0,\n1,\n2,\n3,\n4,9999-12-31T23:59:59.999Z\n"
	if got := csvText(t, s, []Column{ColumnSlot, ColumnTime}, o); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestParseColumns(t *testing.T) {
	for list, want := range map[string][]Column{
		"all":                                   Columns(),
		"slot":                                  {ColumnSlot},
		"slot,leader":                           {ColumnSlot, ColumnLeader},
		" time , slot_index ":                   {ColumnTime, ColumnSlotIndex},
		"slot,slot_index,leader,vote_account":   DefaultColumns(),
		"rotation,vote_account,slot,slot_index": {ColumnRotation, ColumnVoteAccount, ColumnSlot, ColumnSlotIndex},
	} {
		if got, err := ParseColumns(list); err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: got %v, %v, want %v", list, got, err, want)
		}
	}
	for _, list := range []string{"", ",", "slot,", "slot,slot", "Slot", "all,slot", "slot;leader", "epoch"} {
		_, err := ParseColumns(list)
		if !errors.Is(err, ErrColumn) {
			t.Errorf("%q: got %v, want ErrColumn", list, err)
		}
	}
	if _, err := ParseColumns("slots"); err == nil || !strings.Contains(err.Error(), columnNames()) {
		t.Errorf("%v does not list the columns", err)
	}
}

func TestWriteCSVErrors(t *testing.T) {
	s := derive(t, testStakes(t, 9, schedule.KeyedByVote), schedule.Params{Slots: 4_000})
	for _, columns := range [][]Column{nil, {"nothing"}, {ColumnSlot, ColumnSlot}} {
		var out bytes.Buffer
		if err := WriteCSV(&out, s, columns, Options{}); !errors.Is(err, ErrColumn) || out.Len() > 0 {
			t.Errorf("%v: got %v and %d bytes", columns, err, out.Len())
		}
	}
	size := len(write(t, s, schedule.FormatCSV))
	for _, left := range []int{0, size / 2, size - 1} {
		if err := WriteCSV(&limited{left: left}, s, DefaultColumns(), Options{}); !errors.Is(err, errFull) {
			t.Errorf("after %d bytes: %v", left, err)
		}
	}
}

var errFull = errors.New("full")

// A limited writer takes so many bytes and then fails.
type limited struct{ left int }

func (l *limited) Write(p []byte) (int, error) {
	if l.left -= len(p); l.left < 0 {
		return 0, errFull
	}
	return len(p), nil
}

var _ io.Writer = &limited{}
