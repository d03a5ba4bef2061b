package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
)

const rootLong = `schedgen works out which validator leads each slot of a Solana epoch, from the
stakes that the epoch is made from, bit for bit as the network does.

It needs no node and no network: a list of stakes and the number of the epoch
are enough. "example" is a list that is part of the program, to try things with.

Exit status: 0 done, 1 the answer is no, 2 bad usage or bad input.

Environment:
  SCHEDGEN_BACKEND   forces a backend, such as generic, instead of the fastest
                     that this machine has; "schedgen version" lists them. All
                     backends give the same bits.`

const rootExample = `  # A whole epoch of 432,000 slots, in the format of "solana leader-schedule"
  schedgen derive --stakes example --epoch 900

  # The same from your own list, as getLeaderSchedule answers it, to a file
  schedgen derive --stakes stakes.csv --epoch 900 --format rpc -o schedule.json

  # Only the slots of one validator
  schedgen derive --stakes stakes.csv --epoch 900 --identity IDENTITY

  # One line to compare two schedules by
  schedgen derive --stakes stakes.csv --epoch 900 --format digest`

func newRootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:           "schedgen",
		Short:         "Solana leader schedules, bit for bit",
		Long:          rootLong,
		Example:       rootExample,
		SilenceErrors: true, // run prints them
		SilenceUsage:  true,
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetHelpCommand(newHelpCommand())
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return fmt.Errorf("%w (see %s --help)", err, cmd.CommandPath())
	})
	root.AddCommand(newDeriveCommand(), newBatchCommand(), newStakesCommand(), newNextCommand(), newWindowsCommand(), newInScheduleCommand(), newVerifyCommand(), newDiffCommand(), newServeCommand(), newVectorsCommand(), newVersionCommand())
	return root
}

// newHelpCommand is cobra's help command, except that an unknown topic is an
// error.
func newHelpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [command]",
		Short: "Help about any command",
		RunE: func(cmd *cobra.Command, args []string) error {
			topic, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return fmt.Errorf("no help about %q: no such command (see schedgen --help)", strings.Join(args, " "))
			}
			return topic.Help()
		},
	}
}

// noArguments refuses arguments that are no flags.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("%s takes flags only, not %q (see %s --help)", cmd.Name(), args[0], cmd.CommandPath())
	}
	return nil
}
