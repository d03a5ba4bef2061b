package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/schedgen/schedgen/compare"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/schedulefile"
	"github.com/schedgen/schedgen/stakes/admission"
	"github.com/schedgen/schedgen/stakes/list"
)

// readRanks reads bare ranks in the list of the derived schedule.
func (o *ownSide) readRanks(r io.Reader, name string) (*schedulefile.Observed, error) {
	const perSlot = 4 // at most
	most := min(o.params.Slots, schedulefile.MaxSlots)
	return schedulefile.ReadRanks(io.LimitReader(r, int64(perSlot*most+1)), name, o.who.Stakes, o.params)
}

// explain looks for what makes the difference.
func (v *verdict) explain(ctx context.Context, ours *ownSide, theirs *otherSide) error {
	v.alternatives = ours.alternatives()
	c := compare.Case{
		Entries: ours.who.Admitted.Entries, Keying: ours.who.Stakes.Keying(), Params: ours.params, Other: theirs.Side,
	}
	for _, a := range v.alternatives {
		c.Alternatives = append(c.Alternatives, a.Alternative)
	}
	why, err := compare.Explain(ctx, c)
	if errors.Is(err, compare.ErrDigestOnly) {
		return nil
	}
	if err != nil {
		return err
	}
	v.Why = why
	if why.Exact() || v.Compared.Identities.Different == 0 {
		v.Remedies = remediesOf(why, v.alternatives)
	}
	return nil
}

// An alternative is a list that the other side may have been made from.
type alternative struct {
	compare.Alternative
	remedy
}

// alternatives returns the lists around the one that was derived from: with or
// without admission, and those of other epochs, the nearest first.
func (o *ownSide) alternatives() []alternative {
	var all []alternative
	seen := [][]schedule.Entry{o.who.Admitted.Entries}
	add := func(name string, entries []schedule.Entry, r remedy) {
		for _, other := range seen {
			if slices.Equal(entries, other) {
				return
			}
		}
		if _, err := schedule.NewStakes(entries, o.who.Stakes.Keying()); err != nil {
			return
		}
		seen = append(seen, entries)
		r.Mistake = compare.MistakeList
		all = append(all, alternative{compare.Alternative{Name: name, Entries: entries}, r})
	}
	add("of all vote accounts, also those that SIMD-0357 does not admit", o.who.List.Entries, remedy{
		Theirs: "leave out the vote accounts that SIMD-0357 does not admit", Ours: "give --admission none"})
	admitted, _ := admission.Apply(o.who.List, admission.Options{Rule: admission.Top2000})
	add("of only those vote accounts that SIMD-0357 admits", admitted.Entries, remedy{
		Theirs: "leave nobody out: SIMD-0357 does not hold in this epoch", Ours: "give --admission top-2000"})
	for _, l := range o.otherLists() {
		epoch := *l.Provenance.Epoch
		name := fmt.Sprintf("of epoch %d, %s", epoch, epochsOff(epoch, o.params.Epoch))
		r := remedy{
			Theirs: fmt.Sprintf("take the stakes that lead epoch %d: those recorded at the first block of the epoch before", o.params.Epoch),
			Ours:   fmt.Sprintf("the stakes labelled epoch %d are those that lead epoch %d", epoch, o.params.Epoch),
		}
		if who, err := o.elector.For(epoch); err == nil {
			add(name, who.Admitted.Entries, r)
		}
		add(name+", also those that SIMD-0357 does not admit", l.Entries, r)
	}
	return all
}

// otherLists returns the lists of other epochs, the nearest first.
func (o *ownSide) otherLists() []*list.List {
	var lists []*list.List
	for i := range o.set.Lists {
		l := &o.set.Lists[i]
		if epoch := l.Provenance.Epoch; epoch != nil && *epoch != o.params.Epoch {
			lists = append(lists, l)
		}
	}
	away := func(l *list.List) uint64 {
		epoch := *l.Provenance.Epoch
		return max(epoch, o.params.Epoch) - min(epoch, o.params.Epoch)
	}
	slices.SortStableFunc(lists, func(a, b *list.List) int { return cmp.Compare(away(a), away(b)) })
	return lists
}

// epochsOff says how far the stakes of an epoch are from those wanted.
func epochsOff(epoch, wanted uint64) string {
	age, n := "too new", epoch-wanted
	if epoch < wanted {
		age, n = "too old", wanted-epoch
	}
	if n == 1 {
		return "one epoch " + age
	}
	return fmt.Sprintf("%d epochs %s", n, age)
}

// A remedy says what to do about a mistake.
type remedy struct {
	Mistake string `json:"mistake"`
	// Theirs is for the other side, if that is wrong.
	Theirs string `json:"theirs"`
	// Ours is for this one, if the other one is the network's own schedule; "" when
	// the network does not do so.
	Ours string `json:"ours,omitempty"`
}

// remedies are what to do about each mistake but that of another list.
var remedies = []remedy{
	{compare.MistakeIdentity, "draw by vote account, an entry each, and let its identity lead (SIMD-0180)", "give --keyed-by identity"},
	{compare.MistakeVote, "add up the vote accounts of an identity and draw by identity: the epoch is before SIMD-0180", "give --keyed-by vote"},
	{compare.MistakeEpoch, "seed the generator with the number of the epoch whose slots these are", "see whether it is that epoch's schedule"},
	{compare.MistakeTies, "sort equal stakes by the bytes of their keys, descending", ""},
	{compare.MistakeOrder, "sort by stake and then by the bytes of the key, both descending", ""},
	{compare.MistakeDuplicates, "count an entry that is listed again once", ""},
	{compare.MistakeOverwritten, "add up the stakes of all vote accounts of an identity", ""},
	{compare.MistakeAdmission, "leave nobody out: SIMD-0357 does not hold in this epoch", "give --admission top-2000"},
	{compare.MistakeZone, "reject a word when the low half of word x total is over 2^64-1 - (2^64 mod total), and no other", ""},
	{compare.MistakeRemainder, "take the high half of the 128-bit product word x total", ""},
	{compare.MistakeAtLeast, "take the first entry whose cumulative stake is greater than the draw", ""},
	{compare.MistakeTotal, "take the stakes to the lamport, and draw below their exact sum in 64-bit integers", "take the stakes to the lamport"},
	{compare.MistakeSeed, "put the epoch into the first 8 bytes of the seed, little-endian, and zeros into the others", ""},
	{compare.MistakeRounds, "draw from ChaCha20; ChaCha8 is Turbine's", ""},
	{compare.MistakeHalves, "make 64 bits of two words with the first one as the low half", ""},
	{compare.MistakeRepeat, "give each leader drawn as many slots in a row as the cluster does: 4", "give --repeat"},
	{compare.MistakeTail, "let the last rotation be as short as what is left of the epoch", ""},
	{compare.MistakeMissing, "add what the list lacks, the smallest entries too", "take it out of the stakes: the epoch was drawn without it"},
	{compare.MistakeExtra, "take it out of the list", "add it to the stakes: the epoch was drawn with it"},
	{compare.MistakeStake, "take the stakes to the lamport, of the epoch's record and not of today", "take the stakes to the lamport, of the epoch's record and not of today"},
	{compare.MistakeShift, "look a slot up by slot - first slot of the epoch, and nothing else", "see where its slots are counted from"},
	{compare.MistakeRotated, "look a slot up by slot - first slot of the epoch, and nothing else", "see where its slots are counted from"},
	{compare.MistakeNumbers, "number the slots of the epoch from its first slot", "see which epoch it is of"},
	{compare.MistakeNodes, "let those lead that are the identities in the epoch's stakes, not those of today", "take a list with the identities of the epoch's record, not those of today"},
	{compare.MistakeVotesShown, "show the identity in the entry of the vote account", ""},
}

// remediesOf returns what to do about what was found, each remedy once.
func remediesOf(why *compare.Explanation, lists []alternative) (out []remedy) {
	for _, h := range why.Hypotheses {
		for _, m := range h.Mistakes {
			if r, ok := remedyOf(m, lists); ok && !slices.Contains(out, r) {
				out = append(out, r)
			}
		}
	}
	return out
}

func remedyOf(m compare.Mistake, lists []alternative) (remedy, bool) {
	for _, a := range lists {
		if m.Name == compare.MistakeList && strings.HasSuffix(m.Text, " "+a.Name) {
			return a.remedy, true
		}
	}
	i := slices.IndexFunc(remedies, func(r remedy) bool { return r.Mistake == m.Name })
	if i < 0 {
		return remedy{}, false
	}
	return remedies[i], true
}

// printWhy writes the explanation, for people.
func (v *verdict) printWhy(out *strings.Builder) {
	var rows labelled
	why := v.Why
	switch {
	case why.Exact(), why.Equal, v.Compared.Identities.Different == 0:
		v.addExact(&rows)
	case why.Weak:
		rows.add("why", "too few slots are known to say: %s of %s agree, by chance about %s would",
			grouped(why.AsIs.Equal), grouped(why.AsIs.Compared), grouped(why.Chance))
	default:
		v.addNearest(&rows)
	}
	rows.print(out)
}

// text is a line of what to do. What a node says is the network's own.
func (r remedy) text(network bool) string {
	switch {
	case r.Ours == "" || r.Ours == r.Theirs:
		return r.Theirs
	case network:
		return r.Ours
	}
	return r.Theirs + "; if theirs is the network's own: " + r.Ours
}

// addExact adds the explanations that make all slots agree.
func (v *verdict) addExact(rows *labelled) {
	if len(v.Why.Hypotheses) == 0 {
		rows.add("why", "not known: mistakes are looked for in who leads, which is the same")
	}
	label := "why"
	for _, h := range v.Why.Hypotheses {
		rows.add(label, "%s, all %s agree", h.Text(), slotCount(h.Compared))
		label = "or"
		for _, m := range h.Mistakes {
			if r, ok := remedyOf(m, v.alternatives); ok {
				rows.add("what to do", "%s", r.text(v.Against.Format == formatNode))
			}
		}
		for i, c := range h.Identities {
			if i == mostShown {
				rows.add("", "and %s", counted(len(h.Identities)-i, "other", "others"))
				break
			}
			rows.add("", "%s", identityText(c))
		}
	}
}

// identityText says whose slots somebody else leads.
func identityText(c compare.IdentityChange) string {
	to := "somebody that it is not about"
	if c.To != nil {
		to = c.To.String()
	}
	if c.Key == c.From {
		return fmt.Sprintf("%v -> %s in %s", c.From, to, slotCount(uint64(c.Slots)))
	}
	return fmt.Sprintf("%v: %v -> %s in %s", c.Key, c.From, to, slotCount(uint64(c.Slots)))
}

// addNearest adds what is known when nothing explains all.
func (v *verdict) addNearest(rows *labelled) {
	why := v.Why
	rows.add("why", "no known mistake explains it, %s tried", counted(why.Tried, "schedule", "schedules"))
	if len(why.Hypotheses) == 0 && why.Drift == nil {
		rows.add("chance", "about %s would agree: it has other stakes, or another epoch, or draws in another way", slotCount(why.Chance))
	}
	if len(why.Hypotheses) > 0 {
		h := why.Hypotheses[0]
		rows.add("nearest", "%s: %s of %s agree, %s", h.Text(), grouped(h.Equal), slotCount(h.Compared), percent(h.Equal, h.Compared))
	}
	if why.Drift != nil {
		rows.add("draws", "%s", why.Drift.String())
	}
	if n := len(why.Unlisted); n > 0 {
		u := why.Unlisted[0]
		rows.add("not in stakes", "%s, such as %v with %s", counted(n, "leader", "leaders"), u.Key, slotCount(u.Slots))
	}
	if n := len(why.Absent); n > 0 {
		a := why.Absent[0]
		rows.add("never lead", "%s that ought to, such as %v in about %s", counted(n, "entry", "entries"), a.Entry.Key, slotCount(a.Expected))
	}
	rows.add("what to do", "compare the stakes: schedgen diff LIST OTHER-LIST")
}
