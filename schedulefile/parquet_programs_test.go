package schedulefile

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/schedgen/schedgen/schedule"
)

// A parquetSample is what scripts/parquet-check.sh lets other programs read.
type parquetSample struct {
	name string
	s    *schedule.Schedule
	o    Options
}

func parquetSamples(t *testing.T) []parquetSample {
	t.Helper()
	byVote, byIdentity := testStakes(t, 1500, schedule.KeyedByVote), testStakes(t, 40, schedule.KeyedByIdentity)
	// A third of the times are not known.
	some := func(slot schedule.Slot) time.Time {
		if slot%3 == 0 {
			return time.Time{}
		}
		return clock(slot)
	}
	epoch := derive(t, byVote, schedule.Params{Epoch: 900, FirstSlot: 388_800_000, Slots: 432_000})
	short := derive(t, byIdentity, schedule.Params{Epoch: 3, FirstSlot: 96, Slots: 4003})
	leader, _ := short.Leader(0)
	return []parquetSample{
		{"epoch", epoch, Options{TimeOf: clock, Metadata: map[string]string{MetaVintage: "exact", MetaReason: "a \"snapshot\", é"}}},
		{"identity", short, Options{}},
		{"times", short, Options{TimeOf: some}},
		{"filtered", short, Options{TimeOf: clock, Identities: []schedule.Pubkey{leader}}},
		{"nobody", short, Options{Identities: []schedule.Pubkey{{1, 2, 3}}}},
		{"one", derive(t, testStakes(t, 1, schedule.KeyedByVote), schedule.Params{Slots: 1}), Options{}},
	}
}

func parquetDirectory(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("SCHEDGEN_PARQUET_DIR")
	if dir == "" {
		t.Skip("no SCHEDGEN_PARQUET_DIR: scripts/parquet-check.sh runs this with pandas and DuckDB")
	}
	return dir
}

// TestParquetSamples writes the samples, as Parquet and as CSV, with what is to be
// expected of them.
func TestParquetSamples(t *testing.T) {
	dir := parquetDirectory(t)
	for _, sample := range parquetSamples(t) {
		csv := csvText(t, sample.s, Columns(), sample.o)
		expected, err := json.Marshal(map[string]any{
			"rows": strings.Count(csv, "\n") - 1, "metadata": metadata(sample.s, &sample.o),
		})
		if err != nil {
			t.Fatal(err)
		}
		for suffix, content := range map[string][]byte{
			".parquet": parquetBytes(t, sample.s, sample.o), ".csv": []byte(csv), ".json": expected,
		} {
			if err := os.WriteFile(filepath.Join(dir, sample.name+suffix), content, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestParquetOfOtherPrograms reads the tables that other programs made of the
// samples.
func TestParquetOfOtherPrograms(t *testing.T) {
	dir := parquetDirectory(t)
	files := 0
	for _, sample := range parquetSamples(t) {
		paths, err := filepath.Glob(filepath.Join(dir, "others", sample.name+".*.parquet"))
		if err != nil || len(paths) == 0 {
			t.Fatalf("nobody made a table of %s: %v", sample.name, err)
		}
		for _, path := range paths {
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			o, err := Read(bytes.NewReader(b), filepath.Base(path))
			if err != nil {
				t.Error(err)
				continue
			}
			checkSame(t, o, sample.s, !strings.Contains(path, ".novote."), sample.o.Identities...)
			files++
		}
	}
	t.Logf("%d tables of other programs are what they were made of", files)
}
