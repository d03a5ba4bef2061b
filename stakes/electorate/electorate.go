package electorate

import (
	"errors"
	"fmt"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/admission"
	"github.com/schedgen/schedgen/stakes/list"
)

// KeyedByAuto is the choice of Terms.KeyedBy that follows the cluster.
const KeyedByAuto = "auto"

var (
	// ErrNotExact: the list does not hold, or does not say that it holds, exactly
	// the stakes that the network draws with.
	ErrNotExact = errors.New("stakes are not exact")
	// ErrNoList: the source holds no list at all.
	ErrNoList = errors.New("no stake list")
)

// Terms say how a list is taken.
type Terms struct {
	Cluster   string         // public cluster whose activation epochs count; "" is none of them
	KeyedBy   string         // vote, identity, or KeyedByAuto, which "" means too
	Admission admission.Rule // "" means auto
	Exact     bool           // refuse a list that is not known to be exact
	Force     bool           // take the list of another epoch when there is none of the one asked for
}

// An Electorate is who is drawn in an epoch.
type Electorate struct {
	Stakes   *schedule.Stakes
	List     *list.List       // the source's, before admission
	Admitted *list.List       // after it
	Report   admission.Report // what admission did
	Forced   bool             // the list leads another epoch, see Terms.Force
}

// An Elector makes electorates from one source, those that are equal once. It
// must not be used from several goroutines at once.
type Elector struct {
	set   *list.Set
	terms Terms
	made  map[key]*Electorate
}

// key is what the electorates of two epochs are equal by.
type key struct {
	list   *list.List
	keying schedule.Keying
	rule   admission.Rule
	burn   uint64
	forced bool
	exact  bool
}

// New returns the elector of a source on terms.
func New(set *list.Set, t Terms) *Elector {
	if t.KeyedBy == "" {
		t.KeyedBy = KeyedByAuto
	}
	if t.Admission == "" {
		t.Admission = admission.Auto
	}
	return &Elector{set: set, terms: t, made: map[key]*Electorate{}}
}

// For returns the electorate of an epoch. Errors: *list.EpochError, ErrNotExact,
// ErrNoList, schedule.ErrKeying and ErrKeyingUnknown, and those of
// schedule.NewStakes.
func (e *Elector) For(epoch uint64) (*Electorate, error) {
	k, err := e.choose(epoch)
	if err != nil {
		return nil, err
	}
	if made, ok := e.made[k]; ok {
		return made, nil
	}
	made, err := makeElectorate(k)
	if err != nil {
		return nil, err
	}
	e.made[k] = made
	return made, nil
}

// choose decides which list, and how to take it.
func (e *Elector) choose(epoch uint64) (key, error) {
	if len(e.set.Lists) == 0 {
		return key{}, ErrNoList
	}
	l, err := e.set.For(epoch)
	k := key{list: l, rule: admission.None, exact: e.terms.Exact}
	if err != nil {
		if !e.terms.Force {
			return key{}, err
		}
		k.list, k.forced = e.set.Latest(), true
	}
	if k.keying, err = e.keying(k.list, epoch); err != nil {
		return key{}, err
	}
	if admission.Applies(e.terms.Admission, e.terms.Cluster, epoch) {
		k.rule = e.terms.Admission
	}
	if k.rule != admission.None {
		k.burn = admission.Burn(e.terms.Cluster, epoch)
	}
	if e.terms.Exact {
		return k, e.exactly(k, epoch)
	}
	return k, nil
}

// exactly refuses what is not known to be what the network draws with.
func (e *Elector) exactly(k key, epoch uint64) error {
	p := &k.list.Provenance
	refuse := func(format string, args ...any) error {
		return fmt.Errorf("%s: %w: %s", k.list.Title(), ErrNotExact, fmt.Sprintf(format, args...))
	}
	switch {
	case p.Vintage != list.VintageExact:
		return refuse("vintage %s%s", p.Vintage, because(p.Reason))
	case k.forced:
		return refuse("they lead another epoch than %d", epoch)
	case p.Epoch == nil:
		return refuse("which epoch they lead is not said")
	case !admission.Recorded(p) && k.rule == admission.None && admission.Applies(admission.Auto, e.terms.Cluster, epoch):
		return refuse("without admission the list has vote accounts that SIMD-0357 leaves out")
	}
	return nil
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return ": " + reason
}

// keying returns what keys the epoch's schedule. A list without vote accounts
// needs no choice: its keys are what the schedule is keyed by.
func (e *Elector) keying(l *list.List, epoch uint64) (schedule.Keying, error) {
	switch {
	case e.terms.KeyedBy != KeyedByAuto:
		return schedule.ParseKeying(e.terms.KeyedBy)
	case !l.HasVotes:
		return schedule.KeyedByIdentity, nil
	}
	return schedule.KeyingFor(e.terms.Cluster, epoch)
}

func makeElectorate(k key) (*Electorate, error) {
	made := &Electorate{List: k.list, Admitted: k.list, Forced: k.forced}
	if k.rule != admission.None {
		made.Admitted, made.Report = admission.Apply(k.list, admission.Options{Rule: k.rule, Burn: k.burn})
	}
	if err := k.exactlyAdmitted(made); err != nil {
		return nil, err
	}
	var err error
	switch made.Stakes, err = schedule.NewStakes(made.Admitted.Entries, k.keying); {
	case err != nil && len(made.Report.Left) > 0:
		return nil, fmt.Errorf("%s: %w; %v", k.list.Title(), err, made.Report)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", k.list.Title(), err)
	}
	return made, nil
}

// exactlyAdmitted refuses an admission whose result is not known to be the
// network's, where that is demanded.
func (k key) exactlyAdmitted(made *Electorate) error {
	if !k.exact || k.rule == admission.None || !k.list.HasVotes {
		return nil
	}
	unsure := made.Report.State == admission.Untold || made.Report.State == admission.StakesOnly
	if made.Report.State == admission.Applied && k.burn > 0 {
		// The burn shrinks with the duration of slots, by how much is not known.
		_, without := admission.Apply(k.list, admission.Options{Rule: k.rule})
		unsure = without.Admitted != made.Report.Admitted
	}
	if unsure {
		return fmt.Errorf("%s: %w: who of its vote accounts SIMD-0357 admits is not known", k.list.Title(), ErrNotExact)
	}
	return nil
}
