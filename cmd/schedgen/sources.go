package main

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes"
	"github.com/schedgen/schedgen/stakes/admission"
	"github.com/schedgen/schedgen/stakes/electorate"
	"github.com/schedgen/schedgen/stakes/list"
)

const stakesUsage = "stake list, `SOURCE`: CSV, JSON, genesis, snapshot (path), - for standard input, the http address of a node, or example"

// errNoStakes says how to give a stake list.
var errNoStakes = errors.New("no stake list: give --stakes FILE, --stakes - for standard input, --stakes URL for a node, or --stakes example")

// termsFlags say on what terms a stake list is taken.
type termsFlags struct {
	forceEpoch bool
	exact      bool
	admission  string
}

func (f *termsFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.exact, "exact", false, "refuse stakes that are not known to be exactly those that the network draws with")
	flags.BoolVar(&f.forceEpoch, "force-epoch", false, "take the stakes of another epoch when the source has none of the one asked for")
	flags.StringVar(&f.admission, "admission", string(admission.Auto), "vote accounts that SIMD-0357 does not admit are left out, `RULE`: auto, none or top-2000")
}

func (f *termsFlags) check() error {
	if _, err := admission.ParseRule(f.admission); err != nil {
		return fmt.Errorf("--admission: %w", err)
	}
	return nil
}

// openStakes opens a source of --stakes.
func openStakes(cmd *cobra.Command, name string) (*list.Set, error) {
	if name == "" {
		return nil, errNoStakes
	}
	return stakes.Open(cmd.Context(), name, stakes.Options{Stdin: cmd.InOrStdin()})
}

// adopt completes a plan by what a source says of its cluster. Flags go before the
// source; a source of another cluster than --cluster names is an error.
func (p epochPlan) adopt(source *list.Provenance, stderr io.Writer) (epochPlan, error) {
	switch {
	case p.flag == "--cluster" && source.Cluster != "" && source.Cluster != p.cluster:
		return p, fmt.Errorf("--cluster %s: %s is of %s", p.cluster, source.Source, source.Cluster)
	case p.flag == "--cluster" && source.EpochSchedule != nil && *source.EpochSchedule != p.schedule:
		return p, fmt.Errorf("--cluster %s: %s is of another cluster, whose epochs have %d slots%s",
			p.cluster, source.Source, source.EpochSchedule.SlotsPerEpoch, warmupText(*source.EpochSchedule))
	case p.flag != "" && source.EpochSchedule != nil && p.flag != "--cluster":
		if p.slots > 0 || *source.EpochSchedule != p.schedule {
			note(stderr, "%s goes before %s, whose epochs have %d slots%s",
				p.flag, source.Source, source.EpochSchedule.SlotsPerEpoch, warmupText(*source.EpochSchedule))
		}
	case p.flag == "" && source.EpochSchedule != nil:
		p.schedule, p.cluster, p.source = *source.EpochSchedule, source.Cluster, source.Source
	case p.flag == "" && source.Cluster != "":
		es, err := schedule.ClusterSchedule(source.Cluster)
		if err != nil {
			return p, fmt.Errorf("%s: %w", source.Source, err)
		}
		p.schedule, p.cluster, p.source = es, source.Cluster, source.Source
	}
	return p, nil
}

func warmupText(es schedule.EpochSchedule) string {
	if es.Warmup {
		return " after a warm-up"
	}
	return ""
}

// elector returns who makes the electorates of a source on the terms of the flags.
func (f *termsFlags) elector(set *list.Set, e *epochFlags, p epochPlan) *electorate.Elector {
	return electorate.New(set, electorate.Terms{
		Cluster:   p.cluster,
		KeyedBy:   e.keyedBy,
		Admission: admission.Rule(f.admission),
		Exact:     f.exact,
		Force:     f.forceEpoch,
	})
}

// electorateError names the flags that would help.
func electorateError(err error, p epochPlan) error {
	var missing *list.EpochError
	switch {
	case errors.As(err, &missing):
		return fmt.Errorf("%w (--force-epoch takes them all the same)", err)
	case errors.Is(err, electorate.ErrNotExact):
		return fmt.Errorf("--exact: %w", err)
	case errors.Is(err, schedule.ErrKeyingUnknown):
		return fmt.Errorf("--keyed-by auto does not know what keys a schedule %s: give --keyed-by vote (since SIMD-0180) or --keyed-by identity", p.of())
	}
	return err
}

// of says whose epochs a plan has.
func (p epochPlan) of() string {
	switch {
	case p.cluster != "" && p.source == "":
		return "with --cluster " + p.cluster
	case p.cluster != "":
		return "of " + p.cluster
	case p.source != "":
		return "of the cluster of " + p.source
	}
	return "with " + p.flag
}

// noteElectorate tells what about the stakes of an epoch a user should know.
func noteElectorate(stderr io.Writer, e *electorate.Electorate) {
	for _, text := range aboutElectorate(e) {
		note(stderr, "%s", text)
	}
}

func aboutElectorate(e *electorate.Electorate) (texts []string) {
	p, name := &e.List.Provenance, e.List.Title()
	if e.Forced {
		texts = append(texts, name+": stakes of another epoch are taken where it has none (--force-epoch): the schedule is not the network's")
	}
	if p.Vintage == list.VintageApproximate {
		texts = append(texts, fmt.Sprintf("%s: approximate: %s", name, p.Reason))
	}
	for _, text := range p.Notes {
		texts = append(texts, name+": "+text)
	}
	if text := e.Report.String(); text != "" && admissionMatters(e) {
		texts = append(texts, text)
	}
	return texts
}

// noteCluster tells which cluster is assumed of a source that comes from one and
// does not name it.
func noteCluster(stderr io.Writer, source *list.Provenance, p epochPlan) {
	if p.flag == "" && p.source == "" && (source.Kind == list.KindVoteAccounts || source.Kind == list.KindRows) {
		note(stderr, "%s does not name its cluster: it is taken for %s; --cluster names another", source.Source, p.cluster)
	}
}

// admissionMatters reports whether a user should know what admission did: not that
// it left a list of their own making alone.
func admissionMatters(e *electorate.Electorate) bool {
	asked := e.Report.Rule != admission.Auto
	changed := len(e.Report.Left) > 0
	return asked || changed || e.List.Provenance.Vintage != list.VintageUnknown
}

// missingEpoch returns the first epoch from first to last that a source has no
// stakes for.
func missingEpoch(set *list.Set, first, last uint64) (uint64, bool) {
	have := set.Epochs()
	if len(have) == 0 {
		return 0, false // a list that does not say leads any
	}
	for epoch := first; epoch <= last; epoch++ {
		if !slices.Contains(have, epoch) {
			return epoch, true
		}
	}
	return 0, false
}
