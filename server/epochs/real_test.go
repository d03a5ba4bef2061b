package epochs

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server/splice"
	"github.com/schedgen/schedgen/stakes/csv"
	"github.com/schedgen/schedgen/stakes/list"
)

// Mainnet-beta's epoch 454 as it really was, through store and bodies.
func TestRealEpoch454(t *testing.T) {
	const name = "epoch-454-stakes.csv"
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "data", name))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no ../shared/data/%s beside the repository: this check needs it", name)
	}
	if err != nil {
		t.Fatal(err)
	}
	entries, hasVotes, err := csv.Read(bytes.NewReader(text), name)
	if err != nil {
		t.Fatal(err)
	}
	epoch := uint64(454)
	s := mustStore(t, t.TempDir())
	r, err := New(Options{Cluster: "mainnet-beta", Store: s})
	if err != nil {
		t.Fatal(err)
	}
	put := mustPut(t, r, &list.List{Entries: entries, HasVotes: hasVotes, Provenance: list.Provenance{
		Kind: list.KindCSV, Source: name, Epoch: &epoch, Vintage: list.VintageExact,
	}})
	t.Logf("%d identities in %d bytes", put.Meta.Entries, put.Meta.Bytes)
	r, err = New(Options{Store: s})
	if err != nil {
		t.Fatal(err)
	}
	e := mustEpoch(t, r, epoch)
	if got := hexOf(e.Digest()); got != "d36a60f50035f8dc76e9801ba6b27390f670d14abb30339a39340d836f57effa" {
		t.Errorf("digest %s", got)
	}
	leader, err := r.LeaderAt(196_128_000)
	if err != nil || leader.String() != "GmZ7xFQ4GHDbQw4CSnFT9pAHa15u35qTN8e259UrBh9D" {
		t.Errorf("first leader %v, %v", leader, err)
	}
	if shorter() {
		return
	}
	for _, k := range []Kind{RPC, Kind(schedule.FormatEpochNew)} {
		want := written(t, e.Schedule(), k)
		for _, enc := range splice.Encodings() {
			b, err := e.Body(k, enc)
			if err != nil {
				t.Fatal(err)
			}
			if decoded(t, enc, b.Bytes()) != want {
				t.Errorf("%s %v: got another body", k, enc)
			}
			t.Logf("%s %v: %d bytes", k, enc, b.Len())
		}
	}
}
