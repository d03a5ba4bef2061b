package schedule_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/schedgen/schedgen/schedule"
)

// Two identities, one with a short text form, and three vote accounts.
const (
	formatNode  = "4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi"
	formatShort = "11111111111111111111111111111112"
	formatVote1 = "8qbHbw2BbbTHBW1sbeqakYXVKRQM8Ne7pLK7m6CVfeR"
	formatVote2 = "CktRuQ2mttgRGkXJtyksdKHjUdc2C4TgDzyB98oEzy8"
	formatVote3 = "GgBaCs3NCBuZN12kCJgAW63ydqohFkHEdfdEXBPzLHq"
)

func formatKey(text string) schedule.Pubkey {
	k, err := schedule.ParsePubkey(text)
	if err != nil {
		panic(err)
	}
	return k
}

// formatSchedule has 10 slots whose leaders are published: stakes 10, 20 and 30
// in epoch 1 draw the entries 1 1 2. The slots go from 15 digits to 16, and the
// last rotation is short.
func formatSchedule(t testing.TB, k schedule.Keying, repeat int) *schedule.Schedule {
	t.Helper()
	stakes, err := schedule.NewStakes([]schedule.Entry{
		{Key: formatKey(formatVote1), Node: formatKey(formatNode), Stake: 10},
		{Key: formatKey(formatVote2), Node: formatKey(formatShort), Stake: 20},
		{Key: formatKey(formatVote3), Node: formatKey(formatNode), Stake: 30},
	}, k)
	if err != nil {
		t.Fatal(err)
	}
	s, err := schedule.Derive(stakes, schedule.Params{Epoch: 1, FirstSlot: 999_999_999_999_992, Slots: 10, Repeat: repeat})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func formatted(t testing.TB, s *schedule.Schedule, f schedule.Format, only ...schedule.Pubkey) string {
	t.Helper()
	var out bytes.Buffer
	if err := s.Write(&out, f, only...); err != nil {
		t.Fatalf("Write %s: %v", f, err)
	}
	return out.String()
}

const formatWantText = `  999999999999992 11111111111111111111111111111112            
  999999999999993 11111111111111111111111111111112            
  999999999999994 11111111111111111111111111111112            
  999999999999995 11111111111111111111111111111112            
  999999999999996 11111111111111111111111111111112            
  999999999999997 11111111111111111111111111111112            
  999999999999998 11111111111111111111111111111112            
  999999999999999 11111111111111111111111111111112            
  1000000000000000 4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi 
  1000000000000001 4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi 

`

const formatWantJSON = `{
  "epoch": 1,
  "leaderScheduleEntries": [
    {
      "slot": 1000000000000000,
      "leader": "4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi"
    },
    {
      "slot": 1000000000000001,
      "leader": "4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi"
    }
  ]
}
`

const formatWantCompact = `{"epoch":1,"leaderScheduleEntries":[` +
	`{"leader":"4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi","slot":1000000000000000},` +
	`{"leader":"4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi","slot":1000000000000001}]}
`

const formatWantRPC = `{"11111111111111111111111111111112":[0,1,2,3,4,5,6,7],"4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi":[8,9]}
`

const formatWantCSV = `slot,slot_index,leader,vote_account
1000000000000000,8,4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi,GgBaCs3NCBuZN12kCJgAW63ydqohFkHEdfdEXBPzLHq
1000000000000001,9,4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi,GgBaCs3NCBuZN12kCJgAW63ydqohFkHEdfdEXBPzLHq
`

const formatWantEpochNew = `{"topic":"epoch","key":"new","value":{"epoch":1,` +
	`"start_time_nanos":null,"end_time_nanos":null,` +
	`"start_slot":999999999999992,"end_slot":1000000000000001,"excluded_stake_lamports":"0",` +
	`"staked_pubkeys":["4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi","11111111111111111111111111111112","4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi"],` +
	`"staked_lamports":["30","20","10"],"leader_slots":[1,1,0]}}
`

func TestFormatBytes(t *testing.T) {
	s := formatSchedule(t, schedule.KeyedByVote, 4)
	node := []schedule.Pubkey{formatKey(formatNode)}
	for _, c := range []struct {
		format schedule.Format
		only   []schedule.Pubkey
		want   string
	}{
		{schedule.FormatText, nil, formatWantText},
		{schedule.FormatJSON, node, formatWantJSON},
		{schedule.FormatJSONCompact, node, formatWantCompact},
		{schedule.FormatRPC, nil, formatWantRPC},
		{schedule.FormatCSV, node, formatWantCSV},
		{schedule.FormatEpochNew, nil, formatWantEpochNew},
		{schedule.FormatDigest, nil, fmt.Sprintf("%x\n", s.Digest())},
	} {
		if got := formatted(t, s, c.format, c.only...); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.format, got, c.want)
		}
	}
}

// An identity without slots is none of the errors: the shape stays, empty.
func TestFormatNothingToPrint(t *testing.T) {
	s := formatSchedule(t, schedule.KeyedByVote, 4)
	for format, want := range map[schedule.Format]string{
		schedule.FormatText:        "\n",
		schedule.FormatJSON:        "{\n  \"epoch\": 1,\n  \"leaderScheduleEntries\": []\n}\n",
		schedule.FormatJSONCompact: "{\"epoch\":1,\"leaderScheduleEntries\":[]}\n",
		schedule.FormatRPC:         "{}\n",
		schedule.FormatCSV:         "slot,slot_index,leader,vote_account\n",
	} {
		if got := formatted(t, s, format, formatKey(formatVote1)); got != want {
			t.Errorf("%s: got %q, want %q", format, got, want)
		}
	}
}

// Two vote accounts of one identity have one array; a filter that names an
// identity twice prints it once.
func TestFormatRPCJoinsVoteAccounts(t *testing.T) {
	s := formatSchedule(t, schedule.KeyedByVote, 1) // entries 1 1 2 1 1 0 0 1 2 1
	want := `{"` + formatNode + "\":[2,5,6,8]}\n"
	node := formatKey(formatNode)
	if got := formatted(t, s, schedule.FormatRPC, node, node); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestFormatCSVKeyedByIdentity(t *testing.T) {
	s := formatSchedule(t, schedule.KeyedByIdentity, 4)
	out := formatted(t, s, schedule.FormatCSV)
	rows := strings.Split(strings.TrimSuffix(out, "\n"), "\n")[1:]
	if len(rows) != 10 {
		t.Fatalf("%d rows, want 10", len(rows))
	}
	for i, row := range rows {
		leader, _ := s.Leader(schedule.Index(i))
		if want := fmt.Sprintf("%d,%d,%v,", uint64(s.FirstSlot())+uint64(i), i, leader); row != want {
			t.Errorf("row %d: got %q, want %q", i, row, want)
		}
	}
}

func TestFormatLastSlots(t *testing.T) {
	stakes := formatSchedule(t, schedule.KeyedByVote, 4).Stakes()
	s, err := schedule.Derive(stakes, schedule.Params{FirstSlot: math.MaxUint64 - 1, Slots: 2, Repeat: math.MaxInt32})
	if err != nil {
		t.Fatal(err)
	}
	got := formatted(t, s, schedule.FormatCSV)
	for _, want := range []string{"\n18446744073709551614,0,", "\n18446744073709551615,1,"} {
		if !strings.Contains(got, want) {
			t.Errorf("got %s without %q", got, want)
		}
	}
}

func TestFormatErrors(t *testing.T) {
	s := formatSchedule(t, schedule.KeyedByVote, 4)
	half := formatSchedule(t, schedule.KeyedByVote, 2)
	node := formatKey(formatNode)
	for _, c := range []struct {
		name string
		err  error
		want error
	}{
		{"unknown", s.Write(io.Discard, "yaml"), schedule.ErrFormat},
		{"empty", s.Write(io.Discard, ""), schedule.ErrFormat},
		{"filtered digest", s.Write(io.Discard, schedule.FormatDigest, node), schedule.ErrFormatFilter},
		{"filtered epoch-new", s.Write(io.Discard, schedule.FormatEpochNew, node), schedule.ErrFormatFilter},
		{"epoch-new of short rotations", half.Write(io.Discard, schedule.FormatEpochNew), schedule.ErrFormatRepeat},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("%s: got %v, want %v", c.name, c.err, c.want)
		}
	}
}

func TestParseFormat(t *testing.T) {
	for _, f := range schedule.Formats() {
		if got, err := schedule.ParseFormat(string(f)); got != f || err != nil {
			t.Errorf("%s: got %q, %v", f, got, err)
		}
	}
	_, err := schedule.ParseFormat("TEXT")
	if !errors.Is(err, schedule.ErrFormat) {
		t.Fatalf("got %v, want ErrFormat", err)
	}
	for _, f := range schedule.Formats() {
		if !strings.Contains(err.Error(), string(f)) {
			t.Errorf("%q does not list %s", err, f)
		}
	}
}

var errFormatFull = errors.New("full")

// A formatLimit takes so many bytes and then fails, and counts the calls after.
type formatLimit struct{ left, late int }

func (l *formatLimit) Write(p []byte) (int, error) {
	if l.left < 0 {
		l.late++
	}
	if l.left -= len(p); l.left < 0 {
		return 0, errFormatFull
	}
	return len(p), nil
}

func TestFormatWriteError(t *testing.T) {
	stakes := formatSchedule(t, schedule.KeyedByVote, 4).Stakes()
	s, err := schedule.Derive(stakes, schedule.Params{Slots: 400_000})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range schedule.Formats() {
		size := len(formatted(t, s, f))
		for _, left := range []int{0, size / 2, size - 1} {
			w := &formatLimit{left: left}
			if err := s.Write(w, f); !errors.Is(err, errFormatFull) {
				t.Errorf("%s after %d of %d bytes: got %v", f, left, size, err)
			}
			if w.late > 0 {
				t.Errorf("%s after %d of %d bytes: %d writes after the error", f, left, size, w.late)
			}
		}
		if err := s.Write(&formatLimit{left: size}, f); err != nil {
			t.Errorf("%s: %v", f, err)
		}
	}
}
