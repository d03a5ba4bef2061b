package main

import (
	"context"
	"fmt"
	"io"
	"math"

	"github.com/spf13/cobra"

	"github.com/schedgen/schedgen/internal/atomicfile"
	"github.com/schedgen/schedgen/stakes/csv"
	"github.com/schedgen/schedgen/stakes/json"
	"github.com/schedgen/schedgen/stakes/list"
)

const stakesConvertLong = `Write the stakes of one epoch in another form, without losing anything:

  json   with the epoch, the cluster, and where the stakes come from (see package
         stakes/json)
  csv    the same for spreadsheets; the first line, a comment, holds what columns
         cannot

A list that does not say which epoch it leads becomes one that does with --epoch.`

const stakesConvertExample = `  schedgen stakes convert snapshot-SLOT-HASH.tar.zst --epoch 1006 -o 1006.json
  schedgen stakes convert 1006.json --to csv -o 1006.csv
  schedgen stakes convert stakes.csv --epoch 900 -o 900.json`

type stakesConvertFlags struct {
	epoch  decimal
	to     string
	output string
}

func newStakesConvertCommand() *cobra.Command {
	f := &stakesConvertFlags{epoch: decimal{max: math.MaxUint64}}
	cmd := &cobra.Command{
		Use:     "convert SOURCE",
		Short:   "Write a stake list in another form",
		Long:    stakesConvertLong,
		Example: stakesConvertExample,
		Args:    sourceArgument,
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(cmd, args[0]) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.Var(&f.epoch, "epoch", "the stakes of this epoch, where the source holds several; what a list leads that does not say")
	flags.StringVar(&f.to, "to", "json", "`FORM` to write: json or csv")
	flags.StringVarP(&f.output, "output", "o", "-", "`FILE` to write, whole or not at all; - for standard output")
	return cmd
}

func (f *stakesConvertFlags) run(cmd *cobra.Command, source string) error {
	write, err := f.writer()
	if err != nil {
		return err
	}
	if f.output == "" {
		return fmt.Errorf("--output is empty, want a file, or - for standard output")
	}
	set, err := openStakes(cmd, source)
	if err != nil {
		return err
	}
	asked := cmd.Flags().Changed("epoch")
	l, err := oneList(set, f.epoch.value, asked)
	if err != nil {
		return err
	}
	converted := *l
	if asked && l.Provenance.Epoch == nil {
		converted.Provenance.Epoch = &f.epoch.value
		converted.Provenance.Reason = "the epoch was given by hand, the list does not say it"
	}
	for _, text := range l.Provenance.Notes {
		note(cmd.ErrOrStderr(), "%s: %s", l.Provenance.Source, text)
	}
	return writeOutput(cmd, f.output, func(_ context.Context, w io.Writer) error { return write(w, &converted) })
}

// writer returns what writes the form of --to.
func (f *stakesConvertFlags) writer() (func(io.Writer, *list.List) error, error) {
	switch f.to {
	case "json":
		return json.Write, nil
	case "csv":
		return csv.WriteList, nil
	}
	return nil, fmt.Errorf("--to: unknown form %q, want json or csv", f.to)
}

// writeOutput fills the file of an --output flag, of which Ctrl-C leaves no part,
// or standard output.
func writeOutput(cmd *cobra.Command, path string, fill func(context.Context, io.Writer) error) error {
	if path == "-" || path == "/dev/stdout" {
		return fill(cmd.Context(), stdoutWriter{cmd.OutOrStdout()})
	}
	ctx, stop := interruptible(cmd.Context())
	defer stop()
	return atomicfile.Write(path, func(w io.Writer) error {
		if err := fill(ctx, interruptibleWriter{ctx, w}); err != nil {
			return err
		}
		return interrupted(ctx)
	})
}
