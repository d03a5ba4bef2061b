package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"

	"github.com/spf13/cobra"

	"github.com/schedgen/schedgen/batch"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/admission"
	"github.com/schedgen/schedgen/stakes/electorate"
	"github.com/schedgen/schedgen/stakes/list"
)

const batchLong = `Derive the leader schedules of many epochs from one list of stakes, on all cores.

--stakes and what an epoch is are as for derive. With --keyed-by auto, each epoch
of a range that crosses the activation of SIMD-0180 gets its own keying.

Output:
  -o DIR    one file an epoch, as derive writes it: DIR/epoch-N.txt, .json, .csv,
            or .digest. DIR is made if it is not there.
  -o -      all epochs to standard output, in order:
              text          an empty line ends each epoch
              json          one JSON document after another
              json-compact, rpc, epoch-new
                            one line an epoch
              csv           one header; slots are absolute
              digest        lines of the epoch and its digest
  --format ranks -o FILE
            the ranks of all epochs and the stake list in one indexed file, of
            which one epoch can be read alone: 216 KB an epoch of mainnet-beta
  --counts [-o FILE]
            CSV of how often each validator leads, by stake descending:
            identity,vote_account,stake,epochs,rotations,slots over all epochs;
            --counts=epoch: epoch,identity,vote_account,stake,rotations,slots

Files are written whole or not at all. When it is interrupted or fails, the files
of finished epochs stay, and nothing else does.`

const batchExample = `  schedgen batch --epochs 900..999 --stakes example --format digest
  schedgen batch --epochs 900..909 --stakes stakes.csv --format json -o schedules
  schedgen batch --epochs 0..1999 --stakes stakes.csv --format ranks -o all.ranks
  schedgen batch --epochs 900..1899 --stakes stakes.csv --counts -o counts.csv`

// maxWorkers is the most that --workers takes, and its help says.
const maxWorkers = 256

// batchFlags are the flags of batch as they were given.
type batchFlags struct {
	epochFlags
	termsFlags
	stakes     string
	epochs     epochInterval
	identities pubkeys
	format     string
	counts     string
	workers    decimal
	output     string
}

func newBatchCommand() *cobra.Command {
	f := &batchFlags{workers: decimal{min: 1, max: maxWorkers}}
	cmd := &cobra.Command{
		Use:     "batch --epochs A..B --stakes FILE",
		Short:   "Derive the leader schedules of many epochs",
		Long:    batchLong,
		Example: batchExample,
		Args:    noArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.stakes, "stakes", "", stakesUsage)
	flags.Var(&f.epochs, "epochs", "epochs to derive, first and last included")
	f.epochFlags.add(cmd)
	f.termsFlags.add(cmd)
	flags.Var(&f.identities, "identity", "only the slots, or the counts, of this identity; may be repeated")
	flags.StringVar(&f.format, "format", string(schedule.FormatText), "`FORMAT` of the output: text, json, json-compact, rpc, csv, epoch-new, digest or ranks")
	flags.StringVar(&f.counts, "counts", "", "count the slots of each validator instead, over all epochs (`total`) or by epoch (epoch)")
	flags.Lookup("counts").NoOptDefVal = countsTotal
	flags.Var(&f.workers, "workers", "derive N epochs at a time, up to 256 (default: one for each core); memory grows with N, and more than there are cores gain nothing")
	flags.StringVarP(&f.output, "output", "o", "-", "directory or file to write, `PATH`; - for standard output")
	return cmd
}

// run checks all flags before it reads the stake list, and everything that can be
// wrong with an epoch before it opens the output.
func (f *batchFlags) run(cmd *cobra.Command) error {
	if err := f.checkGiven(cmd); err != nil {
		return err
	}
	if err := f.checkFormat(cmd); err != nil {
		return err
	}
	backend, err := backendFromEnvironment()
	if err != nil {
		return err
	}
	plan, err := f.plan(cmd)
	if err != nil {
		return err
	}
	set, err := openStakes(cmd, f.stakes)
	if err != nil {
		return err
	}
	if plan, err = plan.adopt(&set.Lists[0].Provenance, cmd.ErrOrStderr()); err != nil {
		return err
	}
	b := batchRun{f: f, plan: plan, backend: string(backend), stderr: cmd.ErrOrStderr(), progress: newProgress(cmd.ErrOrStderr(), "epochs")}
	if err := b.checkEpochs(); err != nil {
		return err
	}
	if err := b.elect(set); err != nil {
		return err
	}
	ctx, stop := interruptible(cmd.Context())
	defer stop()
	defer b.progress.clear()
	return b.write(ctx, cmd.OutOrStdout())
}

func (f *batchFlags) checkGiven(cmd *cobra.Command) error {
	switch flags := cmd.Flags(); {
	case f.stakes == "":
		return errNoStakes
	case !flags.Changed("epochs"):
		return errors.New("no epochs: give --epochs A..B")
	case f.output == "":
		return errors.New("--output is empty, want a directory or a file, or - for standard output")
	case flags.Changed("counts") && f.counts != countsTotal && f.counts != countsByEpoch:
		return fmt.Errorf("--counts: want %s or %s, not %q", countsTotal, countsByEpoch, f.counts)
	case flags.Changed("counts") && flags.Changed("format"):
		return errors.New("--counts and --format both say what to write, give one of them")
	}
	return errors.Join(f.checkKeyedBy(), f.termsFlags.check())
}

func (f *batchFlags) checkFormat(cmd *cobra.Command) error {
	switch {
	case f.counts != "":
		return nil
	case f.format == formatRanks && len(f.identities) > 0:
		return fmt.Errorf("--identity with --format %s: %w", f.format, schedule.ErrFormatFilter)
	case f.format == formatRanks && f.toStdout() && isTerminal(cmd.OutOrStdout()):
		return errors.New("--format ranks is binary and not for a terminal, give a file with -o")
	case f.format == formatRanks:
		return nil
	}
	format, err := schedule.ParseFormat(f.format)
	switch {
	case err != nil:
		return fmt.Errorf("--format: %w, or %s", err, formatRanks)
	case len(f.identities) > 0 && !format.Filters():
		return fmt.Errorf("--identity with --format %s: %w", format, schedule.ErrFormatFilter)
	case format == schedule.FormatEpochNew && f.repeat.value != schedule.DefaultRepeat:
		return fmt.Errorf("--repeat with --format %s: %w", format, schedule.ErrFormatRepeat)
	}
	return nil
}

func (f *batchFlags) toStdout() bool { return f.output == "-" || f.output == "/dev/stdout" }

// absolute reports whether the output has absolute slots.
func (f *batchFlags) absolute() bool {
	return f.counts == "" && schedule.Format(f.format).Absolute()
}

// A batchRun is one run of batch.
type batchRun struct {
	f        *batchFlags
	plan     epochPlan
	backend  string
	stderr   io.Writer
	elector  *electorate.Elector
	failed   error // why jobs ended before the last epoch
	progress *progress
}

// checkEpochs finds what can be wrong with the first and the last epoch, between
// which all others lie.
func (b *batchRun) checkEpochs() error {
	for _, epoch := range []uint64{b.f.epochs.first, b.f.epochs.last} {
		if _, err := b.plan.at(epoch).firstSlot(b.f.absolute(), b.f.format, "rpc, digest and --counts"); err != nil {
			return fmt.Errorf("--epochs: epoch %w", err)
		}
		if err := b.params(epoch).Check(); err != nil {
			return fmt.Errorf("--epochs: epoch %d: %w", epoch, err)
		}
	}
	return nil
}

// params places an epoch; checkEpochs has seen that this can be done.
func (b *batchRun) params(epoch uint64) schedule.Params {
	place := b.plan.at(epoch)
	p := schedule.Params{Epoch: epoch, Slots: place.slots, Repeat: int(b.f.repeat.value), Backend: b.backend}
	if place.fits {
		p.FirstSlot = place.first
	}
	return p
}

// elect finds what can be wrong with the stakes of any epoch.
func (b *batchRun) elect(set *list.Set) error {
	first, last := b.f.epochs.first, b.f.epochs.last
	b.elector = b.f.elector(set, &b.f.epochFlags, b.plan)
	epochs := append(set.Epochs(), first, last)
	if epoch, missing := missingEpoch(set, first, last); missing {
		epochs = append(epochs, epoch)
	}
	if admitted, known := admission.FirstEpoch(b.plan.cluster); known {
		epochs = append(epochs, admitted)
	}
	slices.Sort(epochs)
	said := map[string]bool{}
	for _, epoch := range slices.Compact(epochs) {
		if epoch < first || epoch > last {
			continue
		}
		who, err := b.elector.For(epoch)
		if err != nil {
			return electorateError(err, b.plan)
		}
		if epoch == first {
			noteCluster(b.stderr, &who.List.Provenance, b.plan)
			noteIdentities(b.stderr, who.Admitted.Entries, b.f.identities)
		}
		if epoch == last {
			b.f.noteKeying(b.stderr, who.List.HasVotes, b.plan, epoch)
		}
		for _, text := range aboutElectorate(who) {
			if !said[text] {
				note(b.stderr, "epoch %d: %s", epoch, text)
			}
			said[text] = true
		}
	}
	return nil
}

// jobs yields the job of every epoch.
func (b *batchRun) jobs() iter.Seq[batch.Job] {
	return func(yield func(batch.Job) bool) {
		for epoch := b.f.epochs.first; epoch <= b.f.epochs.last; epoch++ {
			who, err := b.elector.For(epoch)
			if err != nil {
				b.failed = electorateError(err, b.plan)
				return
			}
			if !yield(batch.Job{Stakes: who.Stakes, Params: b.params(epoch)}) || epoch == math.MaxUint64 {
				return
			}
		}
	}
}

// derive sends the results of all epochs to a sink.
func (b *batchRun) derive(ctx context.Context, s sink) error {
	pool := batch.Pool{Workers: int(b.f.workers.value)}
	total, done := b.f.epochs.count(), uint64(0)
	for r, err := range pool.Derive(ctx, b.jobs(), s.options()) {
		switch {
		case err != nil && ctx.Err() != nil:
			return fmt.Errorf("interrupted at epoch %d, after %d of %d", b.f.epochs.first+done, done, total)
		case err != nil:
			return err
		}
		if err := s.add(&r); err != nil {
			return err
		}
		done++
		b.progress.show(done, total)
	}
	b.progress.clear()
	if b.failed != nil {
		return b.failed
	}
	return s.finish()
}
