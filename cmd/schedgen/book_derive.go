package main

import (
	"fmt"
	"slices"

	"github.com/schedgen/schedgen/leaders"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/admission"
	"github.com/schedgen/schedgen/stakes/electorate"
	"github.com/schedgen/schedgen/stakes/list"
)

// maxDerived is how many epochs are derived and held at once: 220 MB of
// mainnet-beta's.
const maxDerived = 1000

// A derivedEpoch is an epoch that was derived, and who was drawn in it.
type derivedEpoch struct {
	source leaders.Source
	who    *electorate.Electorate
	bare   bool // slots may be drawn by vote account, and the list has none
}

func (d *derivedEpoch) keying() schedule.Keying { return d.who.Stakes.Keying() }

// A deriving derives epochs, each once.
type deriving struct {
	byRule, byVote *electorate.Elector
	deriver        schedule.Deriver
	backend        string
	made           map[uint64]*derivedEpoch
}

// deriveEpochs offers the schedules that follow from the stakes.
func (s *shelf) deriveEpochs(first, last uint64, offer func(candidate)) error {
	if s.set == nil {
		return nil
	}
	epochs, err := s.epochsOfStakes(first, last)
	if err != nil {
		return err
	}
	if s.deriving == nil {
		if err := s.startDeriving(); err != nil {
			return err
		}
	}
	for _, epoch := range epochs {
		d, err := s.derive(epoch)
		if err != nil {
			return err
		}
		label := d.label()
		rank := map[list.Vintage]int{list.VintageExact: rankExact, list.VintageApproximate: rankApproximate, list.VintageUnknown: rankUnknown}[label.Vintage]
		offer(candidate{Held: leaders.Held{Source: d.source, Label: label}, rank: rank, derived: d})
	}
	return nil
}

// epochsOfStakes returns the epochs from first to last that can be derived.
func (s *shelf) epochsOfStakes(first, last uint64) ([]uint64, error) {
	low, high, limited := s.f.limits()
	low, high = max(low, first), min(high, last)
	have := s.set.Epochs()
	if len(have) > 0 && !(s.f.forceEpoch && limited) {
		return slices.DeleteFunc(have, func(epoch uint64) bool { return epoch < low || epoch > high }), nil
	}
	switch {
	case !limited:
		return nil, fmt.Errorf("%s does not say which epoch its stakes lead: give --epochs A..B", s.set.Lists[0].Title())
	case low > high:
		return nil, nil
	case high-low >= maxDerived:
		return nil, fmt.Errorf("--epochs: %d to %d are too many to derive for one answer, at most %d", low, high, maxDerived)
	}
	epochs := make([]uint64, 0, high-low+1)
	for n := range high - low + 1 {
		epochs = append(epochs, low+n)
	}
	return epochs, nil
}

func (s *shelf) startDeriving() error {
	backend, err := backendFromEnvironment()
	if err != nil {
		return err
	}
	byVote := s.f.epochFlags
	byVote.keyedBy = schedule.KeyedByVote.String()
	s.deriving = &deriving{
		byRule:  s.f.elector(s.set, &s.f.epochFlags, s.plan),
		byVote:  s.f.elector(s.set, &byVote, s.plan),
		backend: string(backend),
		made:    map[uint64]*derivedEpoch{},
	}
	return nil
}

func (s *shelf) derive(epoch uint64) (*derivedEpoch, error) {
	if d, ok := s.deriving.made[epoch]; ok {
		return d, nil
	}
	who, bare, err := s.electorate(epoch)
	if err != nil {
		return nil, electorateError(err, s.plan)
	}
	place := s.plan.at(epoch)
	if !place.fits {
		return nil, fmt.Errorf("epoch %d: its slots are over 18446744073709551615", epoch)
	}
	made, err := s.deriving.deriver.Derive(who.Stakes, schedule.Params{
		Epoch: epoch, FirstSlot: place.first, Slots: place.slots, Repeat: int(s.f.repeat.value), Backend: s.deriving.backend,
	})
	if err != nil {
		return nil, err
	}
	d := &derivedEpoch{leaders.FromSchedule(made), who, bare}
	s.deriving.made[epoch] = d
	return d, nil
}

// electorate returns who is drawn in an epoch. A list without vote accounts is
// drawn as it is, but only where the network draws by identity are its keys known
// to be identities. Elsewhere they count as vote accounts, so that an identity that
// is not among them is not taken for one without stake.
func (s *shelf) electorate(epoch uint64) (who *electorate.Electorate, bare bool, err error) {
	who, err = s.deriving.byRule.For(epoch)
	if err != nil || who.List.HasVotes || s.f.keyedBy == schedule.KeyedByIdentity.String() {
		return who, false, err
	}
	if keying, err := schedule.KeyingFor(s.plan.cluster, epoch); err == nil && keying == schedule.KeyedByIdentity {
		return who, false, nil
	}
	who, err = s.deriving.byVote.For(epoch)
	return who, true, err
}

// label says what a derived schedule is worth.
func (d *derivedEpoch) label() leaders.Label {
	l := leaders.LabelOf(&d.who.List.Provenance)
	l.Source = d.who.List.Title()
	switch {
	case d.who.Forced:
		l.Vintage, l.Reason = list.VintageApproximate, "the stakes are those of another epoch"
	case d.who.Report.State == admission.Untold && l.Vintage == list.VintageExact:
		l.Vintage, l.Reason = list.VintageUnknown, "whom of its vote accounts SIMD-0357 admits is not known"
	}
	if l.Vintage == "" {
		l.Vintage = list.VintageUnknown
	}
	return l
}

// noteTerms tells what about the stakes of an epoch a user should know.
func (s *shelf) noteTerms(epoch uint64, d *derivedEpoch) {
	name := d.who.List.Title()
	if label := d.label(); label.Vintage == list.VintageApproximate {
		s.note("%s: epoch %d is approximate, the network's schedule is another one: %s", name, epoch, label.Reason)
	}
	for _, text := range d.who.List.Provenance.Notes {
		s.note("%s: %s", name, text)
	}
	if text := d.who.Report.String(); text != "" && admissionMatters(d.who) {
		s.note("epoch %d: %s", epoch, text)
	}
	if d.bare {
		s.note("%s has no vote accounts: each of its keys is drawn, and leads, as it is", name)
	}
}

// leftOut says why SIMD-0357 keeps the stake of a key out of an epoch; "" when it
// does not.
func (d *derivedEpoch) leftOut(key leaders.Key) string {
	if len(d.who.Report.Left) == 0 {
		return ""
	}
	its := map[schedule.Pubkey]bool{key.Pubkey: key.Vote} // vote accounts
	for _, e := range d.who.List.Entries {
		if !key.Vote && e.Node == key.Pubkey {
			its[e.Key] = true
		}
	}
	for _, left := range d.who.Report.Left {
		if its[left.Key] && left.Reason != admission.NoStake {
			return string(left.Reason)
		}
	}
	return ""
}
