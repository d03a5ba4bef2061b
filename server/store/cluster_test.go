package store

import (
	"errors"
	"strings"
	"testing"

	"github.com/schedgen/schedgen/schedule"
)

func mustKey(t testing.TB, s string) *schedule.Pubkey {
	t.Helper()
	p, err := schedule.ParsePubkey(s)
	if err != nil {
		t.Fatal(err)
	}
	return &p
}

func TestClusterIsKept(t *testing.T) {
	es, err := schedule.ClusterSchedule("testnet")
	if err != nil {
		t.Fatal(err)
	}
	testnet := mustKey(t, "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY")
	dir := t.TempDir()
	s := mustOpen(t, dir, Options{})
	if c, err := s.Cluster(); err != nil || !c.equal(Cluster{}) {
		t.Fatalf("a new store is of %+v, %v", c, err)
	}
	l := made(5, 0, 3)
	l.Provenance.Cluster, l.Provenance.GenesisHash = "", testnet
	mustPut(t, s, l)
	if err := s.SetCluster(Cluster{EpochSchedule: &es}); err != nil {
		t.Fatal(err)
	}
	s.Close()

	s = mustOpen(t, dir, Options{})
	want := Cluster{Name: "testnet", GenesisHash: testnet, EpochSchedule: &es}
	if c, err := s.Cluster(); err != nil || !c.equal(want) {
		t.Fatalf("got %+v, %v", c, err)
	}
	other, err := schedule.ClusterSchedule("devnet")
	if err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]Cluster{
		"its cluster is devnet, want testnet":                                      {Name: "devnet"},
		"its genesis hash is " + (schedule.Pubkey{}).String() + ", want 4uhcVJyU9": {GenesisHash: &schedule.Pubkey{}},
		"without warm-up, epoch 0 from slot 0, want 432000 slots an epoch":         {EpochSchedule: &other},
	} {
		var different *ClusterError
		err := s.SetCluster(c)
		if !errors.As(err, &different) || !errors.Is(err, ErrCluster) || !strings.Contains(err.Error(), what) {
			t.Errorf("got %v, want %q", err, what)
		}
		l := made(6, 0, 3)
		l.Provenance.Cluster, l.Provenance.GenesisHash, l.Provenance.EpochSchedule = c.Name, c.GenesisHash, c.EpochSchedule
		if _, err := s.Put(l); !errors.As(err, &different) {
			t.Errorf("a list was put: %v", err)
		}
	}
	if _, _, err := s.Get(6); !errors.Is(err, ErrNone) {
		t.Errorf("a list of another cluster is there: %v", err)
	}
	if c, err := s.Cluster(); err != nil || !c.equal(want) {
		t.Errorf("got %+v, %v", c, err)
	}
}

func TestClusterWith(t *testing.T) {
	mainnet := mustKey(t, "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d")
	own := &schedule.Pubkey{1}
	for _, c := range []struct {
		a, b, want Cluster
		fails      bool
	}{
		{a: Cluster{}, b: Cluster{GenesisHash: mainnet}, want: Cluster{Name: "mainnet-beta", GenesisHash: mainnet}},
		{a: Cluster{Name: "mainnet-beta"}, b: Cluster{GenesisHash: mainnet}, want: Cluster{Name: "mainnet-beta", GenesisHash: mainnet}},
		{a: Cluster{Name: "mainnet-beta"}, b: Cluster{GenesisHash: own}, fails: true},
		{a: Cluster{Name: "mine"}, b: Cluster{GenesisHash: mainnet}, fails: true},
		{a: Cluster{Name: "mine"}, b: Cluster{GenesisHash: own}, want: Cluster{Name: "mine", GenesisHash: own}},
		{a: Cluster{GenesisHash: own}, b: Cluster{}, want: Cluster{GenesisHash: own}},
	} {
		for range 2 {
			got, err := c.a.With(c.b)
			if (err != nil) != c.fails || err == nil && !got.equal(c.want) {
				t.Errorf("%+v with %+v: got %+v, %v", c.a, c.b, got, err)
			}
			c.a, c.b = c.b, c.a
		}
	}
}
