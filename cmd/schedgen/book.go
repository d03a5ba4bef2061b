package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/schedgen/schedgen/leaders"
	"github.com/schedgen/schedgen/noderpc"
)

// bookFlags say where the schedules of several epochs come from, whose slots are
// asked for, and when slots are.
type bookFlags struct {
	epochFlags
	termsFlags
	clockFlags
	identities pubkeys
	votes      pubkeys
	stakes     []string
	schedules  []string
	epochs     epochInterval

	options noderpc.Options  // how nodes are asked
	now     func() time.Time // of this machine
}

func newBookFlags() bookFlags { return bookFlags{now: time.Now} }

func (f *bookFlags) addKeys(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.Var(&f.identities, "identity", "identity to look for; may be repeated")
	flags.Var(&f.votes, "vote", "vote account to look for; may be repeated")
}

// addSources adds all but --rpc and the flags of the time.
func (f *bookFlags) addSources(cmd *cobra.Command, epochs string) {
	flags := cmd.Flags()
	flags.StringArrayVar(&f.stakes, "stakes", nil, stakesUsage+"; may be repeated")
	flags.StringArrayVar(&f.schedules, "schedule", nil, "leader schedule of one epoch, `FILE` in any format of derive or of the network's tools, or the http address of a node; may be repeated")
	flags.Var(&f.epochs, "epochs", epochs)
	f.epochFlags.add(cmd)
	f.termsFlags.add(cmd)
}

// addTimed adds all flags of a command that tells times.
func (f *bookFlags) addTimed(cmd *cobra.Command) {
	f.addSources(cmd, "only these epochs of the sources; a list that does not say its epoch is taken for each of them")
	f.clockFlags.add(cmd)
	cmd.Flags().Lookup("rpc").Usage = "node at `URL` to ask which slot it is and how long slots take, and for the schedules when neither --stakes nor --schedule is given"
}

var (
	errNoKey      = errors.New("no key: give --identity KEY or --vote KEY")
	errNoSchedule = errors.New("no schedule: give --stakes SOURCE, --schedule FILE, or --rpc URL for what a node knows")
)

// keys returns whose slots are asked for, each once.
func (f *bookFlags) keys() []leaders.Key {
	var keys []leaders.Key
	add := func(k leaders.Key) {
		if !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	for _, p := range f.identities {
		add(leaders.Identity(p))
	}
	for _, p := range f.votes {
		add(leaders.Vote(p))
	}
	return keys
}

// check finds what is wrong with the flags themselves.
func (f *bookFlags) check() error {
	switch {
	case len(f.identities)+len(f.votes) == 0:
		return errNoKey
	case len(f.stakes) == 0 && len(f.schedules) == 0 && f.rpc == "":
		return errNoSchedule
	}
	stdin := 0
	for _, name := range slices.Concat(f.stakes, f.schedules) {
		switch name {
		case "":
			return errNoSchedule
		case "-":
			stdin++
		}
	}
	if stdin > 1 {
		return errors.New("standard input can be read once, give - once")
	}
	return errors.Join(f.checkKeyedBy(), f.termsFlags.check(), f.clockFlags.check())
}

// limits returns the epochs of --epochs, and whether it was given.
func (f *bookFlags) limits() (first, last uint64, limited bool) {
	if f.epochs.text == "" {
		return 0, math.MaxUint64, false
	}
	return f.epochs.first, f.epochs.last, true
}

// nameOf returns a key as a flag.
func nameOf(k leaders.Key) string {
	if k.Vote {
		return fmt.Sprintf("--vote %v", k.Pubkey)
	}
	return fmt.Sprintf("--identity %v", k.Pubkey)
}

// asksNode reports whether a node is asked for schedules or the time.
func (f *bookFlags) asksNode() bool {
	return f.rpc != "" || slices.ContainsFunc(f.schedules, isNodeAddress)
}
