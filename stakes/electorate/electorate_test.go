package electorate

import (
	"errors"
	"strings"
	"testing"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/admission"
	"github.com/schedgen/schedgen/stakes/list"
)

func pubkey(n byte) schedule.Pubkey { return schedule.Pubkey{n} }

// votes is a list of three vote accounts of two identities; the second has no BLS
// key.
func votes(epoch uint64, vintage list.Vintage) list.List {
	return list.List{
		HasVotes: true,
		Entries: []schedule.Entry{
			{Key: pubkey(1), Node: pubkey(11), Stake: 10},
			{Key: pubkey(2), Node: pubkey(12), Stake: 20},
			{Key: pubkey(3), Node: pubkey(11), Stake: 30},
		},
		Accounts: []list.Account{
			{Lamports: admission.RentMinimum, BLS: true},
			{Lamports: admission.RentMinimum},
			{Lamports: admission.RentMinimum, BLS: true},
		},
		Provenance: list.Provenance{Kind: list.KindRPC, Source: "node", Epoch: &epoch, Vintage: vintage, Reason: "of the test"},
	}
}

func TestKeyingFollowsTheEpoch(t *testing.T) {
	set := &list.Set{Lists: []list.List{votes(841, list.VintageExact), votes(842, list.VintageExact)}}
	e := New(set, Terms{Cluster: "mainnet-beta"})
	for epoch, want := range map[uint64]schedule.Keying{841: schedule.KeyedByIdentity, 842: schedule.KeyedByVote} {
		got, err := e.For(epoch)
		if err != nil || got.Stakes.Keying() != want || got.Stakes.Total() != 60 {
			t.Errorf("epoch %d: got %v, %v, want %v", epoch, got, err, want)
		}
	}
	if _, err := New(set, Terms{}).For(842); !errors.Is(err, schedule.ErrKeyingUnknown) {
		t.Errorf("unknown cluster: got %v", err)
	}
	if got, err := New(set, Terms{KeyedBy: "identity"}).For(842); err != nil || got.Stakes.Len() != 2 {
		t.Errorf("keyed by identity: got %v, %v", got, err)
	}
	if _, err := New(set, Terms{KeyedBy: "node"}).For(842); !errors.Is(err, schedule.ErrKeying) {
		t.Errorf("keyed by node: got %v", err)
	}
}

// A list of keys alone is drawn by these keys, whatever the cluster.
func TestKeysAloneNeedNoCluster(t *testing.T) {
	l := list.List{Entries: []schedule.Entry{{Key: pubkey(1), Stake: 1}}}
	got, err := New(&list.Set{Lists: []list.List{l}}, Terms{}).For(5)
	if err != nil || got.Stakes.Keying() != schedule.KeyedByIdentity {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestAdmissionFollowsTheEpoch(t *testing.T) {
	first, _ := admission.FirstEpoch("mainnet-beta")
	set := &list.Set{Lists: []list.List{votes(first-1, list.VintageApproximate), votes(first, list.VintageApproximate)}}
	for _, c := range []struct {
		epoch uint64
		rule  admission.Rule
		want  int
	}{
		{first - 1, "", 3}, {first, "", 2}, {first, admission.None, 3}, {first - 1, admission.Top2000, 2},
	} {
		got, err := New(set, Terms{Cluster: "mainnet-beta", KeyedBy: "vote", Admission: c.rule}).For(c.epoch)
		if err != nil || got.Stakes.Len() != c.want || len(got.Report.Left) != 3-c.want {
			t.Errorf("epoch %d, %q: got %+v, %v, want %d entries", c.epoch, c.rule, got, err, c.want)
		}
	}
}

// A node lists everybody, at whatever slot it is asked; what a snapshot holds was
// admitted.
func TestAdmissionOfExactLists(t *testing.T) {
	first, _ := admission.FirstEpoch("mainnet-beta")
	for kind, want := range map[list.Kind]int{list.KindRPC: 2, list.KindVoteAccounts: 2, list.KindSnapshot: 3, list.KindEpochNew: 3} {
		l := votes(first, list.VintageExact)
		l.Provenance.Kind = kind
		got, err := New(&list.Set{Lists: []list.List{l}}, Terms{Cluster: "mainnet-beta", Exact: true}).For(first)
		if err != nil || got.Stakes.Len() != want {
			t.Errorf("%s: got %+v, %v, want %d entries", kind, got, err, want)
		}
	}
	untold := votes(first, list.VintageExact)
	untold.Accounts = nil
	set := &list.Set{Lists: []list.List{untold}}
	if _, err := New(set, Terms{Cluster: "mainnet-beta", Exact: true}).For(first); !errors.Is(err, ErrNotExact) {
		t.Errorf("without BLS keys: got %v", err)
	}
	if got, err := New(set, Terms{Cluster: "mainnet-beta"}).For(first); err != nil || got.Stakes.Len() != 3 {
		t.Errorf("without BLS keys: got %v, %v", got, err)
	}
}

func TestExact(t *testing.T) {
	for vintage, want := range map[list.Vintage]error{list.VintageExact: nil, list.VintageApproximate: ErrNotExact, list.VintageUnknown: ErrNotExact} {
		set := &list.Set{Lists: []list.List{votes(7, vintage)}}
		_, err := New(set, Terms{KeyedBy: "vote", Exact: true}).For(7)
		if !errors.Is(err, want) || want != nil && !strings.Contains(err.Error(), "of the test") {
			t.Errorf("%s: got %v, want %v", vintage, err, want)
		}
	}
}

func TestAnotherEpoch(t *testing.T) {
	set := &list.Set{Lists: []list.List{votes(7, list.VintageExact), votes(8, list.VintageExact)}}
	var missing *list.EpochError
	if _, err := New(set, Terms{KeyedBy: "vote"}).For(9); !errors.As(err, &missing) {
		t.Errorf("got %v", err)
	}
	got, err := New(set, Terms{KeyedBy: "vote", Force: true}).For(9)
	if err != nil || !got.Forced || *got.List.Provenance.Epoch != 8 {
		t.Errorf("forced: got %+v, %v", got, err)
	}
	if got, err := New(set, Terms{KeyedBy: "vote", Force: true}).For(7); err != nil || got.Forced || *got.List.Provenance.Epoch != 7 {
		t.Errorf("nothing to force: got %+v, %v", got, err)
	}
	if _, err := New(set, Terms{KeyedBy: "vote", Force: true, Exact: true}).For(9); !errors.Is(err, ErrNotExact) {
		t.Errorf("forced and exact: got %v", err)
	}
}

// Epochs that are taken alike share one electorate, so that a batch makes it once.
func TestMadeOnce(t *testing.T) {
	l := votes(0, list.VintageUnknown)
	l.Provenance.Epoch = nil
	e := New(&list.Set{Lists: []list.List{l}}, Terms{Cluster: "mainnet-beta"})
	a, errA := e.For(900)
	b, errB := e.For(901)
	c, errC := e.For(100)
	if errA != nil || errB != nil || errC != nil || a != b || a == c {
		t.Errorf("got %p, %p, %p, %v, %v, %v", a, b, c, errA, errB, errC)
	}
}

func TestErrorsNameTheSource(t *testing.T) {
	l := votes(3, list.VintageExact)
	l.Entries = []schedule.Entry{{Key: pubkey(1), Stake: 0}}
	l.Accounts = nil
	_, err := New(&list.Set{Lists: []list.List{l}}, Terms{KeyedBy: "vote"}).For(3)
	if !errors.Is(err, schedule.ErrNoStake) || !strings.Contains(err.Error(), "node") {
		t.Errorf("got %v", err)
	}
	if _, err := New(&list.Set{}, Terms{}).For(3); !errors.Is(err, ErrNoList) {
		t.Errorf("got %v", err)
	}
}

// What the cut leaves is the network's only when everything that it looks at is
// known.
func TestExactAdmission(t *testing.T) {
	first, _ := admission.FirstEpoch("mainnet-beta")
	exact := func(rule admission.Rule, l list.List) error {
		_, err := New(&list.Set{Lists: []list.List{l}}, Terms{Cluster: "mainnet-beta", Admission: rule, Exact: true}).For(first)
		return err
	}
	untold := votes(first, list.VintageExact)
	untold.Accounts = nil
	for name, err := range map[string]error{
		"stakes alone looked at":    exact(admission.Top2000, untold),
		"nobody of a node's left":   exact(admission.None, votes(first, list.VintageExact)),
		"an epoch that is not said": func() error { l := votes(first, list.VintageExact); l.Provenance.Epoch = nil; return exact("", l) }(),
	} {
		if !errors.Is(err, ErrNotExact) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if err := exact(admission.Top2000, votes(first, list.VintageExact)); err != nil {
		t.Errorf("all told: %v", err)
	}
}

// Alpenglow's burn is known to at most 1.6 SOL: who has less than that is left out,
// and the list then not exact.
func TestBurn(t *testing.T) {
	epoch := uint64(1043)
	if admission.Burn("testnet", epoch) != admission.FullBurn || admission.Burn("testnet", epoch-1) != 0 || admission.Burn("mainnet-beta", epoch) != 0 {
		t.Fatal("burns of other epochs than from 1043 of testnet on")
	}
	l := votes(epoch, list.VintageExact)
	l.Accounts[0].Lamports += admission.FullBurn
	terms := Terms{Cluster: "testnet"}
	got, err := New(&list.Set{Lists: []list.List{l}}, terms).For(epoch)
	if err != nil || got.Stakes.Len() != 1 {
		t.Errorf("got %+v, %v, want one vote account", got, err)
	}
	terms.Exact = true
	if _, err := New(&list.Set{Lists: []list.List{l}}, terms).For(epoch); !errors.Is(err, ErrNotExact) {
		t.Errorf("exact: got %v", err)
	}
	l.Accounts[2].Lamports += admission.FullBurn
	if _, err := New(&list.Set{Lists: []list.List{l}}, terms).For(epoch); err != nil {
		t.Errorf("all can pay: %v", err)
	}
}

// A list of which nobody is admitted says who was left out.
func TestNobodyAdmitted(t *testing.T) {
	first, _ := admission.FirstEpoch("mainnet-beta")
	l := votes(first, list.VintageApproximate)
	for i := range l.Accounts {
		l.Accounts[i].BLS = false
	}
	_, err := New(&list.Set{Lists: []list.List{l}}, Terms{Cluster: "mainnet-beta"}).For(first)
	if !errors.Is(err, schedule.ErrNoStake) || !strings.Contains(err.Error(), "3 no BLS key") {
		t.Errorf("got %v", err)
	}
}
