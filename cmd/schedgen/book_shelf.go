package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/schedgen/schedgen/leaders"
	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/schedulefile"
	"github.com/schedgen/schedgen/stakes/list"
)

// A shelf has the sources of schedules that were opened.
type shelf struct {
	f      *bookFlags
	stderr io.Writer
	keys   []leaders.Key
	plan   epochPlan
	es     schedule.EpochSchedule

	set   *list.Set // nil without --stakes
	files []*schedulefile.Observed
	nodes []*bookNode // that are asked for schedules
	timer *bookNode   // that is asked for the time; nil without one
	timed bool        // it was asked which slot it is at

	deriving *deriving
	told     map[string]bool // notes, each of which is told once
}

// openShelf checks the flags, opens all sources and sees to it that they are of one
// cluster.
func (f *bookFlags) openShelf(cmd *cobra.Command) (*shelf, error) {
	if err := f.check(); err != nil {
		return nil, err
	}
	s := &shelf{f: f, stderr: cmd.ErrOrStderr(), keys: f.keys(), told: map[string]bool{}}
	var err error
	if s.plan, err = f.plan(cmd); err != nil {
		return nil, err
	}
	if err := s.openStakes(cmd); err != nil {
		return nil, err
	}
	if err := s.openSchedules(cmd); err != nil {
		return nil, err
	}
	if err := s.openTimer(cmd.Context()); err != nil {
		return nil, err
	}
	if err := s.agree(); err != nil {
		return nil, err
	}
	return s, s.checkKinds(cmd.Context())
}

// close closes connections.
func (s *shelf) close() {
	for _, n := range s.allNodes() {
		n.client.Close()
	}
}

// note tells something once.
func (s *shelf) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !s.told[text] {
		s.told[text] = true
		note(s.stderr, "%s", text)
	}
}

func (s *shelf) openStakes(cmd *cobra.Command) error {
	var sets []*list.Set
	for _, name := range s.f.stakes {
		set, err := openStakes(cmd, name)
		if err != nil {
			return err
		}
		sets = append(sets, set)
	}
	if len(sets) == 0 {
		return nil
	}
	var err error
	s.set, err = list.Merge(sets...)
	return err
}

func (s *shelf) openSchedules(cmd *cobra.Command) error {
	for _, name := range s.f.schedules {
		if isNodeAddress(name) {
			n, err := meetNode(cmd.Context(), name, s.f.options)
			if err != nil {
				return fmt.Errorf("--schedule: %w", err)
			}
			s.nodes = append(s.nodes, n)
			continue
		}
		o, err := readSchedule(cmd, name)
		if err != nil {
			return err
		}
		s.files = append(s.files, o)
	}
	return nil
}

// readSchedule reads a schedule from a file or standard input.
func readSchedule(cmd *cobra.Command, name string) (*schedulefile.Observed, error) {
	if name == "-" {
		return schedulefile.Read(cmd.InOrStdin(), "standard input")
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("--schedule: %w", err)
	}
	defer file.Close()
	return schedulefile.Read(file, name)
}

// openTimer finds the node that tells the time: that of --rpc, or where no other
// flag tells it the first that schedules are asked of.
func (s *shelf) openTimer(ctx context.Context) error {
	switch {
	case s.f.rpc == "" && s.f.anchor == "" && len(s.nodes) > 0:
		s.timer = s.nodes[0]
		return nil
	case s.f.rpc == "":
		return nil
	}
	for _, n := range s.nodes {
		if n.given == s.f.rpc {
			s.timer = n
			return nil
		}
	}
	n, err := meetNode(ctx, s.f.rpc, s.f.options)
	if err != nil {
		return fmt.Errorf("--rpc: %w", err)
	}
	s.timer = n
	if len(s.f.stakes) == 0 && len(s.f.schedules) == 0 {
		s.nodes = append(s.nodes, n)
	}
	return nil
}

// allNodes are the nodes that are asked anything.
func (s *shelf) allNodes() []*bookNode {
	if s.timer != nil && !slices.Contains(s.nodes, s.timer) {
		return append(slices.Clone(s.nodes), s.timer)
	}
	return s.nodes
}

// agree places the epochs by what flags and sources say of the cluster, which must
// be the same.
func (s *shelf) agree() error {
	var claims []*list.Provenance
	if s.set != nil {
		for i := range s.set.Lists {
			claims = append(claims, &s.set.Lists[i].Provenance)
		}
	}
	for _, n := range s.allNodes() {
		claims = append(claims, n.claim())
	}
	all, err := sameClaims(claims)
	if err != nil {
		return err
	}
	if s.plan, err = s.plan.adopt(all, s.stderr); err != nil {
		return err
	}
	s.es = s.plan.schedule
	if s.plan.slots > 0 {
		s.es = schedule.EpochSchedule{SlotsPerEpoch: s.plan.slots, LeaderScheduleSlotOffset: s.plan.slots}
	}
	for _, n := range s.allNodes() {
		if n.es != s.es {
			return fmt.Errorf("%s: %s is of another cluster, whose epochs have %d slots%s",
				s.plan.flag, n.client.Address(), n.es.SlotsPerEpoch, warmupText(n.es))
		}
	}
	return nil
}

// sameClaims returns what all sources together say of their cluster.
func sameClaims(claims []*list.Provenance) (*list.Provenance, error) {
	all := &list.Provenance{}
	var cluster, genesis, epochs string // who said so
	for _, c := range claims {
		switch {
		case c.Cluster != "" && all.Cluster != "" && c.Cluster != all.Cluster:
			return nil, fmt.Errorf("%s is of %s, and %s of %s", c.Source, c.Cluster, cluster, all.Cluster)
		case c.GenesisHash != nil && all.GenesisHash != nil && *c.GenesisHash != *all.GenesisHash:
			return nil, fmt.Errorf("%s has the genesis hash %v, and %s has %v: want sources of one cluster", c.Source, *c.GenesisHash, genesis, *all.GenesisHash)
		case c.EpochSchedule != nil && all.EpochSchedule != nil && *c.EpochSchedule != *all.EpochSchedule:
			return nil, fmt.Errorf("%s and %s have different epoch schedules: want sources of one cluster", c.Source, epochs)
		}
		if c.Cluster != "" {
			all.Cluster, cluster = c.Cluster, c.Source
		}
		if c.GenesisHash != nil {
			all.GenesisHash, genesis = c.GenesisHash, c.Source
		}
		if c.EpochSchedule != nil {
			all.EpochSchedule, epochs = c.EpochSchedule, c.Source
		}
	}
	if all.Source = epochs; epochs == "" {
		all.Source = cluster
	}
	return all, nil
}

// checkKinds refuses keys that some source knows as the other kind.
func (s *shelf) checkKinds(ctx context.Context) error {
	if s.set != nil {
		for i := range s.set.Lists {
			if err := checkKindsIn(&s.set.Lists[i], s.keys); err != nil {
				return err
			}
		}
	}
	for _, n := range s.nodes {
		missing, err := n.checkKinds(ctx, s.keys)
		for _, key := range missing {
			s.note("%s: %s has no such account: is the key right?", nameOf(key), n.client.Address())
		}
		var call *noderpc.CallError
		if errors.As(err, &call) && ctx.Err() == nil {
			s.note("it is not known whether the keys are identities or vote accounts: %v", err)
			continue
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkKindsIn refuses keys that are of the other kind in a stake list. Where the
// list has no identities beside its keys, it does not tell.
func checkKindsIn(l *list.List, keys []leaders.Key) error {
	for _, key := range keys {
		drawn, leads := false, false
		var other schedule.Pubkey // the identity of a vote account, or the other way round
		for _, e := range l.Entries {
			node := e.Node
			if node.IsZero() {
				node = e.Key
			}
			if e.Key == key.Pubkey {
				drawn = true
			}
			if node == key.Pubkey {
				leads = true
			}
			switch {
			case e.Key == key.Pubkey && !key.Vote:
				other = node
			case node == key.Pubkey && key.Vote:
				other = e.Key
			}
		}
		switch {
		case !key.Vote && drawn && !leads:
			return fmt.Errorf("%s: it is a vote account in %s, its identity is %v: give --vote, or that identity", nameOf(key), l.Title(), other)
		case key.Vote && leads && !drawn:
			return fmt.Errorf("%s: it is an identity in %s, of the vote account %v: give --identity, or that vote account", nameOf(key), l.Title(), other)
		}
	}
	return nil
}
