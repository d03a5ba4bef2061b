package compare

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/schedgen/schedgen/schedule"
)

// longCase is a case of the length of a public epoch, with distinct identities.
func longCase(seed uint64, n int) (Case, []schedule.Entry) {
	rng := rngOf(seed)
	entries := make([]schedule.Entry, n)
	for i := range entries {
		entries[i] = schedule.Entry{Key: someKey(rng), Node: someKey(rng), Stake: likeACluster(rng, i) / 3}
	}
	p := schedule.Params{Epoch: 900 + seed, FirstSlot: 388_800_000, Slots: 432_000}
	return Case{Entries: entries, Keying: schedule.KeyedByVote, Params: p}, entries
}

// TestExplainExtra: the other side has one entry more. Its stake is found to the
// lamport.
func TestExplainExtra(t *testing.T) {
	heavy(t)
	for seed := range uint64(3) {
		c, entries := longCase(seed, 600)
		at := []int{0, 40, 590}[seed]
		extra := entries[at]
		c.Entries = slices.Delete(slices.Clone(entries), at, at+1)
		c.Other = Side{Name: "other", Leaders: mustDerive(t, entries, c.Keying, c.Params)}
		e := mustExplainSide(t, c)
		wantExplained(t, e, MistakeExtra, fmt.Sprint(extra.Stake))
		if got := e.Hypotheses[0].Entries; len(got) != 1 || got[0].Node != extra.Node || got[0].Stake != extra.Stake {
			t.Errorf("seed %d: got %v, want %v", seed, got, extra)
		}
	}
}

// TestExplainChangedStake: one entry has another stake.
func TestExplainChangedStake(t *testing.T) {
	heavy(t)
	for seed := range uint64(6) {
		c, entries := longCase(seed, 600)
		at := []int{0, 3, 40, 300, 590}[seed%5]
		other := slices.Clone(entries)
		switch seed % 3 {
		case 0:
			other[at].Stake += other[at].Stake / 1000
		case 1:
			other[at].Stake -= other[at].Stake / 50
		case 2:
			other[at].Stake += other[at].Stake / 3
		}
		c.Other = Side{Name: "other", Leaders: mustDerive(t, other, c.Keying, c.Params)}
		e := mustExplainSide(t, c)
		wantExplained(t, e, MistakeStake, "lamports in the place of")
		// Rows nearby and stakes nearby may give the same.
		want, about := other[at].Stake, strings.Contains(e.String(), "about")
		if !slices.ContainsFunc(slices.Concat(e.Hypotheses[0].Entries, e.Hypotheses[0].OneOf), func(e Entry) bool {
			return e.Key == other[at].Key && (e.Stake == want || about && max(e.Stake, want)-min(e.Stake, want) < want/100_000)
		}) {
			t.Errorf("seed %d: got %+v, want %v with %d", seed, e.Hypotheses[0], other[at].Key, want)
		}
	}
}

// TestExplainTotal: stakes of several entries differ by a few lamports, which
// shows in the words rejected alone. The total is found, and not whose it is.
func TestExplainTotal(t *testing.T) {
	heavy(t)
	c, entries := longCase(1, 600)
	other := slices.Clone(entries)
	other[5].Stake += 40
	other[70].Stake += 3
	other[500].Stake -= 1
	s := mustDerive(t, other, c.Keying, c.Params)
	c.Other = Side{Name: "other", Leaders: s}
	e := mustExplainSide(t, c)
	wantExplained(t, e, MistakeStake, fmt.Sprintf("a total stake of %d lamports, +42, by one entry or several: 64 or more", s.Stakes().Total()))
	if h := e.Hypotheses[0]; len(h.Entries) != 0 || len(h.OneOf) != 64 {
		t.Errorf("%d entries, one of %d", len(h.Entries), len(h.OneOf))
	}
}
