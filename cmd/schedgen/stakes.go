package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/schedgen/schedgen/stakes/list"
)

const stakesLong = `Look at the stakes that a source holds, and convert them.

A SOURCE is what --stakes takes: a CSV or JSON file, a saved getVoteAccounts
reply, genesis.bin or its archive, a snapshot archive or directory, - for standard
input, the http address of a node, or example.`

func newStakesCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "stakes",
		Short: "Show what a stake list holds, or convert it",
		Long:  stakesLong,
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return fmt.Errorf("stakes has no command %q, only show and convert (see %s --help)", args[0], cmd.CommandPath())
			}
			return cmd.Help()
		},
	}
	cmd.AddCommand(newStakesShowCommand(), newStakesConvertCommand())
	return cmd
}

// sourceArgument is the one argument of a command that looks at a source.
func sourceArgument(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0 || args[0] == "":
		return fmt.Errorf("no stake list: give a file, - for standard input, the address of a node, or example (see %s --help)", cmd.CommandPath())
	case len(args) > 1:
		return fmt.Errorf("%s takes one stake list, not %q too (see %s --help)", cmd.Name(), args[1], cmd.CommandPath())
	}
	return nil
}

// oneList returns the list of an epoch, or the only one when none is asked for.
func oneList(set *list.Set, epoch uint64, asked bool) (*list.List, error) {
	switch {
	case asked:
		return set.For(epoch)
	case len(set.Lists) == 0:
		return nil, errors.New("the source holds no stake list")
	case len(set.Lists) > 1:
		return nil, fmt.Errorf("%s holds the stakes of several epochs, give --epoch with one of %s",
			set.Lists[0].Provenance.Source, joinNumbers(set.Epochs()))
	}
	return &set.Lists[0], nil
}
