package snapshot

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
	"github.com/schedgen/schedgen/stakes/snapshot/snapshottest"
)

// changed reads the small manifest after a change; the list of epoch 901 is what
// tests change.
func changed(t *testing.T, change func(*snapshottest.Spec)) (*list.Set, *list.List) {
	t.Helper()
	spec := snapshottest.Small(snapshottest.New)
	change(&spec)
	set, err := ReadManifest(bytes.NewReader(spec.Manifest()), "m")
	if err != nil {
		t.Fatal(err)
	}
	l, err := set.For(901)
	if err != nil {
		t.Fatal(err)
	}
	return set, l
}

// What is odd in the stakes of one epoch is noted there and nowhere else.
func TestNotesOfOneEpoch(t *testing.T) {
	const epoch = 1 // of the list of epoch 901 in the spec
	total := uint64(5)
	for name, c := range map[string]struct {
		change func(*snapshottest.Stakes)
		left   int // entries
		notes  []string
	}{
		"nothing":       {func(s *snapshottest.Stakes) {}, 3, nil},
		"without stake": {func(s *snapshottest.Stakes) { s.Votes[0].Stake = 0; s.Votes[0].Data = nil }, 2, nil},
		"of another program": {func(s *snapshottest.Stakes) { s.Votes[0].Owner = schedule.Pubkey{1} }, 2,
			[]string{"left out 1 accounts with 14000000000000901 lamports that the vote program does not own: "}},
		"no vote account": {func(s *snapshottest.Stakes) { s.Votes[1].Data = make([]byte, 3762) }, 2,
			[]string{"left out 1 vote accounts with 7000000000000901 lamports: "}},
		"total": {func(s *snapshottest.Stakes) { s.Total = &total }, 3,
			[]string{"the stakes add up to 25666666666669369 lamports, the manifest says 5"}},
		"over 64 bits": {func(s *snapshottest.Stakes) { s.Votes[0].Stake = math.MaxUint64 }, 3,
			[]string{"the stakes add up to over 2^64-1 lamports"}},
		"nodes": {func(s *snapshottest.Stakes) { s.Nodes = []snapshottest.Node{} }, 3,
			[]string{"the map from identities to vote accounts disagrees 1 times with the accounts: 3 vote accounts"}},
		"recorded too late":  {func(s *snapshottest.Stakes) { s.RecordedIn = 901 }, 3, []string{"stakes for epoch 901 are not recorded in epoch 901"}},
		"recorded too early": {func(s *snapshottest.Stakes) { s.RecordedIn = 899 }, 3, []string{"stakes for epoch 901 are not recorded in epoch 899"}},
		"none":               {func(s *snapshottest.Stakes) { s.Votes = nil }, 0, []string{"no vote account has stake"}},
	} {
		t.Run(name, func(t *testing.T) {
			set, l := changed(t, func(s *snapshottest.Spec) { c.change(&s.New[epoch]) })
			if len(l.Entries) != c.left || len(l.Accounts) != c.left {
				t.Errorf("%d entries, %d accounts, want %d", len(l.Entries), len(l.Accounts), c.left)
			}
			wantNotes(t, &list.Set{Lists: []list.List{*l}}, c.notes...)
			wantNotes(t, &list.Set{Lists: []list.List{set.Lists[0], set.Lists[2]}})
		})
	}
}

// Stakes of an epoch that the manifest contradicts are not exact; those of other
// epochs are.
func TestDoubtfulStakesAreApproximate(t *testing.T) {
	total := uint64(5)
	for name, c := range map[string]struct {
		change func(*snapshottest.Stakes)
		reason string
	}{
		"another program": {func(s *snapshottest.Stakes) { s.Votes[0].Owner = schedule.Pubkey{1} }, "accounts with stake were left out, "},
		"malformed":       {func(s *snapshottest.Stakes) { s.Votes[1].Data = make([]byte, 3762) }, "accounts with stake were left out, "},
		"total":           {func(s *snapshottest.Stakes) { s.Total = &total }, "the stakes do not add up"},
		"nodes":           {func(s *snapshottest.Stakes) { s.Nodes = []snapshottest.Node{} }, "the map from identities to vote accounts disagrees"},
		"recorded late":   {func(s *snapshottest.Stakes) { s.RecordedIn = 901 }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			set, l := changed(t, func(s *snapshottest.Spec) { c.change(&s.New[1]) })
			p := &l.Provenance
			if exact := p.Vintage == list.VintageExact; exact != (c.reason == "") || !strings.HasPrefix(p.Reason, c.reason) {
				t.Errorf("%s: %s, want %q", p.Vintage, p.Reason, c.reason)
			}
			for _, i := range []int{0, 2} {
				if set.Lists[i].Provenance.Vintage != list.VintageExact {
					t.Errorf("list %d: %+v", i, set.Lists[i].Provenance)
				}
			}
		})
	}
}

// Of many accounts that are left out the first three are named.
func TestNotesNameSomeAccounts(t *testing.T) {
	var votes []snapshottest.Vote
	_, l := changed(t, func(s *snapshottest.Spec) {
		votes = snapshottest.Votes(1, 10)
		for i := range votes[1:] {
			votes[i+1].Owner = schedule.Pubkey{}
		}
		s.New[1].Votes = votes
	})
	note := l.Provenance.Notes[0]
	if !strings.HasPrefix(note, "left out 9 accounts") || !strings.HasSuffix(note, "…") ||
		!strings.Contains(note, votes[3].Key.String()) || strings.Contains(note, votes[4].Key.String()) {
		t.Errorf("got %q", note)
	}
}

// What is odd in the bank is noted with every list.
func TestNotesOfTheBank(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*snapshottest.Spec)
		notes  []string
	}{
		"epoch":      {func(s *snapshottest.Spec) { s.Epoch-- }, []string{"slot 389233000 is of epoch 901 by the epoch schedule, the bank says 900"}},
		"first slot": {func(s *snapshottest.Spec) { s.EpochSchedule.FirstNormalSlot = 1 }, []string{"begins normal epochs with epoch 0 at slot 1, want epoch 0 at slot 0"}},
	} {
		t.Run(name, func(t *testing.T) {
			set, _ := changed(t, c.change)
			wantNotes(t, set, c.notes...)
		})
	}
	set, _ := changed(t, func(s *snapshottest.Spec) { s.EpochSchedule.SlotsPerEpoch = 5; s.Epoch = s.Slot / 5 })
	if !slices.ContainsFunc(set.Lists[0].Provenance.Notes, func(n string) bool { return strings.Contains(n, "the epoch schedule: ") }) {
		t.Errorf("5 slots an epoch: notes %q", set.Lists[0].Provenance.Notes)
	}
	spec := snapshottest.Small(snapshottest.New)
	spec.Extra = snapshottest.AllExtra
	set, err := ReadManifest(bytes.NewReader(append(spec.Manifest(), 1, 2, 3)), "m")
	if err != nil {
		t.Fatal(err)
	}
	wantNotes(t, set, "goes on after the last field that is known")
}

// Stakes of the first epochs come from the genesis, also with warm-up.
func TestRecordedInTheGenesis(t *testing.T) {
	for _, warmup := range []bool{false, true} {
		es, err := schedule.NewEpochSchedule(8192, 8192, warmup)
		if err != nil {
			t.Fatal(err)
		}
		spec := snapshottest.Small(snapshottest.New)
		spec.EpochSchedule, spec.Slot, spec.Epoch, spec.GenesisCreationTime = es, 40, 0, 1
		spec.Epoch, _ = es.EpochOf(40)
		for i := range spec.New {
			spec.New[i].Epoch, spec.New[i].RecordedIn = uint64(i), uint64(i)-min(uint64(i), 1)
		}
		set, err := ReadManifest(bytes.NewReader(spec.Manifest()), "m")
		if err != nil {
			t.Fatal(err)
		}
		wantNotes(t, set)
		if p := set.Latest().Provenance; *p.EpochSchedule != es || p.Cluster != "" {
			t.Errorf("%+v", p)
		}
	}
}

// With stakes of an epoch in both places the newer ones count; those of other
// epochs come from where they are.
func TestBothLayoutsAreMerged(t *testing.T) {
	older, newer := snapshottest.Small(snapshottest.Old), snapshottest.Small(snapshottest.New)
	spec := newer
	spec.Old = older.Old[:2]  // epochs 900 and 901
	spec.New = newer.New[1:3] // epochs 901 and 902
	slices.Reverse(spec.Old)
	slices.Reverse(spec.New)
	want := mustRead(t, tarOf(t, snapshottest.Archive{Spec: newer}), "a")
	set, err := ReadManifest(bytes.NewReader(spec.Manifest()), "m")
	if err != nil {
		t.Fatal(err)
	}
	sameLists(t, "the same stakes", set, want)

	spec.Old[0].Votes = slices.Clone(spec.Old[0].Votes)
	slices.Reverse(spec.Old[0].Votes)
	if set, err = ReadManifest(bytes.NewReader(spec.Manifest()), "m"); err != nil {
		t.Fatal(err)
	}
	sameLists(t, "another order", set, want)

	spec.Old[0].Votes[0].Stake++
	if set, err = ReadManifest(bytes.NewReader(spec.Manifest()), "m"); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(set.Lists[1].Entries, want.Lists[1].Entries) {
		t.Error("the older stakes count")
	}
	wantNotes(t, &list.Set{Lists: set.Lists[1:2]}, "the older part of the manifest has other stakes for this epoch")
	wantNotes(t, &list.Set{Lists: []list.List{set.Lists[0], set.Lists[2]}})
}

func TestNoStakes(t *testing.T) {
	spec := snapshottest.Small(snapshottest.New)
	spec.New = nil
	_, err := ReadManifest(bytes.NewReader(spec.Manifest()), "m")
	wantErr(t, err, "m", ErrNoStakes)
}

func TestProvenance(t *testing.T) {
	set, l := changed(t, func(*snapshottest.Spec) {})
	p := &l.Provenance
	if p.Cluster != "mainnet-beta" || *p.Slot != 901*432_000+1000 || p.Kind != list.KindSnapshot || p.Source != "m" {
		t.Errorf("%+v", p)
	}
	if want := fmt.Sprintf("vintage exact: the epoch stakes of the snapshot, recorded in epoch %d", 900); !strings.HasSuffix(p.String(), want) {
		t.Errorf("%q, want %q at its end", p, want)
	}
	for i := range set.Lists { // nothing of one list is another's
		set.Lists[i].Provenance.EpochSchedule.Warmup = i == 0
		*set.Lists[i].Provenance.Slot += schedule.Slot(i)
	}
	if set.Lists[1].Provenance.EpochSchedule.Warmup || *set.Lists[0].Provenance.Slot != 901*432_000+1000 {
		t.Error("lists share what they point to")
	}
}
