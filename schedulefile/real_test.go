package schedulefile

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/schedgen/schedgen/schedule"
)

const epoch454Digest = "d36a60f50035f8dc76e9801ba6b27390f670d14abb30339a39340d836f57effa"

var epoch454 = schedule.Params{Epoch: 454, FirstSlot: 196_128_000, Slots: 432_000}

func checkEpoch454(t *testing.T, o *Observed) {
	t.Helper()
	sum, ok := o.Digest()
	if got := hex.EncodeToString(sum[:]); !ok || got != epoch454Digest {
		t.Errorf("%s: digest %s, %v", o.Format, got, ok)
	}
	if !o.DigestOnly() && (o.Slots != 432_000 || o.Known() != 432_000 || o.Partial) {
		t.Errorf("%s: %d slots, %d known, partial %v", o.Format, o.Slots, o.Known(), o.Partial)
	}
}

// The ranks that were recorded of mainnet-beta's epoch 454 make its schedule, in
// every format and back.
func TestRealEpoch454(t *testing.T) {
	st := epoch454Stakes(t)
	ranks := sharedFile(t, "epoch-454-leaders-idx.bin")
	recorded, err := ReadRanks(bytes.NewReader(ranks), "ranks", st, epoch454)
	if err != nil {
		t.Fatal(err)
	}
	checkEpoch454(t, recorded)
	if testing.Short() || emulated() {
		t.Skip("the formats of a whole epoch take long: not with -short or under emulation")
	}
	s := derive(t, st, epoch454)
	checkSame(t, recorded, s, true)
	for _, f := range formats(s, false) {
		o := mustRead(t, write(t, s, f))
		checkEpoch454(t, o)
		if f != schedule.FormatDigest {
			checkSame(t, o, s, false)
		}
	}
	rotations, err := ReadRanks(bytes.NewReader(s.AppendRanks(nil)), "ranks", st, epoch454)
	if err != nil {
		t.Fatal(err)
	}
	checkEpoch454(t, rotations)
}

// A published schedule of 321 slots, written by hand as text, CSV and an answer.
func TestRealRandom100(t *testing.T) {
	var c struct {
		Epoch, Slots uint64
		Leaders      []schedule.Pubkey
	}
	if err := json.Unmarshal(sharedFile(t, "agave-random100-epoch123.json"), &c); err != nil {
		t.Fatal(err)
	}
	var text, csv bytes.Buffer
	csv.WriteString("leader,slot\n")
	indices := map[schedule.Pubkey][]schedule.Index{}
	for i, leader := range c.Leaders {
		fmt.Fprintf(&text, "  %-15d %-44s\n", 5000+i, leader)
		fmt.Fprintf(&csv, "%s,%d\n", leader, 5000+i)
		indices[leader] = append(indices[leader], schedule.Index(i))
	}
	answer, err := json.Marshal(indices)
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range [][]byte{text.Bytes(), csv.Bytes(), answer} {
		o := mustRead(t, in)
		if o.Slots != c.Slots || o.Known() != c.Slots {
			t.Fatalf("%s: %d slots, %d known", o.Format, o.Slots, o.Known())
		}
		for i, want := range c.Leaders {
			if got, ok := o.Leader(schedule.Index(i)); !ok || got != want {
				t.Fatalf("%s: index %d: %v, %v, want %v", o.Format, i, got, ok, want)
			}
		}
		for leader, want := range indices {
			if got := slices.Collect(o.SlotsOf(leader)); !slices.Equal(got, want) {
				t.Fatalf("%s: %v leads %v, want %v", o.Format, leader, got, want)
			}
		}
	}
}
