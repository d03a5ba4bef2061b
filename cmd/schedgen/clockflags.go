package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/slotclock"
	"github.com/schedgen/schedgen/stakes/list"
)

// clockFlags say when slots begin: as a node measures it, or as the user knows.
type clockFlags struct {
	rpc          string
	anchor       string
	slotDuration time.Duration
}

func (f *clockFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.rpc, "rpc", "", "node to ask for the time and the duration of slots, `URL`")
	flags.StringVar(&f.anchor, "anchor", "", "time of a slot instead, `SLOT@TIME`: TIME is as in RFC 3339, in seconds of the Unix epoch, or now")
	flags.DurationVar(&f.slotDuration, "slot-duration", 0, "mean duration of a slot beside --anchor, such as 396ms")
}

// check finds what is wrong with the flags themselves.
func (f *clockFlags) check() error {
	switch {
	case f.rpc != "" && f.anchor != "":
		return errors.New("--rpc and --anchor both say when slots begin, give one of them")
	case f.slotDuration < 0:
		return fmt.Errorf("--slot-duration: %v is negative", f.slotDuration)
	case f.slotDuration != 0 && f.anchor == "":
		return errors.New("--slot-duration is for --anchor SLOT@TIME, which is not given")
	case f.anchor != "" && f.slotDuration == 0:
		return errors.New("--anchor says when one slot begins, not how long slots take: give --slot-duration too, such as 396ms")
	case f.anchor != "":
		if _, _, err := slotclock.ParseAnchor(f.anchor); err != nil {
			return fmt.Errorf("--anchor: %w", err)
		}
	}
	return nil
}

// sameCluster refuses a node of another cluster than a list's, whose slots have
// other times.
func (f *clockFlags) sameCluster(cmd *cobra.Command, l *list.List) error {
	p := &l.Provenance
	if f.rpc == "" || p.GenesisHash == nil && p.Cluster == "" {
		return nil
	}
	node, err := noderpc.Dial(f.rpc, noderpc.Options{})
	if err != nil {
		return fmt.Errorf("--rpc: %w", err)
	}
	defer node.Close()
	genesis, err := node.GenesisHash(cmd.Context())
	switch {
	case err != nil:
		return fmt.Errorf("--rpc: %w", err)
	case p.GenesisHash != nil && *p.GenesisHash != genesis, p.GenesisHash == nil && list.ClusterOf(genesis) != p.Cluster:
		return fmt.Errorf("--rpc: %s is of another cluster, with genesis %v, than %s", node.Address(), genesis, l.Title())
	}
	return nil
}

// clock returns what the flags say of the time of slots; nil when they say nothing.
func (f *clockFlags) clock(cmd *cobra.Command) (*slotclock.Clock, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	switch {
	case f.anchor != "":
		slot, at, err := slotclock.ParseAnchor(f.anchor)
		if err != nil {
			return nil, fmt.Errorf("--anchor: %w", err)
		}
		c := slotclock.Assume(slot, at, f.slotDuration)
		return &c, nil
	case f.rpc != "":
		node, err := noderpc.Dial(f.rpc, noderpc.Options{})
		if err != nil {
			return nil, fmt.Errorf("--rpc: %w", err)
		}
		defer node.Close()
		c, err := node.Clock(cmd.Context())
		if err != nil {
			return nil, fmt.Errorf("--rpc: %w", err)
		}
		return &c, nil
	}
	return nil, nil
}
