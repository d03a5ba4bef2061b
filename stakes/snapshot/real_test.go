package snapshot

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
)

// Archives of test ledgers of one validator, in the older layout and the newer.
const (
	realOld = "snapshot-2300-7rokPwXP7odY3X9jjrjV2B22bZJNY5kRExuJdqpFPtUg.tar.zst"
	realNew = "snapshot-100-HsFVd9m9URPdb2HpZXkxsnYMMrKU3nBFr1SCo2SoQS6W.tar.zst"
)

// sharedFile returns a file of real data, or skips the test where the data is not
// at hand.
func sharedFile(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "data", name))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no ../shared/data/%s beside the repository: this check needs it", name)
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The stakes of real archives, and no note: nothing in them is unknown to us or
// left over, and the hashes in their names are those of the manifests.
func TestRealArchives(t *testing.T) {
	for _, c := range []struct {
		archive, vote, node string
		slot                schedule.Slot
	}{
		{realOld, "9FuCgci4yAzji2XuMHFP14CD7WBtVYxiavog2AYisETv", "8MBL9kAC9wMQoLu2pq138qgX5oKwRyrcweBb9kWV3Lt1", 2300},
		{realNew, "9gr4eVP98pkH7BWcfwDFhyvTGhnw882VAHj7VCLrMjpb", "2a8YH1dXEubWL6TNDHwDxdzqeTPTC5Y5YtBgSWahosoR", 100},
	} {
		t.Run(c.archive, func(t *testing.T) {
			set := mustRead(t, sharedFile(t, c.archive), filepath.Join("some", "folder", c.archive))
			entry := schedule.Entry{Key: mustKey(t, c.vote), Node: mustKey(t, c.node), Stake: 999_999_997_717_120}
			if len(set.Lists) != 2 {
				t.Fatalf("%d lists, want those of epochs 0 and 1", len(set.Lists))
			}
			for i := range set.Lists {
				l := &set.Lists[i]
				if !reflect.DeepEqual(l.Entries, []schedule.Entry{entry}) || !l.HasVotes {
					t.Errorf("epoch %d: entries %v, want %v", i, l.Entries, entry)
				}
				if len(l.Accounts) != 1 || l.Accounts[0] != (list.Account{Lamports: 1_000_000_000_000_000}) {
					t.Errorf("epoch %d: accounts %v", i, l.Accounts)
				}
				p := l.Provenance
				es := schedule.EpochSchedule{SlotsPerEpoch: 432_000, LeaderScheduleSlotOffset: 432_000}
				if *p.Epoch != uint64(i) || *p.Slot != c.slot || *p.EpochSchedule != es || p.Cluster != "" ||
					p.Kind != list.KindSnapshot || p.Vintage != list.VintageExact || p.Reason == "" {
					t.Errorf("epoch %d: %+v", i, p)
				}
			}
			wantNotes(t, set)
		})
	}
}

func TestRealManifestIsRecognised(t *testing.T) {
	for _, archive := range []string{realOld, realNew} {
		head := sharedFile(t, archive)[:HeadSize]
		if !IsArchive(head) || IsManifest(head) {
			t.Errorf("%s: archive %v, manifest %v", archive, IsArchive(head), IsManifest(head))
		}
	}
	for _, other := range []string{"genesis-mainnet-beta.bin", "genesis-testnet.bin", "epoch-454-leaders-idx.bin", "epoch-454-stakes.csv"} {
		if head := sharedFile(t, other)[:HeadSize]; IsArchive(head) || IsManifest(head) {
			t.Errorf("%s: archive %v, manifest %v", other, IsArchive(head), IsManifest(head))
		}
	}
}

// A real archive cut off anywhere before its manifest ends is an error; the
// manifests of both lie in its first tenth.
func TestRealArchiveCutOff(t *testing.T) {
	archive := sharedFile(t, realOld)
	for size := 0; size < 4000; size += 37 {
		set, err := Read(bytes.NewReader(archive[:size]), realOld)
		if err == nil {
			t.Fatalf("%d bytes: %d lists and no error", size, len(set.Lists))
		}
		mustFail(t, err, realOld)
	}
}
