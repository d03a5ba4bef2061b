package main

import (
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/schedgen/schedgen/compare"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
)

// A stakeDiff is the answer of diff for stake lists.
type stakeDiff struct {
	Kind     string                   `json:"kind"` // stakes
	Equal    bool                     `json:"equal"`
	A        list.Provenance          `json:"a"`
	B        list.Provenance          `json:"b"`
	Compared *compare.StakeDifference `json:"difference"`
	Notes    []string                 `json:"notes"`

	a, b    *list.List
	limited bool // to some identities
}

func (f *diffFlags) diffStakes(cmd *cobra.Command, a, b *operand) error {
	keying, notes := schedule.KeyedByVote, []string{}
	switch {
	case f.keyedBy != "":
		keying, _ = schedule.ParseKeying(f.keyedBy) // checked before
		for _, o := range []*operand{a, b} {
			if keying == schedule.KeyedByVote && !o.list.HasVotes {
				return fmt.Errorf("--keyed-by vote: %s has no vote accounts", o.title())
			}
		}
	case !a.list.HasVotes || !b.list.HasVotes:
		keying = schedule.KeyedByIdentity
		if a.list.HasVotes || b.list.HasVotes {
			notes = append(notes, "one of the lists has no vote accounts: compared by identity")
		}
	}
	if text := otherClusters(&a.list.Provenance, &b.list.Provenance); text != "" {
		notes = append(notes, text)
	}
	d := compare.Stakes(a.list.Entries, b.list.Entries, keying)
	answer := &stakeDiff{
		Kind: "stakes", A: a.list.Provenance, B: b.list.Provenance, Compared: d, Notes: notes,
		a: a.list, b: b.list, limited: len(f.identities) > 0,
	}
	if wanted := f.wanted(); wanted != nil {
		d.Changes = slices.DeleteFunc(d.Changes, func(c compare.StakeChange) bool { return !ofAny(&c, wanted) })
		clear(d.Counts)
		for _, c := range d.Changes {
			d.Counts[c.Kind]++
		}
		for i := range f.identities {
			if !listed(a.list, f.identities[i]) && !listed(b.list, f.identities[i]) {
				answer.Notes = append(answer.Notes, fmt.Sprintf("%v is in neither list", f.identities[i]))
			}
		}
	}
	answer.Equal = d.Equal()
	return f.write(cmd, answer, answer.Notes, answer.Equal)
}

// otherClusters says that two lists are of different clusters.
func otherClusters(a, b *list.Provenance) string {
	switch {
	case a.Cluster != "" && b.Cluster != "" && a.Cluster != b.Cluster:
		return fmt.Sprintf("%s is of %s, %s of %s", a.Source, a.Cluster, b.Source, b.Cluster)
	case a.GenesisHash != nil && b.GenesisHash != nil && *a.GenesisHash != *b.GenesisHash:
		return fmt.Sprintf("%s and %s are of different clusters: their genesis hashes are %v and %v", a.Source, b.Source, *a.GenesisHash, *b.GenesisHash)
	}
	return ""
}

// ofAny reports whether a change is about one of some keys.
func ofAny(c *compare.StakeChange, wanted map[schedule.Pubkey]bool) bool {
	return wanted[c.Key] || c.NodeA != nil && wanted[*c.NodeA] || c.NodeB != nil && wanted[*c.NodeB]
}

func listed(l *list.List, key schedule.Pubkey) bool {
	return slices.ContainsFunc(l.Entries, func(e schedule.Entry) bool { return e.Key == key || e.Node == key })
}

func (s *stakeDiff) print(out io.Writer, top int) error {
	var b strings.Builder
	d := s.Compared
	one, many := "vote account", "vote accounts"
	if d.KeyedBy == schedule.KeyedByIdentity.String() {
		one, many = "identity", "identities"
	}
	switch {
	case s.Equal && s.limited:
		fmt.Fprintln(&b, "equal: what is of these identities is the same")
	case s.Equal:
		fmt.Fprintf(&b, "equal: %s with %s lamports\n", counted(d.Same, one, many), groupedInt(d.A.Total))
	default:
		fmt.Fprintf(&b, "differs: %s\n\n", s.headline(one, many))
		var rows labelled
		rows.add("A", "%s", describeList(s.a, &d.A, one, many))
		rows.add("B", "%s", describeList(s.b, &d.B, one, many))
		rows.print(&b)
		s.table(&b, one, top)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// headline says how many entries differ, and how.
func (s *stakeDiff) headline(one, many string) string {
	var parts []string
	for _, c := range []struct {
		kind compare.ChangeKind
		text string
	}{
		{compare.StakeChanged, "with another stake"},
		{compare.NodeChanged, "with another identity"},
		{compare.StakeAndNode, "with both"},
		{compare.Gained, "new"},
		{compare.Lost, "gone"},
		{compare.DuplicatedKey, "listed more than once"},
	} {
		if n := s.Compared.Counts[c.kind]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s %s", grouped(uint64(n)), c.text))
		}
	}
	same := fmt.Sprintf(", %s the same", grouped(uint64(s.Compared.Same)))
	if s.limited {
		same = ""
	}
	return fmt.Sprintf("%s: %s%s", counted(len(s.Compared.Changes), one, many), strings.Join(parts, ", "), same)
}

// describeList says in a line what a list is.
func describeList(l *list.List, sum *compare.ListSummary, one, many string) string {
	text := l.Title()
	if epoch := l.Provenance.Epoch; epoch != nil {
		text += fmt.Sprintf(", stakes of epoch %d", *epoch)
	}
	text += fmt.Sprintf(", %s with %s lamports", counted(sum.Entries, one, many), groupedInt(sum.Total))
	if sum.Zero > 0 {
		text += fmt.Sprintf(", and %s without stake", grouped(uint64(sum.Zero)))
	}
	return text
}

// table lists the entries that differ, and the total.
func (s *stakeDiff) table(out *strings.Builder, what string, top int) {
	d := s.Compared
	shown := d.Changes
	if top > 0 {
		shown = shown[:min(top, len(shown))]
	}
	out.WriteByte('\n')
	t := table{left: []int{0, 5}}
	t.add(what, "A", "B", "change", "change %")
	for i := range shown {
		c := &shown[i]
		cells := []string{c.Key.String(), grouped(c.A), grouped(c.B), signedInt(c.Change), percentOf(c)}
		if text := identitiesOf(c); text != "" {
			cells = append(cells, text)
		}
		t.add(cells...)
	}
	if more := moreText(len(d.Changes) - len(shown)); more != "" {
		t.add(more)
	}
	if !s.limited {
		t.add("total", groupedInt(d.A.Total), groupedInt(d.B.Total), signedInt(d.Change), percentChange(d.Change, d.A.Total))
	}
	_ = t.print(out)
}

func percentOf(c *compare.StakeChange) string {
	switch c.Kind {
	case compare.Gained:
		return "new"
	case compare.Lost:
		return "gone"
	}
	return percentChange(c.Change, new(big.Int).SetUint64(c.A))
}

// identitiesOf says who led for a vote account and who does, when that differs.
func identitiesOf(c *compare.StakeChange) string {
	if c.Kind != compare.NodeChanged && c.Kind != compare.StakeAndNode {
		return ""
	}
	from, to := c.Key, c.Key
	if c.NodeA != nil {
		from = *c.NodeA
	}
	if c.NodeB != nil {
		to = *c.NodeB
	}
	return fmt.Sprintf("%v -> %v", from, to)
}
