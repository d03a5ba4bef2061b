package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/spf13/cobra"

	"github.com/schedgen/schedgen/internal/cpu"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/schedulefile"
	"github.com/schedgen/schedgen/stakes/electorate"
)

const deriveLong = `Derive the leader schedule of one epoch from a list of stakes.

The stakes are those in the epoch stakes of the epoch: as they were at the first
slot of the epoch before it. --stakes takes a snapshot archive, genesis.bin or its
archive, a saved getVoteAccounts reply, other JSON or CSV in lamports, or the
address of a node, whose stakes are those of the next epoch, and exact only at the
first slot of this one.

Since epoch 842 of mainnet-beta and epoch 830 of testnet a schedule is keyed by
vote account (SIMD-0180), before by identity. --keyed-by auto knows this for the
two clusters; a list without vote accounts is taken as it is.

Formats:
  text, json, json-compact   as "solana leader-schedule" prints them
  rpc                        the result of getLeaderSchedule
  csv                        slot,slot_index,leader,vote_account
  epoch-new                  the epoch.new message of Firedancer's WebSocket API
  digest                     SHA-256 over the 32-byte leader of every slot
  parquet                    all columns of --columns, and where the stakes come from

The estimated time of a slot, in csv and parquet, needs --rpc, or --anchor and
--slot-duration.`

const deriveExample = `  schedgen derive --stakes example --epoch 900
  schedgen derive --stakes stakes.csv --epoch 900 --format json -o schedule.json
  schedgen derive --stakes snapshot-SLOT-HASH.tar.zst --epoch 1006 --format parquet -o 1006.parquet
  schedgen derive --stakes - --epoch 763 --cluster testnet < stakes.csv
  schedgen derive --stakes stakes.csv --epoch 5 --epoch-schedule slots=8192,warmup --keyed-by vote`

// deriveFlags are the flags of derive as they were given.
type deriveFlags struct {
	epochFlags
	termsFlags
	clockFlags
	columns    string
	stakes     string
	epoch      decimal
	identities pubkeys
	format     string
	output     string
}

func newDeriveCommand() *cobra.Command {
	f := &deriveFlags{epoch: decimal{max: math.MaxUint64}}
	cmd := &cobra.Command{
		Use:     "derive --stakes FILE --epoch N",
		Short:   "Derive the leader schedule of an epoch from a stake list",
		Long:    deriveLong,
		Example: deriveExample,
		Args:    noArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.stakes, "stakes", "", stakesUsage)
	flags.Var(&f.epoch, "epoch", "epoch to derive")
	f.epochFlags.add(cmd)
	f.termsFlags.add(cmd)
	flags.Var(&f.identities, "identity", "print the slots of this identity only; may be repeated")
	flags.StringVar(&f.format, "format", string(schedule.FormatText), "`FORMAT` of the output: text, json, json-compact, rpc, csv, epoch-new, digest or parquet")
	flags.StringVar(&f.columns, "columns", "", "columns of --format csv, `NAMES`: all, or some of slot, slot_index, rotation, leader, vote_account, time")
	f.clockFlags.add(cmd)
	flags.StringVarP(&f.output, "output", "o", "-", "`FILE` to write, whole or not at all; - for standard output")
	return cmd
}

// run checks all flags before it reads the stake list, and opens the output only
// when there is a schedule to write.
func (f *deriveFlags) run(cmd *cobra.Command) error {
	format, err := f.checkedFormat(cmd)
	if err != nil {
		return err
	}
	plan, err := f.plan(cmd)
	if err != nil {
		return err
	}
	backend, err := backendFromEnvironment()
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
	params, err := f.params(plan, format)
	if err != nil {
		return err
	}
	params.Backend = string(backend)
	who, err := f.elector(set, &f.epochFlags, plan).For(params.Epoch)
	if err != nil {
		return electorateError(err, plan)
	}
	s, err := schedule.Derive(who.Stakes, params)
	if err != nil {
		return err
	}
	f.note(cmd.ErrOrStderr(), who, plan)
	fill, err := f.filler(cmd, s, who, format)
	if err != nil {
		return err
	}
	return writeOutput(cmd, f.output, fill)
}

// params places the epoch.
func (f *deriveFlags) params(plan epochPlan, format schedule.Format) (schedule.Params, error) {
	place := plan.at(f.epoch.value)
	p := schedule.Params{Epoch: place.epoch, Slots: place.slots, Repeat: int(f.repeat.value)}
	var err error
	if p.FirstSlot, err = place.firstSlot(absolute(format), string(format), "rpc and digest"); err != nil {
		return p, fmt.Errorf("--epoch %w", err)
	}
	return p, nil
}

// note tells what else may have been meant.
func (f *deriveFlags) note(stderr io.Writer, who *electorate.Electorate, plan epochPlan) {
	noteCluster(stderr, &who.List.Provenance, plan)
	noteElectorate(stderr, who)
	noteIdentities(stderr, who.Admitted.Entries, f.identities)
	f.noteKeying(stderr, who.List.HasVotes, plan, f.epoch.value)
}

func (f *deriveFlags) checkedFormat(cmd *cobra.Command) (schedule.Format, error) {
	switch flags := cmd.Flags(); {
	case f.stakes == "":
		return "", errNoStakes
	case !flags.Changed("epoch"):
		return "", errors.New("no epoch: give --epoch N")
	case f.output == "":
		return "", errors.New("--output is empty, want a file, or - for standard output")
	}
	if err := errors.Join(f.checkKeyedBy(), f.termsFlags.check(), f.clockFlags.check()); err != nil {
		return "", err
	}
	if err := f.checkColumns(cmd); err != nil {
		return "", err
	}
	if f.format == string(schedulefile.FormatParquet) {
		return schedulefile.FormatParquet, nil
	}
	format, err := schedule.ParseFormat(f.format)
	switch {
	case err != nil:
		return "", fmt.Errorf("--format: %w, parquet", err)
	case len(f.identities) > 0 && !format.Filters():
		return "", fmt.Errorf("--identity with --format %s: %w", format, schedule.ErrFormatFilter)
	case format == schedule.FormatEpochNew && f.repeat.value != schedule.DefaultRepeat:
		return "", fmt.Errorf("--repeat with --format %s: %w", format, schedule.ErrFormatRepeat)
	}
	return format, nil
}

// backendFromEnvironment returns the backend that SCHEDGEN_BACKEND asks for.
func backendFromEnvironment() (cpu.Backend, error) {
	backend, err := cpu.Resolve(os.Getenv(cpu.EnvBackend))
	if err != nil {
		return "", fmt.Errorf("environment variable %s: %w", cpu.EnvBackend, err)
	}
	return backend, nil
}
