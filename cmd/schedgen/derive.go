package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/spf13/cobra"

	"github.com/schedgen/schedgen/internal/atomicfile"
	"github.com/schedgen/schedgen/internal/cpu"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes"
)

const deriveLong = `Derive the leader schedule of one epoch from a list of stakes.

The stakes are those in the epoch stakes of the epoch: as they were at the first
slot of the epoch before it. --stakes takes a CSV file of pubkey,stake or of
vote_pubkey,node_pubkey,stake, in lamports, with or without a header.

Since epoch 842 of mainnet-beta and epoch 830 of testnet a schedule is keyed by
vote account (SIMD-0180), before by identity. --keyed-by auto knows this for the
two clusters; a list without vote accounts is taken as it is.

Formats:
  text, json, json-compact   as "solana leader-schedule" prints them
  rpc                        the result of getLeaderSchedule
  csv                        slot,slot_index,leader,vote_account
  epoch-new                  the epoch.new message of Firedancer's WebSocket API
  digest                     SHA-256 over the 32-byte leader of every slot`

const deriveExample = `  schedgen derive --stakes example --epoch 900
  schedgen derive --stakes stakes.csv --epoch 900 --format json -o schedule.json
  schedgen derive --stakes - --epoch 763 --cluster testnet < stakes.csv
  schedgen derive --stakes stakes.csv --epoch 5 --epoch-schedule slots=8192,warmup --keyed-by vote`

// deriveFlags are the flags of derive as they were given.
type deriveFlags struct {
	epochFlags
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
	flags.StringVar(&f.stakes, "stakes", "", "stake list: path of a CSV `FILE`, - for standard input, or example")
	flags.Var(&f.epoch, "epoch", "epoch to derive")
	f.add(cmd)
	flags.Var(&f.identities, "identity", "print the slots of this identity only; may be repeated")
	flags.StringVar(&f.format, "format", string(schedule.FormatText), "`FORMAT` of the output: text, json, json-compact, rpc, csv, epoch-new or digest")
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
	place := plan.at(f.epoch.value)
	params := schedule.Params{
		Epoch:   place.epoch,
		Slots:   place.slots,
		Repeat:  int(f.repeat.value),
		Backend: string(backend),
	}
	if params.FirstSlot, err = place.firstSlot(format.Absolute(), string(format), "rpc and digest"); err != nil {
		return fmt.Errorf("--epoch %w", err)
	}
	if _, err := f.keying(false, plan, place.epoch); err != nil {
		return err // the value of the flag
	}
	s, err := f.derive(cmd, params, plan)
	if err != nil {
		return err
	}
	return f.write(cmd, s, format)
}

func (f *deriveFlags) checkedFormat(cmd *cobra.Command) (schedule.Format, error) {
	switch flags := cmd.Flags(); {
	case f.stakes == "":
		return "", errors.New("no stake list: give --stakes FILE, --stakes - for standard input, or --stakes example")
	case !flags.Changed("epoch"):
		return "", errors.New("no epoch: give --epoch N")
	case f.output == "":
		return "", errors.New("--output is empty, want a file, or - for standard output")
	}
	format, err := schedule.ParseFormat(f.format)
	switch {
	case err != nil:
		return "", fmt.Errorf("--format: %w", err)
	case len(f.identities) > 0 && !format.Filters():
		return "", fmt.Errorf("--identity with --format %s: %w", format, schedule.ErrFormatFilter)
	case format == schedule.FormatEpochNew && f.repeat.value != schedule.DefaultRepeat:
		return "", fmt.Errorf("--repeat with --format %s: %w", format, schedule.ErrFormatRepeat)
	}
	return format, nil
}

func (f *deriveFlags) derive(cmd *cobra.Command, params schedule.Params, plan epochPlan) (*schedule.Schedule, error) {
	list, err := stakes.Open(f.stakes, cmd.InOrStdin())
	if err != nil {
		return nil, err
	}
	keying, err := f.keying(list.HasVotes, plan, params.Epoch)
	if err != nil {
		return nil, err
	}
	checked, err := schedule.NewStakes(list.Entries, keying)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", list.Source, err)
	}
	noteIdentities(cmd.ErrOrStderr(), list.Entries, f.identities)
	f.noteKeying(cmd.ErrOrStderr(), list.HasVotes, plan, params.Epoch)
	return schedule.Derive(checked, params)
}

// write prints the schedule to the file of --output. Ctrl-C leaves no part of it.
func (f *deriveFlags) write(cmd *cobra.Command, s *schedule.Schedule, format schedule.Format) error {
	if f.output == "-" || f.output == "/dev/stdout" {
		return s.Write(stdoutWriter{cmd.OutOrStdout()}, format, f.identities...)
	}
	ctx, stop := interruptible(cmd.Context())
	defer stop()
	return atomicfile.Write(f.output, func(w io.Writer) error {
		if err := s.Write(interruptibleWriter{ctx, w}, format, f.identities...); err != nil {
			return err
		}
		return interrupted(ctx)
	})
}

// backendFromEnvironment returns the backend that SCHEDGEN_BACKEND asks for.
func backendFromEnvironment() (cpu.Backend, error) {
	backend, err := cpu.Resolve(os.Getenv(cpu.EnvBackend))
	if err != nil {
		return "", fmt.Errorf("environment variable %s: %w", cpu.EnvBackend, err)
	}
	return backend, nil
}
