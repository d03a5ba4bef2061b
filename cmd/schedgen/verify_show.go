package main

import (
	"encoding/hex"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/schedgen/schedgen/compare"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
)

// A verdict is the answer of verify.
type verdict struct {
	Equal bool `json:"equal"` // as far as the other side goes
	// Complete: every slot of the epoch was compared.
	Complete  bool                 `json:"complete"`
	Epoch     uint64               `json:"epoch"`
	FirstSlot schedule.Slot        `json:"firstSlot"`
	Slots     uint64               `json:"slots"`
	Cluster   string               `json:"cluster,omitempty"`
	KeyedBy   string               `json:"keyedBy"`
	Digest    string               `json:"digest"` // of the derived schedule
	Stakes    list.Provenance      `json:"stakes"`
	Against   shownOther           `json:"against"`
	Compared  *compare.Difference  `json:"difference"`
	Why       *compare.Explanation `json:"explanation,omitempty"`
	// Remedies say what to do about the mistakes of an exact explanation.
	Remedies []remedy `json:"remedies,omitempty"`
	Notes    []string `json:"notes"`

	stakes       string // title of the list
	alternatives []alternative
}

// A shownOther is what the other side is.
type shownOther struct {
	Name   string `json:"name"`
	Format string `json:"format"`
	Digest string `json:"digest,omitempty"` // where it has nothing else
	// Limited is whose slots alone it has.
	Limited []schedule.Pubkey `json:"limitedTo,omitempty"`
}

func showOther(s *otherSide) shownOther {
	shown := shownOther{Name: s.Name, Format: s.format, Limited: s.Only}
	if s.Leaders == nil {
		shown.Digest = hex.EncodeToString(s.Digest[:])
	}
	return shown
}

func newVerdict(ours *ownSide, theirs *otherSide, d *compare.Difference) *verdict {
	sum := ours.schedule.Digest()
	v := &verdict{
		Equal: d.Equal() || nobodyLeads(d), Complete: d.Complete(),
		Epoch: ours.params.Epoch, FirstSlot: ours.params.FirstSlot, Slots: ours.params.Slots,
		Cluster: ours.plan.cluster, KeyedBy: ours.who.Stakes.Keying().String(), Digest: hex.EncodeToString(sum[:]),
		Stakes: ours.who.List.Provenance, Against: showOther(theirs), Compared: d, Notes: append([]string{}, theirs.notes...),
		stakes: ours.who.List.Title(),
	}
	if d.Alignment != nil {
		v.Notes = append(v.Notes, d.Alignment.Notes...)
	}
	if v.Equal && !v.Complete && len(theirs.Only) == 0 {
		k := d.Identities
		v.Notes = append(v.Notes, fmt.Sprintf("not compared: %s; --identity says whose slots alone a schedule has",
			slotCount(k.OnlyA+k.OnlyB+k.Unknown)))
	}
	return v
}

// nobodyLeads reports whether two sides agree that those whom one is limited to
// lead no slot.
func nobodyLeads(d *compare.Difference) bool {
	k := d.Identities
	return k != nil && !d.Alignment.OtherSlots && k.Compared+k.OnlyA+k.OnlyB+k.Unknown == 0 && k.LeftOut > 0
}

// overlap returns an error when there is nothing to compare: no slot in common, or
// the slots of another epoch.
func (v *verdict) overlap(theirs *otherSide) error {
	k := v.Compared.Identities
	if k == nil || nobodyLeads(v.Compared) {
		return nil
	}
	elsewhere := v.Compared.Alignment.OtherSlots && v.Compared.Alignment.Matching == compare.ByIndex &&
		theirs.FirstSlot != nil && *theirs.FirstSlot != 0 && k.Different > 0
	slots := theirs.Leaders.Slots()
	switch {
	case k.Compared > 0 && !elsewhere:
		return nil
	case slots == 0:
		return fmt.Errorf("%s: it has no slots to compare; if it is about a leader without any, say which one with --identity", theirs.Name)
	case elsewhere:
		return fmt.Errorf("%s: it has the slots from %d to %d, and none of epoch %d, which has those from %d to %d",
			theirs.Name, *theirs.FirstSlot, uint64(*theirs.FirstSlot)+slots-1, v.Epoch, v.FirstSlot, uint64(v.FirstSlot)+v.Slots-1)
	}
	return fmt.Errorf("%s: nothing to compare: it names nobody for a slot of epoch %d", theirs.Name, v.Epoch)
}

// write prints the verdict. The error is an answerError when the schedules differ.
func (v *verdict) write(cmd *cobra.Command, f *verifyFlags) error {
	for _, text := range v.Notes {
		note(cmd.ErrOrStderr(), "%s", text)
	}
	out := stdoutWriter{cmd.OutOrStdout()}
	var err error
	switch {
	case f.format == "json":
		err = printJSON(out, v)
	case v.Equal:
		_, err = fmt.Fprintln(out, v.equalText())
	default:
		err = v.print(out, f.explain)
	}
	switch whole := v.Complete || f.partial || len(f.identities) > 0; {
	case err == nil && v.Equal && !whole:
		err = answerError(v.Against.Name + " is not the whole schedule; --partial, or --identity KEY, takes a part that agrees for equal")
	case err == nil && !v.Equal:
		err = answerError(fmt.Sprintf("%s is not the schedule of epoch %d", v.Against.Name, v.Epoch))
	}
	return err
}

// equalText is the one line of a comparison without difference.
func (v *verdict) equalText() string {
	k := v.Compared.Identities
	switch {
	case v.Complete:
		votes := ""
		if v.Compared.Votes != nil {
			votes = ", vote accounts too"
		}
		return fmt.Sprintf("equal: %s, digest %s%s", slotCount(v.Slots), v.Digest, votes)
	case k.Compared == 0:
		return "equal as far as it goes: none of those that it is limited to leads a slot"
	}
	what := fmt.Sprintf("%s of %s compared", grouped(k.Compared), slotCount(v.Slots))
	if k.OnlyA+k.OnlyB+k.Unknown == 0 {
		what += ", all of those that it is about"
	}
	return "equal as far as it goes: " + what
}

// print writes what differs, for people.
func (v *verdict) print(out io.Writer, explained bool) error {
	var b strings.Builder
	if v.Compared.Digests != nil {
		fmt.Fprintf(&b, "differs: the digest\n\n")
		var rows labelled
		v.about(&rows)
		rows.add("derived", "%s", v.Digest)
		rows.add("theirs", "%s", v.Against.Digest)
		if explained {
			rows.add("why", "a digest does not tell: give the slots to --against")
		}
		rows.print(&b)
		_, err := io.WriteString(out, b.String())
		return err
	}
	fmt.Fprintf(&b, "differs: %s\n\n", v.headline())
	var rows labelled
	v.about(&rows)
	v.counts(&rows)
	v.first(&rows)
	rows.print(&b)
	v.leaders(&b)
	switch {
	case v.Why != nil:
		b.WriteByte('\n')
		v.printWhy(&b)
	case !explained:
		b.WriteString("\n--explain looks for the mistake that makes the difference\n")
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// headline says in a few words what differs.
func (v *verdict) headline() string {
	k, votes := v.Compared.Identities, v.Compared.Votes
	switch {
	case k.Different > 0:
		return fmt.Sprintf("%s of %s compared", grouped(k.Different), slotCount(k.Compared))
	case v.Compared.Alignment.OtherSlots:
		return "the same leaders under other slot numbers"
	}
	return fmt.Sprintf("the same leaders, and other vote accounts in %s of %s", grouped(votes.Different), slotCount(votes.Compared))
}

// about says what was compared with what.
func (v *verdict) about(rows *labelled) {
	of := ""
	if v.Cluster != "" {
		of = " of " + v.Cluster
	}
	rows.add("epoch", "%d%s, slots %d to %d, keyed by %s", v.Epoch, of, v.FirstSlot, uint64(v.FirstSlot)+v.Slots-1, keyOf(v.KeyedBy))
	rows.add("stakes", "%s, %s", v.stakes, vintageOf(&v.Stakes))
	rows.add("against", "%s (%s)", v.Against.Name, v.Against.Format)
}

// keyOf is what entries of a keying stand for.
func keyOf(keying string) string {
	if keying == schedule.KeyedByVote.String() {
		return "vote account"
	}
	return keying
}

// vintageOf says in a few words what stakes are worth.
func vintageOf(p *list.Provenance) string {
	if p.Vintage == list.VintageUnknown {
		return "not known to be exact"
	}
	return string(p.Vintage)
}

// counts says how much was compared, and what was not.
func (v *verdict) counts(rows *labelled) {
	k, by := v.Compared.Identities, "number"
	if v.Compared.Alignment.Matching == compare.ByIndex {
		by = "index"
	}
	rows.add("compared", "%s, matched by %s: %s agree, %s", slotCount(k.Compared), by, grouped(k.Equal), percent(k.Equal, k.Compared))
	for _, c := range []struct {
		n    uint64
		text string
	}{
		{k.OnlyA, "%s that theirs does not have"},
		{k.OnlyB, "%s that theirs has beyond the epoch"},
		{k.LeftOut, "%s of leaders that theirs is not about"},
		{k.Unknown, "%s without a leader"},
	} {
		if c.n > 0 {
			rows.add("not compared", c.text, slotCount(c.n))
		}
	}
	if votes := v.Compared.Votes; votes != nil && k.Different > 0 {
		rows.add("vote accounts", "%s of %s agree", grouped(votes.Equal), slotCount(votes.Compared))
	}
}

// first shows the first slot that differs.
func (v *verdict) first(rows *labelled) {
	first := v.Compared.Identities.First
	if first == nil && v.Compared.Votes != nil {
		first = v.Compared.Votes.First
	}
	if first == nil {
		return
	}
	where := fmt.Sprintf("index %s, rotation %s", grouped(uint64(first.Index)), grouped(first.Rotation))
	if first.Slot != nil {
		where = fmt.Sprintf("slot %d, %s", *first.Slot, where)
	}
	rows.add("first", "%s", where)
	rows.add("derived", "%s", keyOrNobody(first.A))
	rows.add("theirs", "%s", keyOrNobody(first.B))
}

func keyOrNobody(key *schedule.Pubkey) string {
	if key == nil {
		return "none of those that it is about"
	}
	return key.String()
}

// mostShown is how many leaders are listed of those whose slots differ.
const mostShown = 5

// leaders lists whose slots differ most.
func (v *verdict) leaders(out *strings.Builder) {
	k, what := v.Compared.Identities, "leader"
	if k.Different == 0 && v.Compared.Votes != nil {
		k, what = v.Compared.Votes, "vote account"
	}
	if len(k.Changes) == 0 {
		return
	}
	out.WriteByte('\n')
	t := table{left: []int{0}}
	t.add(what, "derived", "theirs", "change")
	for _, c := range k.Changes[:min(len(k.Changes), mostShown)] {
		t.add(c.Key.String(), grouped(c.A), grouped(c.B), signed(c.Net()))
	}
	_ = t.print(out)
	if more := len(k.Changes) - mostShown; more > 0 {
		fmt.Fprintf(out, "and %s with other slots\n", counted(more, what, what+"s"))
	}
}
