package main

import (
	"errors"
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/schedule"
)

const diffLong = `Compare two leader schedules, or two stake lists, and print who gained and who lost
slots or stake, the most first.

What A and B are, their content tells: a schedule in any format that verify takes
(but bare ranks, which need a stake list), or any source of stakes. --schedules and --stakes say it where that is needed: for
two nodes (by default their schedules are compared), or an epoch.new message,
which holds both.

A source with several epochs needs --epoch, or --epoch-a and --epoch-b: the same
snapshot may be given twice. Schedules of different epochs are compared by index.

Exit status: 0 equal, 1 they differ, 2 an error, or nothing to compare.`

const diffExample = `  schedgen diff ours.json theirs.json
  schedgen diff schedule.json http://127.0.0.1:8899
  schedgen diff old.csv new.csv --top 0
  schedgen diff snapshot.tar.zst snapshot.tar.zst --epoch-a 1005 --epoch-b 1006
  schedgen diff stakes.csv http://127.0.0.1:8899 --identity KEY`

type diffFlags struct {
	identities     pubkeys
	top            decimal
	epoch          decimal
	epochA, epochB decimal
	schedules      bool
	stakes         bool
	partial        bool
	keyedBy        string
	format         string

	options noderpc.Options // how nodes are asked
}

func newDiffCommand() *cobra.Command {
	f := &diffFlags{}
	return f.command()
}

func (f *diffFlags) command() *cobra.Command {
	f.top = decimal{value: 20, max: math.MaxInt32}
	for _, epoch := range []*decimal{&f.epoch, &f.epochA, &f.epochB} {
		epoch.max = math.MaxUint64
	}
	cmd := &cobra.Command{
		Use:     "diff A B",
		Short:   "Compare two schedules, or two stake lists",
		Long:    diffLong,
		Example: diffExample,
		Args:    twoArguments,
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(cmd, args) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.Var(&f.identities, "identity", "only what is of this identity, or vote account in stake lists; may be repeated")
	flags.Var(&f.top, "top", "how many of those with the greatest changes to print; 0 for all")
	flags.Var(&f.epoch, "epoch", "epoch of both")
	flags.Var(&f.epochA, "epoch-a", "epoch of A, where it is another one")
	flags.Var(&f.epochB, "epoch-b", "epoch of B, where it is another one")
	flags.BoolVar(&f.schedules, "schedules", false, "take A and B as schedules")
	flags.BoolVar(&f.stakes, "stakes", false, "take A and B as stake lists")
	flags.BoolVar(&f.partial, "partial", false, "take a part of a schedule that agrees for equal")
	flags.StringVar(&f.keyedBy, "keyed-by", "", "compare stakes by vote account or by identity, `KEYING`: vote or identity (default: by vote account where both lists have them)")
	flags.StringVar(&f.format, "format", "text", "`FORMAT` of the output: text or json")
	return cmd
}

func twoArguments(cmd *cobra.Command, args []string) error {
	if len(args) != 2 || args[0] == "" || args[1] == "" {
		return fmt.Errorf("%s takes two schedules or two stake lists, A and B (see %s --help)", cmd.Name(), cmd.CommandPath())
	}
	return nil
}

func (f *diffFlags) run(cmd *cobra.Command, args []string) error {
	if err := f.check(args); err != nil {
		return err
	}
	a, b := f.operand(cmd, args[0], "epoch-a"), f.operand(cmd, args[1], "epoch-b")
	r := operandReader{f: f, stdin: cmd.InOrStdin()}
	if err := r.openBoth(cmd.Context(), a, b); err != nil {
		return err
	}
	if a.set != nil {
		return f.diffStakes(cmd, a, b)
	}
	return f.diffSchedules(cmd, a, b)
}

func (f *diffFlags) check(args []string) error {
	switch {
	case args[0] == "-" && args[1] == "-":
		return errors.New("standard input can be read once, give - once")
	case f.schedules && f.stakes:
		return errors.New("--schedules and --stakes both say what A and B are, give one of them")
	case f.keyedBy != "" && f.schedules:
		return errors.New("--keyed-by is for stake lists")
	}
	if f.keyedBy != "" {
		if _, err := schedule.ParseKeying(f.keyedBy); err != nil {
			return fmt.Errorf("--keyed-by: %w", err)
		}
	}
	return checkAnswerFormat(f.format)
}

// operand returns A or B, of which nothing is known yet but which epoch is meant.
func (f *diffFlags) operand(cmd *cobra.Command, name, flag string) *operand {
	o := &operand{name: name, kind: unknownKind, flag: "--" + flag}
	switch changed := cmd.Flags().Changed; {
	case flag == "epoch-a" && changed(flag):
		o.epoch = &f.epochA.value
	case flag == "epoch-b" && changed(flag):
		o.epoch = &f.epochB.value
	case changed("epoch"):
		o.epoch, o.flag = &f.epoch.value, "--epoch"
	}
	switch {
	case f.schedules:
		o.kind = scheduleKind
	case f.stakes:
		o.kind = stakesKind
	}
	return o
}

// wanted returns the set of the identities of --identity; nil for all.
func (f *diffFlags) wanted() map[schedule.Pubkey]bool {
	if len(f.identities) == 0 {
		return nil
	}
	set := make(map[schedule.Pubkey]bool, len(f.identities))
	for _, key := range f.identities {
		set[key] = true
	}
	return set
}
