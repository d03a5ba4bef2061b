package leaders

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/csv"
)

// sharedFile returns a file of real data, or skips the test where the data is
// not at hand.
func sharedFile(t *testing.T, name string) []byte {
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

// Windows in mainnet-beta's epoch 454 are those of a recorded list of ranks.
func TestRealEpoch454(t *testing.T) {
	entries, _, err := csv.Read(bytes.NewReader(sharedFile(t, "epoch-454-stakes.csv")), "epoch-454-stakes.csv")
	if err != nil {
		t.Fatal(err)
	}
	recorded := sharedFile(t, "epoch-454-leaders-idx.bin")
	es, err := schedule.ClusterSchedule("mainnet-beta")
	if err != nil {
		t.Fatal(err)
	}
	s := mustDerive(t, es, 454, schedule.KeyedByIdentity, 0, entries)
	b := mustBook(t, es, FromSchedule(s))
	for rank := 0; rank < s.Stakes().Len(); rank += 101 {
		var want []schedule.Slot
		for i := range uint64(len(recorded) / 4) {
			slot := es.FirstSlot(454) + schedule.Slot(i)
			switch n := len(want); {
			case binary.LittleEndian.Uint32(recorded[4*i:]) != uint32(rank):
			case n > 0 && want[n-1] == slot-1:
				want[n-1] = slot
			default:
				want = append(want, slot, slot)
			}
		}
		a, err := b.Next([]Key{Identity(s.Stakes().Entry(rank).Node)}, es.FirstSlot(454), 432_000)
		wantUnknown(t, es, err, es.FirstSlot(455))
		var got []schedule.Slot
		for _, w := range a.Windows {
			got = append(got, w.First, w.Last)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("rank %d: %d windows, want %d", rank, len(got)/2, len(want)/2)
		}
	}
}
