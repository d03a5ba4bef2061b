package main

import (
	"errors"
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"github.com/schedgen/schedgen/compare"
	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/electorate"
	"github.com/schedgen/schedgen/stakes/list"
)

const verifyLong = `Derive the leader schedule of an epoch and compare it, slot by slot, with one that
somebody else has.

--against takes a file in any format of derive and batch (text, json, rpc, csv,
epoch-new, parquet, a digest, ranks), a saved answer of getLeaderSchedule, - for
standard input, or the address of a node, which is asked for the epoch's schedule.
Slots are matched by their numbers where both sides have them, and otherwise by
index. A schedule of some leaders, or with gaps, is compared as far as it goes, and
counts as equal with --identity or --partial alone;
--identity says whose slots it has.

--explain looks for what was done in another way on the other side: another keying,
the stakes of another epoch, a missing or an extra validator, one stake that is off
by a lamport, the order of ties, admission, seed, rejection, slots counted from
elsewhere, other identities, and pairs of these. Stakes of other epochs are those
in the same source, or in further ones: --stakes may be repeated.

Exit status: 0 equal, 1 it differs, 2 an error, or nothing to compare.`

const verifyExample = `  schedgen verify --stakes stakes.csv --epoch 454 --against schedule.json
  schedgen verify --stakes snapshot-SLOT-HASH.tar.zst --epoch 1006 --against http://127.0.0.1:8899 --explain
  schedgen verify --stakes 900.json --stakes 899.json --epoch 900 --against leaders.csv --explain
  other-program | schedgen verify --stakes example --epoch 900 --against -`

type verifyFlags struct {
	epochFlags
	termsFlags
	stakes     []string
	epoch      decimal
	against    string
	byVote     bool
	identities pubkeys
	partial    bool
	explain    bool
	format     string

	options noderpc.Options // how nodes are asked
}

func newVerifyCommand() *cobra.Command {
	f := &verifyFlags{}
	return f.command()
}

func (f *verifyFlags) command() *cobra.Command {
	f.epoch = decimal{max: math.MaxUint64}
	cmd := &cobra.Command{
		Use:     "verify --stakes SOURCE --epoch N --against FILE|URL",
		Short:   "Compare a schedule with the one that the stakes give",
		Long:    verifyLong,
		Example: verifyExample,
		Args:    noArguments,
		RunE:    func(cmd *cobra.Command, _ []string) error { return f.run(cmd) },
	}
	flags := cmd.Flags()
	flags.SortFlags = false
	flags.StringArrayVar(&f.stakes, "stakes", nil, stakesUsage+"; may be repeated, for the stakes of several epochs")
	flags.Var(&f.epoch, "epoch", "epoch of the schedule")
	flags.StringVar(&f.against, "against", "", "schedule to compare with, `FILE` "+againstUsage)
	flags.BoolVar(&f.byVote, "by-vote", false, "ask the node by vote account too (keyByVoteAccount)")
	flags.Var(&f.identities, "identity", "compare the slots of this identity only; may be repeated")
	flags.BoolVar(&f.partial, "partial", false, "take a part of the schedule that agrees for equal")
	flags.BoolVar(&f.explain, "explain", false, "look for the mistake that makes the difference")
	f.epochFlags.add(cmd)
	f.termsFlags.add(cmd)
	flags.StringVar(&f.format, "format", "text", "`FORMAT` of the output: text or json")
	return cmd
}

func (f *verifyFlags) run(cmd *cobra.Command) error {
	if err := f.check(cmd); err != nil {
		return err
	}
	ours, theirs, err := f.sides(cmd)
	if err != nil {
		return err
	}
	d, err := compare.Schedules(ours.side(), theirs.Side)
	if err != nil {
		return err
	}
	v := newVerdict(ours, theirs, d)
	if err := v.overlap(theirs); err != nil {
		return err
	}
	if f.explain && !v.Equal {
		if err := v.explain(cmd.Context(), ours, theirs); err != nil {
			return err
		}
	}
	noteElectorate(cmd.ErrOrStderr(), ours.who)
	noteIdentities(cmd.ErrOrStderr(), ours.who.Admitted.Entries, f.identities)
	f.noteKeying(cmd.ErrOrStderr(), ours.who.List.HasVotes, ours.plan, ours.params.Epoch)
	return v.write(cmd, f)
}

// check finds what is wrong with the flags themselves.
func (f *verifyFlags) check(cmd *cobra.Command) error {
	stdin := 0
	for _, name := range append(f.stakes, f.against) {
		if name == "-" {
			stdin++
		}
	}
	switch {
	case len(f.stakes) == 0:
		return errNoStakes
	case !cmd.Flags().Changed("epoch"):
		return errors.New("no epoch: give --epoch N")
	case f.against == "":
		return errors.New("nothing to compare with: give --against FILE, --against - for standard input, or --against URL for a node")
	case stdin > 1:
		return errors.New("standard input can be read once, give - once")
	case f.byVote && !isNodeAddress(f.against):
		return errors.New("--by-vote is for a node: files say themselves what they hold")
	}
	return errors.Join(f.checkKeyedBy(), f.termsFlags.check(), checkAnswerFormat(f.format))
}

// An ownSide is a schedule derived here.
type ownSide struct {
	set      *list.Set
	plan     epochPlan
	place    epochRange
	params   schedule.Params
	elector  *electorate.Elector
	who      *electorate.Electorate
	schedule *schedule.Schedule
}

const ownName = "the derived schedule"

func (o *ownSide) side() compare.Side { return compare.Derived(ownName, o.schedule) }

// sides derives a schedule and gets the other one.
func (f *verifyFlags) sides(cmd *cobra.Command) (*ownSide, *otherSide, error) {
	ours := &ownSide{}
	var err error
	if ours.plan, err = f.plan(cmd); err != nil {
		return nil, nil, err
	}
	if ours.set, err = openAllStakes(cmd, f.stakes); err != nil {
		return nil, nil, err
	}
	var node *bookNode
	if isNodeAddress(f.against) {
		if node, err = meetNode(cmd.Context(), f.against, f.options); err != nil {
			return nil, nil, fmt.Errorf("--against: %w", err)
		}
		defer node.client.Close()
	}
	if err := ours.settle(cmd, node); err != nil {
		return nil, nil, err
	}
	if err := f.derive(ours); err != nil {
		return nil, nil, err
	}
	if node != nil {
		theirs, err := node.ask(cmd.Context(), ours.place, f.identities, f.byVote)
		return ours, theirs, err
	}
	reader := sideReader{
		stdin: cmd.InOrStdin(), epoch: &ours.place.epoch, place: &ours.place,
		ranks: ours.readRanks, identities: f.identities,
	}
	theirs, err := reader.open(f.against)
	if err != nil {
		return nil, nil, fmt.Errorf("--against: %w", err)
	}
	if theirs.Leaders == nil && len(f.identities) > 0 {
		return nil, nil, fmt.Errorf("--identity: %s is the digest of a whole schedule", theirs.Name)
	}
	return ours, theirs, nil
}

// openAllStakes opens one source or several, of which each says its epoch.
func openAllStakes(cmd *cobra.Command, names []string) (*list.Set, error) {
	if len(names) == 1 {
		return openStakes(cmd, names[0])
	}
	var sets []*list.Set
	for _, name := range names {
		set, err := openStakes(cmd, name)
		if err != nil {
			return nil, err
		}
		sets = append(sets, set)
	}
	return list.Merge(sets...)
}

// settle completes the plan by what the stakes and the node say of their cluster,
// which must be the same one.
func (o *ownSide) settle(cmd *cobra.Command, node *bookNode) error {
	var claims []*list.Provenance
	for i := range o.set.Lists {
		claims = append(claims, &o.set.Lists[i].Provenance)
	}
	claim := claims[0]
	var err error
	if node != nil {
		if claim, err = sameClaims(append(claims, node.claim())); err != nil {
			return err
		}
	}
	if o.plan, err = o.plan.adopt(claim, cmd.ErrOrStderr()); err != nil {
		return err
	}
	if node != nil && o.plan.slots == 0 && o.plan.schedule != node.es {
		return fmt.Errorf("%s: %s is of another cluster, whose epochs have %d slots%s",
			o.plan.flag, node.client.Address(), node.es.SlotsPerEpoch, warmupText(node.es))
	}
	return nil
}

// derive derives the schedule.
func (f *verifyFlags) derive(o *ownSide) error {
	backend, err := backendFromEnvironment()
	if err != nil {
		return err
	}
	o.place = o.plan.at(f.epoch.value)
	if !o.place.fits {
		return fmt.Errorf("--epoch %d: its slots are over 18446744073709551615 and cannot be compared", o.place.epoch)
	}
	o.params = schedule.Params{
		Epoch: o.place.epoch, FirstSlot: o.place.first, Slots: o.place.slots,
		Repeat: int(f.repeat.value), Backend: string(backend),
	}
	o.elector = f.elector(o.set, &f.epochFlags, o.plan)
	o.who, err = o.elector.For(o.params.Epoch)
	switch {
	case err != nil:
		return electorateError(err, o.plan)
	case f.byVote && o.who.Stakes.Keying() != schedule.KeyedByVote:
		return fmt.Errorf("--by-vote: the schedule of epoch %d is keyed by identity", o.params.Epoch)
	}
	o.schedule, err = schedule.Derive(o.who.Stakes, o.params)
	return err
}
