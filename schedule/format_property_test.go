package schedule_test

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedgen/schedgen/schedule"
)

// A formatRow is a slot and its leader, as a format prints them.
type formatRow struct {
	Slot   uint64 `json:"slot"`
	Leader string `json:"leader"`
}

// formatReaders read a format back; those of relative slots add first.
var formatReaders = map[schedule.Format]func(out string, first uint64) ([]formatRow, error){
	schedule.FormatText:        readFormatText,
	schedule.FormatJSON:        readFormatJSON,
	schedule.FormatJSONCompact: readFormatJSON,
	schedule.FormatRPC:         readFormatRPC,
	schedule.FormatCSV:         readFormatCSV,
}

func readFormatText(out string, _ uint64) (rows []formatRow, err error) {
	for line := range strings.Lines(strings.TrimSuffix(out, "\n")) {
		var row formatRow
		if _, err := fmt.Sscanf(line, "  %d %s \n", &row.Slot, &row.Leader); err != nil {
			return nil, fmt.Errorf("%q: %w", line, err)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func readFormatJSON(out string, _ uint64) ([]formatRow, error) {
	var v struct{ LeaderScheduleEntries []formatRow }
	err := json.Unmarshal([]byte(out), &v)
	return v.LeaderScheduleEntries, err
}

func readFormatRPC(out string, first uint64) (rows []formatRow, err error) {
	var v map[string][]uint64
	if err := json.Unmarshal([]byte(out), &v); err != nil {
		return nil, err
	}
	for leader, indices := range v {
		for _, index := range indices {
			rows = append(rows, formatRow{first + index, leader})
		}
	}
	slices.SortFunc(rows, func(a, b formatRow) int { return cmp.Compare(a.Slot, b.Slot) })
	return rows, nil
}

func readFormatCSV(out string, first uint64) (rows []formatRow, err error) {
	records, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil {
		return nil, err
	}
	for _, record := range records[1:] {
		var row formatRow
		var index uint64
		if _, err := fmt.Sscan(record[0], &row.Slot); err != nil {
			return nil, err
		}
		if _, err := fmt.Sscan(record[1], &index); err != nil || first+index != row.Slot {
			return nil, fmt.Errorf("%q: wrong index, %w", record, err)
		}
		row.Leader = record[2]
		rows = append(rows, row)
	}
	return rows, nil
}

// What a format prints, read back, are the leaders of the schedule.
func TestFormatReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		identity := rapid.Custom(func(t *rapid.T) schedule.Pubkey {
			return schedule.Pubkey{1: 1, 31: byte(rapid.IntRange(0, 5).Draw(t, "identity"))}
		})
		var entries []schedule.Entry
		for i := range rapid.IntRange(1, 12).Draw(t, "entries") {
			entries = append(entries, schedule.Entry{
				Key:   schedule.Pubkey{0: byte(i + 1)},
				Node:  identity.Draw(t, "node"),
				Stake: rapid.Uint64Range(1, 9).Draw(t, "stake"),
			})
		}
		keying := rapid.SampledFrom([]schedule.Keying{schedule.KeyedByVote, schedule.KeyedByIdentity}).Draw(t, "keying")
		stakes, err := schedule.NewStakes(entries, keying)
		if err != nil {
			t.Fatal(err)
		}
		s, err := schedule.Derive(stakes, schedule.Params{
			Epoch:     rapid.Uint64().Draw(t, "epoch"),
			FirstSlot: schedule.Slot(rapid.Uint64Range(0, 1<<40).Draw(t, "first")),
			Slots:     rapid.Uint64Range(1, 300).Draw(t, "slots"),
			Repeat:    rapid.IntRange(1, 9).Draw(t, "repeat"),
		})
		if err != nil {
			t.Fatal(err)
		}
		only := rapid.SliceOfN(identity, 0, 3).Draw(t, "only")
		checkFormats(t, s, only)
	})
}

func checkFormats(t *rapid.T, s *schedule.Schedule, only []schedule.Pubkey) {
	var want []formatRow
	for slot, leader := range s.All() {
		if len(only) == 0 || slices.Contains(only, leader) {
			want = append(want, formatRow{uint64(slot), leader.String()})
		}
	}
	for format, read := range formatReaders {
		var out strings.Builder
		if err := s.Write(&out, format, only...); err != nil {
			t.Fatal(err)
		}
		got, err := read(out.String(), uint64(s.FirstSlot()))
		if err != nil {
			t.Fatalf("%s: %v", format, err)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%s: got %v, want %v", format, got, want)
		}
	}
}
