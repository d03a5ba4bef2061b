package main

import (
	"fmt"
	"io"
	"math/big"
	"strings"

	"github.com/spf13/cobra"

	"github.com/schedgen/schedgen/compare"
)

// A scheduleDiff is the answer of diff for schedules.
type scheduleDiff struct {
	Kind  string `json:"kind"` // schedules
	Equal bool   `json:"equal"`
	// Complete: every slot of both was compared.
	Complete bool                `json:"complete"`
	A        shownOther          `json:"a"`
	B        shownOther          `json:"b"`
	Compared *compare.Difference `json:"difference"`
	Notes    []string            `json:"notes"`

	a, b *otherSide
}

func (f *diffFlags) diffSchedules(cmd *cobra.Command, a, b *operand) error {
	for _, o := range []*operand{a, b} {
		if err := o.checkEpoch(); err != nil {
			return err
		}
		if o.side.Leaders == nil && len(f.identities) > 0 {
			return fmt.Errorf("--identity: %s is the digest of a whole schedule", o.side.Name)
		}
	}
	sideA, sideB := a.side.Side, b.side.Side
	if sideA.Name == sideB.Name { // in notes
		sideA.Name, sideB.Name = "A, "+sideA.Name+",", "B"
	}
	d, err := compare.Schedules(sideA, sideB)
	if err != nil {
		return err
	}
	nobody := nobodyLeads(d)
	if k := d.Identities; k != nil && len(f.identities) > 0 { // both sides are limited
		nobody = k.Compared+k.OnlyA+k.OnlyB == 0
	}
	if k := d.Identities; k != nil && k.Compared == 0 && !nobody {
		return fmt.Errorf("%s and %s: nothing to compare: there is no slot of which both name the leader", a.title(), b.title())
	}
	answer := &scheduleDiff{
		Kind: "schedules", Equal: d.Equal() || nobody, Complete: d.Complete(),
		A: showOther(a.side), B: showOther(b.side), Compared: d,
		Notes: append(append([]string{}, a.side.notes...), b.side.notes...), a: a.side, b: b.side,
	}
	if d.Alignment != nil {
		answer.Notes = append(answer.Notes, d.Alignment.Notes...)
	}
	if err := f.write(cmd, answer, answer.Notes, answer.Equal); err != nil {
		return err
	}
	if !answer.Complete && !f.partial && len(f.identities) == 0 {
		return answerError("they are not both whole; --partial, or --identity KEY, takes a part that agrees for equal")
	}
	return nil
}

// checkEpoch compares the epoch that was asked for with that of the side.
func (o *operand) checkEpoch() error {
	switch {
	case o.epoch == nil:
	case o.side.Epoch == nil:
		o.side.Epoch = o.epoch
	case *o.side.Epoch != *o.epoch:
		return fmt.Errorf("%s %d: %s is of epoch %d", o.flag, *o.epoch, o.side.Name, *o.side.Epoch)
	}
	return nil
}

// An answer can be printed for people.
type answer interface {
	print(w io.Writer, top int) error
}

// write prints an answer of diff. The error is an answerError when it is no.
func (f *diffFlags) write(cmd *cobra.Command, a answer, notes []string, equal bool) error {
	for _, text := range notes {
		note(cmd.ErrOrStderr(), "%s", text)
	}
	out := stdoutWriter{cmd.OutOrStdout()}
	var err error
	if f.format == "json" {
		err = printJSON(out, a)
	} else {
		err = a.print(out, int(f.top.value))
	}
	if err == nil && !equal {
		err = answerError("they differ")
	}
	return err
}

func (s *scheduleDiff) print(out io.Writer, top int) error {
	var b strings.Builder
	if s.Equal {
		fmt.Fprintln(&b, s.equalText())
	} else {
		fmt.Fprintf(&b, "differs: %s\n\n", s.headline())
		var rows labelled
		rows.add("A", "%s", describe(s.a))
		rows.add("B", "%s", describe(s.b))
		s.first(&rows)
		rows.print(&b)
	}
	if k := s.Compared.Identities; k != nil {
		what := "identity"
		if k.Different == 0 && s.Compared.Votes != nil {
			k, what = s.Compared.Votes, "vote account"
		}
		printSlotChanges(&b, k, what, top)
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func (s *scheduleDiff) equalText() string {
	k := s.Compared.Identities
	switch {
	case k == nil:
		return "equal: the digests are the same"
	case s.Complete:
		return "equal: " + slotCount(k.Compared)
	case k.Compared == 0:
		return "equal as far as they go: none of those that they are limited to leads a slot"
	}
	return fmt.Sprintf("equal as far as they go: %s compared", slotCount(k.Compared))
}

func (s *scheduleDiff) headline() string {
	k, votes := s.Compared.Identities, s.Compared.Votes
	switch {
	case k == nil:
		return "the digests are not the same"
	case k.Different > 0:
		return fmt.Sprintf("%s of %s compared, %s", grouped(k.Different), slotCount(k.Compared), percent(k.Different, k.Compared))
	case votes != nil && votes.Different > 0:
		return fmt.Sprintf("the same leaders, and other vote accounts in %s of %s", grouped(votes.Different), slotCount(votes.Compared))
	}
	return "the same leaders under other slot numbers"
}

// describe says in a line what a side is.
func describe(s *otherSide) string {
	text := fmt.Sprintf("%s (%s)", s.Name, s.format)
	if s.Epoch != nil {
		text += fmt.Sprintf(", epoch %d", *s.Epoch)
	}
	if s.Leaders == nil {
		return text
	}
	text += ", " + slotCount(s.Leaders.Slots())
	if s.FirstSlot != nil {
		text += fmt.Sprintf(" from %d", *s.FirstSlot)
	}
	return text
}

// first shows the first slot that differs.
func (s *scheduleDiff) first(rows *labelled) {
	k := s.Compared.Identities
	if k == nil || k.First == nil {
		return
	}
	where := "index " + grouped(uint64(k.First.Index))
	if k.First.Slot != nil {
		where = fmt.Sprintf("slot %d, %s", *k.First.Slot, where)
	}
	rows.add("first", "%s", where)
	rows.add("", "%s in A", keyOrNobody(k.First.A))
	rows.add("", "%s in B", keyOrNobody(k.First.B))
}

// printSlotChanges writes who leads other slots.
func printSlotChanges(out *strings.Builder, k *compare.Keys, what string, top int) {
	if len(k.Changes) == 0 {
		return
	}
	shown := k.Changes
	if top > 0 {
		shown = shown[:min(top, len(shown))]
	}
	out.WriteByte('\n')
	t := table{left: []int{0}}
	t.add(what, "A", "B", "change", "change %")
	for _, c := range shown {
		change := big.NewInt(c.Net())
		t.add(c.Key.String(), grouped(c.A), grouped(c.B), signed(c.Net()), percentChange(change, new(big.Int).SetUint64(c.A)))
	}
	if more := moreText(len(k.Changes) - len(shown)); more != "" {
		t.add(more)
	}
	_ = t.print(out)
	var gained, lost, moved int
	for _, c := range k.Changes {
		switch net := c.Net(); {
		case net > 0:
			gained++
		case net < 0:
			lost++
		default:
			moved++
		}
	}
	many := map[string]string{"identity": "identities", "vote account": "vote accounts"}[what]
	fmt.Fprintf(out, "\n%s gained slots, %s lost some, %s as many others\n", counted(gained, what, many), grouped(uint64(lost)), leadNow(moved))
}

func leadNow(n int) string {
	if n == 1 {
		return "1 leads"
	}
	return grouped(uint64(n)) + " lead"
}

func moreText(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf("and %s more (--top 0 prints all)", grouped(uint64(n)))
}
