package list

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/schedgen/schedgen/schedule"
)

// from is a set of one list an epoch, all of one source.
func from(source string, vintage Vintage, epochs ...uint64) *Set {
	s := of(epochs...)
	for i := range s.Lists {
		s.Lists[i].Provenance.Source, s.Lists[i].Provenance.Vintage = source, vintage
	}
	return s
}

func TestMerge(t *testing.T) {
	got, err := Merge(from("a", VintageExact, 7, 9), from("b", VintageApproximate, 8, 9), from("c", VintageExact, 7), from("d", VintageUnknown, 8))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Epochs(), []uint64{7, 8, 9}) {
		t.Fatalf("epochs %v", got.Epochs())
	}
	for i, want := range []string{"c", "d", "a"} {
		if source := got.Lists[i].Provenance.Source; source != want {
			t.Errorf("epoch %d is from %s, want %s", 7+i, source, want)
		}
	}
}

func TestMergeAlone(t *testing.T) {
	unknown := &Set{Lists: make([]List, 1)}
	if got, err := Merge(unknown); err != nil || len(got.Lists) != 1 {
		t.Errorf("got %v, %v", got, err)
	}
	if _, err := Merge(of(3), unknown); !errors.Is(err, ErrEpochUnknown) {
		t.Errorf("got %v", err)
	}
	if _, err := Merge(unknown, of(3)); !errors.Is(err, ErrEpochUnknown) {
		t.Errorf("got %v", err)
	}
}

func TestMergeRefusesAnotherCluster(t *testing.T) {
	main, test := from("main.bin", VintageExact, 1), from("test.bin", VintageExact, 2)
	for name, differ := range map[string]func(a, b *Provenance){
		"name":    func(a, b *Provenance) { a.Cluster, b.Cluster = "mainnet-beta", "testnet" },
		"genesis": func(a, b *Provenance) { a.GenesisHash, b.GenesisHash = &schedule.Pubkey{1}, &schedule.Pubkey{2} },
		"epochs": func(a, b *Provenance) {
			a.EpochSchedule, b.EpochSchedule = &schedule.EpochSchedule{SlotsPerEpoch: 32}, &schedule.EpochSchedule{SlotsPerEpoch: 64}
		},
	} {
		a, b := Set{slices.Clone(main.Lists)}, Set{slices.Clone(test.Lists)}
		if _, err := Merge(&a, &b); err != nil {
			t.Errorf("%s: %v before they differ", name, err)
		}
		differ(&a.Lists[0].Provenance, &b.Lists[0].Provenance)
		_, err := Merge(&a, &b)
		if !errors.Is(err, ErrCluster) || !strings.Contains(err.Error(), "main.bin") || !strings.Contains(err.Error(), "test.bin") {
			t.Errorf("%s: got %v", name, err)
		}
	}
}
