package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/schedgen/schedgen/internal/cpu"
	"github.com/schedgen/schedgen/vectors"
)

const vectorsCheckLong = `Check this build against the test vectors that are part of it: random streams,
rolls, samplers, shuffles and whole schedules, on every backend of this machine.

A line is printed for each vector that fails or cannot be checked. The last line
is "N passed, N failed". Exit status 1 when a vector failed.`

const vectorsCheckExample = `  schedgen vectors check
  schedgen vectors check --backend generic -v
  schedgen vectors check --dir recorded     # with recorded/epoch-454-stakes.csv`

// allBackends is the value of --backend that stands for every one.
const allBackends = "all"

// vectorsCheckFlags are the flags of vectors check as they were given.
type vectorsCheckFlags struct {
	backend string
	dir     string
	verbose bool
}

func newVectorsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "vectors",
		Short: "Check this build against fixed test vectors",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("no subcommand %q of vectors (see %s --help)", args[0], cmd.CommandPath())
			}
			return cmd.Help()
		},
	}
	cmd.AddCommand(newVectorsCheckCommand())
	return cmd
}

func newVectorsCheckCommand() *cobra.Command {
	f := &vectorsCheckFlags{}
	cmd := &cobra.Command{
		Use:     "check",
		Short:   "Run every vector on every backend",
		Long:    vectorsCheckLong,
		Example: vectorsCheckExample,
		Args:    noArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	names := []string{allBackends}
	for _, b := range cpu.Available() {
		names = append(names, string(b))
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.backend, "backend", allBackends, "backend to check, `NAME`: "+strings.Join(names, ", "))
	flags.StringVar(&f.dir, "dir", "", "folder `DIR` with the stake lists that are too long to be part of the program")
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "print a line for each vector that passes, too")
	return cmd
}

func (f *vectorsCheckFlags) run(cmd *cobra.Command) error {
	progress := newProgress(cmd.ErrOrStderr(), "vectors")
	defer progress.clear()
	o := vectors.Options{Dir: f.dir, Verbose: f.verbose}
	if progress != nil {
		o.Progress = func(done, total int) { progress.show(uint64(done), uint64(total)) }
	}
	if _, err := backendFromEnvironment(); err != nil {
		return err
	}
	if f.backend != allBackends {
		backend, err := cpu.Resolve(f.backend)
		if err != nil {
			return fmt.Errorf("--backend: %w", err)
		}
		o.Backends = []string{string(backend)}
	}
	passed, failed, err := vectors.Check(clearingWriter{progress, stdoutWriter{cmd.OutOrStdout()}}, o)
	if failed > 0 {
		return answerError(fmt.Sprintf("%d of %d vectors failed", failed, passed+failed))
	}
	return err
}
