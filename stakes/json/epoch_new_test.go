package json

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
)

// message is an epoch.new with three identities; value is put in the place of the
// member of that name.
func message(member, value string) string {
	members := []string{
		"epoch", "3", "start_time_nanos", "null", "start_slot", "224", "end_slot", "479",
		"excluded_stake_lamports", quoted("0"),
		"staked_pubkeys", "[" + quoted(keyA) + "," + quoted(keyB) + "," + quoted(keyC) + "]",
		"staked_lamports", "[" + quoted("18446744073709551615") + "," + quoted("9007199254740993") + ",7]",
		"leader_slots", "[" + strings.Repeat("0,1,", 31) + "0,2]",
	}
	if i := slices.Index(members, member); i >= 0 && value == "" {
		members = slices.Delete(members, i, i+2)
	} else if i >= 0 {
		members[i+1] = value
	}
	return fields(members...)
}

func TestReadEpochNew(t *testing.T) {
	a, b, c := key(t, keyA), key(t, keyB), key(t, keyC)
	want := []schedule.Entry{{Key: a, Node: a, Stake: 1<<64 - 1}, {Key: b, Node: b, Stake: 1<<53 + 1}, {Key: c, Node: c, Stake: 7}}
	for name, in := range map[string]string{
		"message":    `{"topic":"epoch","key":"new","value":` + message("", "") + "}",
		"value":      message("", ""),
		"other way":  `{"value":` + message("", "") + `,"key":"new","topic":"epoch"}`,
		"few fields": fields("staked_lamports", `["18446744073709551615",9007199254740993,"7"]`, "epoch", quoted("3"), "staked_pubkeys", "["+quoted(keyA)+","+quoted(keyB)+","+quoted(keyC)+"]"),
	} {
		t.Run(name, func(t *testing.T) {
			set, err := Read(strings.NewReader(in), "epoch.json")
			if err != nil {
				t.Fatal(err)
			}
			l := set.Lists[0]
			if !slices.Equal(l.Entries, want) || l.HasVotes {
				t.Errorf("got %v", l.Entries)
			}
			p := l.Provenance
			if p.Kind != list.KindEpochNew || *p.Epoch != 3 || p.Vintage != list.VintageExact || p.Cluster != "" || p.Slot != nil {
				t.Errorf("provenance %+v", p)
			}
			if len(p.Notes) > 0 {
				t.Errorf("notes %q", p.Notes)
			}
			testnet, err := schedule.ClusterSchedule("testnet")
			if known := name != "few fields"; err != nil || known != (p.EpochSchedule != nil) || known && *p.EpochSchedule != testnet {
				t.Errorf("epoch schedule %+v", p.EpochSchedule)
			}
		})
	}
}

func TestReadEpochNewErrors(t *testing.T) {
	for _, c := range []struct {
		member, value string
		want          error
		path          string
		says          string
	}{
		{"epoch", "", ErrMember, "", "no epoch"},
		{"epoch", "-1", ErrMember, "epoch", `"-1"`},
		{"epoch", "[3]", ErrMember, "epoch", "an array"},
		{"start_slot", "1.5", ErrMember, "start_slot", `"1.5"`},
		{"end_slot", "223", ErrMember, "", "before start_slot"},
		{"start_slot", "480", ErrMember, "", "before start_slot"},
		{"staked_pubkeys", "[" + quoted(keyA) + "]", ErrMember, "", "has 1 entries and staked_lamports has 3"},
		{"staked_pubkeys", "{}", ErrMember, "staked_pubkeys", "an object, want an array"},
		{"staked_pubkeys", "[5]", ErrMember, "staked_pubkeys[0]", "public key"},
		{"staked_pubkeys", "[" + quoted(keyA) + "," + quoted(keyB) + "," + quoted(keyA) + "]", ErrKey, "", keyA + " at 0 and 2, for vote accounts that the message does not name"},
		{"staked_lamports", "[1,1.5]", ErrStake, "staked_lamports[1]", "fraction"},
		{"staked_lamports", "", ErrMember, "", "has 3 entries and staked_lamports has 0"},
		{"leader_slots", "[0,3,1]", ErrMember, "", "leader_slots[1] is rank 3 of 3 entries"},
		{"leader_slots", "[-1]", ErrMember, "leader_slots[0]", `"-1"`},
		{"excluded_stake_lamports", "1.5", ErrStake, "excluded_stake_lamports", "fraction"},
	} {
		_, err := Read(strings.NewReader(message(c.member, c.value)), "x")
		var e *Error
		if !errors.Is(err, c.want) || !errors.As(err, &e) || e.Path != c.path || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s %s: got %v, want %v at %q with %q", c.member, c.value, err, c.want, c.path, c.says)
		}
	}
	for _, in := range []string{
		`{"topic":"summary","key":"ping","value":null,"id":4}`,
		`{"topic":"epoch","key":"old","value":` + message("", "") + "}",
		`{"topic":5,"value":` + message("", "") + "}",
	} {
		if _, err := Read(strings.NewReader(in), "x"); !errors.Is(err, ErrForm) || !strings.Contains(err.Error(), "a message whose") {
			t.Errorf("%.60s: got %v", in, err)
		}
	}
	if _, err := Read(strings.NewReader(fields("epoch", "1", "staked_pubkeys", "[]", "staked_lamports", "[]")), "x"); !errors.Is(err, ErrNoEntries) {
		t.Errorf("no entries: got %v", err)
	}
}

// What makes the stakes inexact, or the message short, is told.
func TestReadEpochNewNotes(t *testing.T) {
	p := readOne(t, message("excluded_stake_lamports", quoted("5"))).Provenance
	if p.Vintage != list.VintageApproximate || p.Reason != "the node left out validators with 5 lamports" {
		t.Errorf("excluded stake: %+v", p)
	}
	p = readOne(t, message("leader_slots", "[0,1]")).Provenance
	if p.Vintage != list.VintageExact || !slices.Contains(p.Notes, "leader_slots has 2 rotations, an epoch of 256 slots has 64") {
		t.Errorf("short schedule: %+v", p)
	}
	p = readOne(t, message("start_slot", "220")).Provenance
	if p.EpochSchedule != nil {
		t.Errorf("slots of no public cluster: %+v", p)
	}
}

// A list that real messages of a large cluster have been cut to is refused: which
// stakes are missing is not known.
func TestRealEpochNewCut(t *testing.T) {
	_, err := Read(bytes.NewReader(sharedFile(t, "testnet-epoch763-partial.json")), "partial.json")
	if !errors.Is(err, schedule.ErrPubkeySize) || !strings.Contains(err.Error(), "staked_pubkeys[107]") {
		t.Errorf("got %v", err)
	}
}

// The list claims to be exact only if it gives the schedule of the message: with
// equal stakes, vote accounts that are not named may order the identities.
func TestEpochNewIsExactIfItGivesTheSchedule(t *testing.T) {
	es, err := schedule.ClusterSchedule("testnet")
	if err != nil {
		t.Fatal(err)
	}
	const other, ties, order = "its stakes give another leader than its leader_slots[", "is equal to the one before", "is more than the one before"
	node := func(i byte) schedule.Pubkey { return schedule.Pubkey{0: i} }
	for name, c := range map[string]struct {
		votes, nodes []byte
		stakes       []uint64
		change       func(string) string
		reason       string // "" for exact
	}{
		"no ties":            {[]byte{1, 2, 3}, []byte{7, 8, 9}, []uint64{30, 20, 10}, nil, ""},
		"ties as identities": {[]byte{1, 2, 3}, []byte{7, 8, 9}, []uint64{30, 20, 20}, nil, ""},
		"ties otherwise":     {[]byte{1, 2, 3}, []byte{7, 9, 8}, []uint64{30, 20, 20}, nil, ties},
		"never drawn":        {[]byte{1, 2, 3}, []byte{7, 9, 8}, []uint64{1 << 60, 1, 1}, nil, ""},
		"another epoch": {[]byte{1, 2, 3}, []byte{7, 8, 9}, []uint64{30, 20, 10},
			func(s string) string { return strings.Replace(s, `"epoch":3`, `"epoch":4`, 1) }, other},
		"no slots":                 {[]byte{1, 2, 3}, []byte{7, 8, 9}, []uint64{30, 20, 20}, unslotted, ""},
		"no slots, ties otherwise": {[]byte{1, 2, 3}, []byte{7, 9, 8}, []uint64{30, 20, 20}, unslotted, ties},
		"no slots, another order": {[]byte{1, 2}, []byte{7, 9}, []uint64{30, 20},
			func(s string) string { return strings.Replace(unslotted(s), `"30"`, `"10"`, 1) }, order},
	} {
		t.Run(name, func(t *testing.T) {
			var entries []schedule.Entry
			for i := range c.votes {
				entries = append(entries, schedule.Entry{Key: node(c.votes[i]), Node: node(c.nodes[i]), Stake: c.stakes[i]})
			}
			stakes, err := schedule.NewStakes(entries, schedule.KeyedByVote)
			if err != nil {
				t.Fatal(err)
			}
			s, err := schedule.Derive(stakes, schedule.Params{Epoch: 3, FirstSlot: es.FirstSlot(3), Slots: es.SlotsIn(3)})
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			if err := s.Write(&out, schedule.FormatEpochNew); err != nil {
				t.Fatal(err)
			}
			in := out.String()
			if c.change != nil {
				if in = c.change(in); in == out.String() {
					t.Fatalf("not changed: %s", in)
				}
			}
			p := readOne(t, in).Provenance
			if (p.Vintage == list.VintageExact) != (c.reason == "") || !strings.Contains(p.Reason, c.reason) {
				t.Errorf("%s: %s, want %q", p.Vintage, p.Reason, c.reason)
			}
		})
	}
}

// unslotted is a message whose slots are not known.
func unslotted(message string) string {
	return strings.Replace(message, `"start_slot"`, `"slot"`, 1)
}

// What schedule.FormatEpochNew prints has the same stakes in the same order.
func TestEpochNewRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, k := range []schedule.Keying{schedule.KeyedByVote, schedule.KeyedByIdentity} {
		for epoch := uint64(0); epoch < 20; epoch += 3 {
			t.Run(fmt.Sprintf("%v %d", k, epoch), func(t *testing.T) {
				var entries []schedule.Entry
				for i := range 1 + rng.IntN(50) {
					vote, node := schedule.Pubkey{0: byte(i), 31: 1}, schedule.Pubkey{0: byte(i), 1: byte(rng.IntN(20)), 31: 2}
					entries = append(entries, schedule.Entry{Key: vote, Node: node, Stake: 1 + rng.Uint64()>>(10+rng.IntN(50))})
				}
				stakes, err := schedule.NewStakes(entries, k)
				if err != nil {
					t.Fatal(err)
				}
				es, err := schedule.ClusterSchedule("testnet")
				if err != nil {
					t.Fatal(err)
				}
				s, err := schedule.Derive(stakes, schedule.Params{Epoch: epoch, FirstSlot: es.FirstSlot(epoch), Slots: es.SlotsIn(epoch)})
				if err != nil {
					t.Fatal(err)
				}
				var out bytes.Buffer
				if err := s.Write(&out, schedule.FormatEpochNew); err != nil {
					t.Fatal(err)
				}
				set, err := Read(&out, "out.json")
				if err != nil {
					t.Fatal(err)
				}
				l := set.Lists[0]
				for rank, want := range stakes.All() {
					if got := l.Entries[rank]; got.Node != want.Node || got.Stake != want.Stake {
						t.Fatalf("rank %d: %v, want %v", rank, got, want)
					}
				}
				p := l.Provenance
				if len(l.Entries) != stakes.Len() || *p.Epoch != epoch || p.EpochSchedule == nil || *p.EpochSchedule != es || p.Vintage != list.VintageExact {
					t.Errorf("%d entries of %d, provenance %+v", len(l.Entries), stakes.Len(), p)
				}
				if k == schedule.KeyedByVote {
					return
				}
				again, err := schedule.NewStakes(l.Entries, k)
				if err != nil || !slices.Equal(again.Weights(), stakes.Weights()) {
					t.Errorf("got other stakes: %v", err)
				}
			})
		}
	}
}
