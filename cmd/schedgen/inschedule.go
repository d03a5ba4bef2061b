package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/schedgen/schedgen/leaders"
	"github.com/schedgen/schedgen/stakes/list"
)

const inScheduleLong = `Print in which epochs of a range identities or vote accounts lead slots: present,
absent, or unknown where no source has the schedule. A missing epoch is never taken
for one in which a key is absent.

A node has the schedules of the current epoch, the next one and a few past ones.

Exit status: 0 a key is present in at least one of the epochs; with --all, in each
of them; 1 it is known that this is not so; 2 an unknown epoch decides it, or
another error.`

const inScheduleExample = `  schedgen in-schedule --identity KEY --epochs 1040..1042 --rpc http://127.0.0.1:8899
  schedgen in-schedule --vote KEY --epochs 1041..1042 --all --stakes snapshot-SLOT-HASH.tar.zst`

type inScheduleFlags struct {
	bookFlags
	all    bool
	format string
}

func newInScheduleCommand() *cobra.Command {
	f := &inScheduleFlags{bookFlags: newBookFlags()}
	return f.command()
}

func (f *inScheduleFlags) command() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "in-schedule --identity KEY --epochs A..B",
		Short:   "Print in which epochs a validator leads slots",
		Long:    inScheduleLong,
		Example: inScheduleExample,
		Args:    noArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	f.addKeys(cmd)
	f.addSources(cmd, "epochs that are asked about, first and last included")
	flags.BoolVar(&f.all, "all", false, "the answer is yes only when a key is present in each of the epochs")
	flags.StringVar(&f.rpc, "rpc", "", "node at `URL` to ask for the schedules when neither --stakes nor --schedule is given")
	flags.StringVar(&f.format, "format", "text", "`FORMAT` of the output: text or json")
	return cmd
}

func (f *inScheduleFlags) run(cmd *cobra.Command) error {
	if err := checkAnswerFormat(f.format); err != nil {
		return err
	}
	first, last, limited := f.limits()
	switch {
	case !limited:
		return errors.New("no epochs: give --epochs A..B")
	case last-first >= leaders.MaxEpochs:
		return fmt.Errorf("--epochs: %d to %d are more than %d", first, last, leaders.MaxEpochs)
	}
	s, err := f.openShelf(cmd)
	if err != nil {
		return err
	}
	defer s.close()
	v, err := s.view(cmd.Context(), first, last)
	if err != nil {
		return err
	}
	p, err := v.InSchedule(s.keys, first, last)
	if err != nil {
		return err
	}
	a := inScheduleAnswer{frame: s.frame(v, timeline{}, f.now(), zoned{}), Presence: p}
	out := stdoutWriter{cmd.OutOrStdout()}
	if f.format == "json" {
		err = printJSON(out, &a)
	} else {
		err = a.print(out)
	}
	if err != nil {
		return err
	}
	return a.verdict(v, f.all)
}

// An inScheduleAnswer is the answer of in-schedule.
type inScheduleAnswer struct {
	frame
	*leaders.Presence
}

func (a *inScheduleAnswer) print(out stdoutWriter) error {
	if err := a.printAbout(out); err != nil {
		return err
	}
	if _, err := fmt.Fprintln(out); err != nil {
		return err
	}
	several := len(a.Keys) > 1
	t := table{left: []int{1, 3, 4, 5}}
	headings := []string{"epoch", "", "slots", "schedule", "why"}
	if several {
		headings = append(headings, "key")
	}
	t.add(headings...)
	for _, e := range a.Presence.Epochs {
		for _, k := range e.Keys {
			row := []string{fmt.Sprint(e.Epoch), string(k.Status), slotsText(k), vintageText(e.Vintage), whyText(e.Vintage, k)}
			if several {
				row = append(row, k.Key.Pubkey.String())
			}
			t.add(row...)
		}
	}
	return t.print(out)
}

// slotsText writes how many slots a key leads.
func slotsText(k leaders.KeyPresence) string {
	switch {
	case k.Status == leaders.Unknown:
		return "?"
	case k.UnknownSlots > 0:
		return "≥ " + grouped(k.Slots)
	}
	return grouped(k.Slots)
}

func vintageText(v list.Vintage) string {
	switch v {
	case "":
		return "missing"
	case list.VintageUnknown:
		return "unconfirmed"
	}
	return string(v)
}

func whyText(v list.Vintage, k leaders.KeyPresence) string {
	switch {
	case v == "":
		return "no source has it"
	case k.Why != "":
		return k.Why
	}
	return string(k.Reason)
}

// verdict is the answer as an exit code.
func (a *inScheduleAnswer) verdict(v *bookView, all bool) error {
	status, counts := a.Any, map[leaders.Status]int{}
	if all {
		status = a.All
	}
	for _, e := range a.Presence.Epochs {
		counts[e.Status]++
	}
	total := counted(len(a.Presence.Epochs), "epoch", "epochs")
	switch status {
	case leaders.Present:
		return nil
	case leaders.Absent:
		if all {
			return answerError(fmt.Sprintf("absent from %d of %s", counts[leaders.Absent], total))
		}
		return answerError(fmt.Sprintf("absent from all of %s", total))
	}
	i := slices.IndexFunc(a.Presence.Epochs, func(e leaders.EpochPresence) bool { return e.Status == leaders.Unknown })
	e := a.Presence.Epochs[i]
	k := e.Keys[slices.IndexFunc(e.Keys, func(k leaders.KeyPresence) bool { return k.Status == leaders.Unknown })]
	u := &leaders.UnknownError{Epoch: e.Epoch, Slot: e.FirstSlot, Why: k.Why}
	if e.Vintage != "" { // the schedule is there, and does not tell
		u.Key = &k.Key
	}
	return fmt.Errorf("%d of %s unknown: %w", counts[leaders.Unknown], total, v.unknown(u))
}
