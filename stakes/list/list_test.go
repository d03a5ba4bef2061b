package list

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/schedgen/schedgen/schedule"
)

func of(epochs ...uint64) *Set {
	s := &Set{}
	for _, epoch := range epochs {
		s.Lists = append(s.Lists, List{Provenance: Provenance{Source: "a.bin", Epoch: &epoch}})
	}
	return s
}

func TestForPicksTheEpoch(t *testing.T) {
	s := of(7, 8, 10)
	if !slices.Equal(s.Epochs(), []uint64{7, 8, 10}) {
		t.Fatalf("epochs %v", s.Epochs())
	}
	for _, epoch := range s.Epochs() {
		if got, err := s.For(epoch); err != nil || *got.Provenance.Epoch != epoch {
			t.Errorf("epoch %d: got %v, %v", epoch, got, err)
		}
	}
	if got := *s.Latest().Provenance.Epoch; got != 10 {
		t.Errorf("latest is %d, want 10", got)
	}
	_, err := s.For(9)
	var missing *EpochError
	if !errors.As(err, &missing) || missing.Want != 9 || !slices.Equal(missing.Have, []uint64{7, 8, 10}) {
		t.Fatalf("epoch 9: got %v", err)
	}
	if want := "a.bin: no stakes for the schedule of epoch 9, only for epoch 7, 8, 10"; err.Error() != want {
		t.Errorf("got %q, want %q", err, want)
	}
}

func TestForOfUnknownEpoch(t *testing.T) {
	s := &Set{Lists: make([]List, 1)}
	if got, err := s.For(5); err != nil || got != &s.Lists[0] {
		t.Errorf("got %v, %v", got, err)
	}
	if s.Epochs() != nil {
		t.Errorf("epochs %v, want none", s.Epochs())
	}
}

func TestClusterOf(t *testing.T) {
	for name, hash := range genesisHashes {
		key, err := schedule.ParsePubkey(hash)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got, ok := GenesisOf(name); !ok || got != key {
			t.Errorf("%s: genesis %v, %v", name, got, ok)
		}
		if got := ClusterOf(key); got != name {
			t.Errorf("%s: got %q", hash, got)
		}
		if !slices.Contains(schedule.Clusters(), name) {
			t.Errorf("%s is not one of %v", name, schedule.Clusters())
		}
	}
	if got, ok := GenesisOf("mainnet"); ok {
		t.Errorf("got %v, want none", got)
	}
	if got := ClusterOf(schedule.Pubkey{1}); got != "" {
		t.Errorf("got %q, want none", got)
	}
	if got := ClusterCreatedAt(1584368940); got != "mainnet-beta" {
		t.Errorf("got %q", got)
	}
	if got := ClusterCreatedAt(0); got != "" {
		t.Errorf("got %q, want none", got)
	}
}

func TestProvenanceString(t *testing.T) {
	epoch, slot := uint64(1006), schedule.Slot(434_200_000)
	p := Provenance{Kind: KindSnapshot, Source: "s.tar.zst", Cluster: "mainnet-beta", Epoch: &epoch, Slot: &slot, Vintage: VintageExact}
	want := "s.tar.zst (snapshot), mainnet-beta, stakes of epoch 1006, read at slot 434200000, vintage exact"
	if got := p.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	p = Provenance{Kind: KindCSV, Source: "s.csv", Vintage: VintageUnknown, Reason: "the file does not say"}
	if got := p.String(); !strings.HasSuffix(got, "vintage unknown: the file does not say") {
		t.Errorf("got %q", got)
	}
}

func TestTitle(t *testing.T) {
	for _, c := range []struct{ name, source, want string }{
		{"", "a.bin", "a.bin"},
		{"a.bin", "a.bin", "a.bin"},
		{"a.json", "a.bin", "a.json (from a.bin)"},
		{"a.json", "", "a.json"},
	} {
		l := List{Name: c.name, Provenance: Provenance{Source: c.source}}
		if got := l.Title(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
