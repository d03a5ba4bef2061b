package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/schedulefile"
	"github.com/schedgen/schedgen/slotclock"
	"github.com/schedgen/schedgen/stakes/electorate"
	"github.com/schedgen/schedgen/stakes/list"
)

// absolute reports whether a format prints absolute slots.
func absolute(format schedule.Format) bool {
	return format == schedulefile.FormatParquet || format.Absolute()
}

// checkColumns checks what only some formats take.
func (f *deriveFlags) checkColumns(cmd *cobra.Command) error {
	clock := f.rpc != "" || f.anchor != ""
	switch csv, parquet := f.format == string(schedule.FormatCSV), f.format == string(schedulefile.FormatParquet); {
	case cmd.Flags().Changed("columns") && !csv:
		return fmt.Errorf("--columns is for --format csv, not %s", f.format)
	case clock && !csv && !parquet:
		return fmt.Errorf("--format %s has no times, only csv and parquet have: leave --rpc and --anchor out", f.format)
	case parquet && f.output == "-" && isTerminal(cmd.OutOrStdout()):
		return errors.New("--format parquet is binary and not for a terminal, give a file with -o")
	case !cmd.Flags().Changed("columns"):
		return nil
	}
	if _, err := schedulefile.ParseColumns(f.columns); err != nil {
		return fmt.Errorf("--columns: %w", err)
	}
	return nil
}

// filler returns what writes the schedule in a format.
func (f *deriveFlags) filler(cmd *cobra.Command, s *schedule.Schedule, who *electorate.Electorate, format schedule.Format) (func(context.Context, io.Writer) error, error) {
	if err := f.sameCluster(cmd, who.List); err != nil {
		return nil, err
	}
	clock, err := f.clock(cmd)
	if err != nil {
		return nil, err
	}
	if clock != nil {
		note(cmd.ErrOrStderr(), "times are estimates, %s", clock.Basis)
	}
	options := schedulefile.Options{TimeOf: timesOf(clock), Identities: f.identities}
	switch {
	case format == schedulefile.FormatParquet:
		if options.Metadata, err = parquetMetadata(who, clock); err != nil {
			return nil, err
		}
		return func(_ context.Context, w io.Writer) error { return schedulefile.WriteParquet(w, s, options) }, nil
	case format == schedule.FormatCSV && (f.columns != "" || clock != nil):
		columns := append(schedulefile.DefaultColumns(), schedulefile.ColumnTime)
		if f.columns != "" {
			columns, err = schedulefile.ParseColumns(f.columns)
		}
		return func(_ context.Context, w io.Writer) error { return schedulefile.WriteCSV(w, s, columns, options) }, err
	}
	return func(_ context.Context, w io.Writer) error { return s.Write(w, format, f.identities...) }, nil
}

// timesOf returns when slots begin; nil where that is not known.
func timesOf(c *slotclock.Clock) func(schedule.Slot) time.Time {
	if c == nil {
		return nil
	}
	return func(slot schedule.Slot) time.Time { return c.TimeOf(slot).Time }
}

// Keys of the metadata beside those of package schedulefile.
const (
	metaProvenance = "schedgen.provenance" // of the stakes, in JSON
	metaAdmission  = "schedgen.admission"  // what SIMD-0357 left out
)

// parquetMetadata says in a file where its stakes and its times come from.
func parquetMetadata(who *electorate.Electorate, clock *slotclock.Clock) (map[string]string, error) {
	p, err := json.Marshal(who.List.Provenance)
	if err != nil {
		return nil, err
	}
	m := map[string]string{
		schedulefile.MetaProgram: "schedgen " + buildVersion(),
		schedulefile.MetaSource:  who.List.Title(),
		schedulefile.MetaVintage: string(who.List.Provenance.Vintage),
		schedulefile.MetaReason:  who.List.Provenance.Reason,
		metaProvenance:           string(p),
	}
	if who.Forced {
		m[schedulefile.MetaVintage], m[schedulefile.MetaReason] = string(list.VintageApproximate), "stakes of another epoch (--force-epoch)"
	}
	if text := who.Report.String(); text != "" {
		m[metaAdmission] = text
	}
	if clock != nil {
		m[schedulefile.MetaClock] = clock.Basis
	}
	return m, nil
}
