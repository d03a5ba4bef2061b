package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/schedgen/schedgen/leaders"
	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/schedulefile"
	"github.com/schedgen/schedgen/stakes/list"
)

// A bookView is the book of some epochs, as the sources have it at one time.
type bookView struct {
	*leaders.Book
	keys    []leaders.Key
	stakes  map[uint64]*derivedEpoch // of the epochs that are derived
	sources []string                 // what else there is, for messages
	limited bool                     // to the epochs of --epochs
}

// A candidate is the schedule of an epoch from one source.
type candidate struct {
	leaders.Held
	rank    int // of several, the highest counts
	derived *derivedEpoch
}

func (c *candidate) name() string {
	if c.derived != nil {
		return "schedule that follows from the stakes of " + c.Label.Source
	}
	return "schedule of " + c.Label.Source
}

// Ranks of candidates: the network's own schedule goes before one that somebody
// saved, that before one of stakes of unknown or other times, and one with gaps
// comes last.
const (
	rankGaps = iota
	rankApproximate
	rankUnknown
	rankSaved
	rankExact
)

// view takes the epochs from first to last from the sources.
func (s *shelf) view(ctx context.Context, first, last uint64) (*bookView, error) {
	best := map[uint64]candidate{}
	offer := func(c candidate) {
		epoch := c.Source.Epoch()
		old, taken := best[epoch]
		if taken && old.rank >= c.rank {
			old, c = c, old
		}
		if taken {
			s.note("epoch %d: the %s is taken, not the %s", epoch, c.name(), old.name())
		}
		best[epoch] = c
	}
	if err := s.deriveEpochs(first, last, offer); err != nil {
		return nil, err
	}
	if err := s.placeFiles(first, last, offer); err != nil {
		return nil, err
	}
	if err := s.askNodes(ctx, first, last, offer); err != nil {
		return nil, err
	}
	v := &bookView{keys: s.keys, stakes: map[uint64]*derivedEpoch{}, sources: s.sources()}
	_, _, v.limited = s.f.limits()
	var held []leaders.Held
	for _, epoch := range slices.Sorted(maps.Keys(best)) {
		c := best[epoch]
		held = append(held, c.Held)
		if c.derived != nil {
			v.stakes[epoch] = c.derived
			s.noteTerms(epoch, c.derived)
		}
	}
	var err error
	v.Book, err = leaders.New(s.es, held...)
	return v, err
}

// sources says what the sources have, for messages about what they have not.
func (s *shelf) sources() []string {
	var all []string
	if s.set != nil {
		if epochs := s.set.Epochs(); len(epochs) > 0 {
			all = append(all, fmt.Sprintf("%s has the stakes of %s", s.set.Lists[0].Title(), epochList(epochs)))
		}
	}
	for _, n := range s.nodes {
		all = append(all, n.client.Address()+" does not have it")
	}
	return all
}

// placeFiles offers the schedules in files.
func (s *shelf) placeFiles(first, last uint64, offer func(candidate)) error {
	for _, o := range s.files {
		epoch, err := s.epochOf(o)
		if err != nil {
			return err
		}
		low, high, _ := s.f.limits()
		if epoch < max(first, low) || epoch > min(last, high) {
			continue
		}
		source, err := leaders.FromObserved(o, epoch, s.es)
		if err != nil {
			return fmt.Errorf("epoch %d: %w", epoch, err)
		}
		if s.f.exact {
			return fmt.Errorf("--exact: %s does not say that it is the schedule of the network", o.Source)
		}
		label := leaders.Label{Source: o.Source, Vintage: list.VintageUnknown, Reason: "a saved schedule"}
		rank := rankSaved
		if o.Known() < s.es.SlotsIn(epoch) {
			rank, label.Reason = rankGaps, "a saved schedule, of some leaders or with gaps"
		}
		offer(candidate{Held: leaders.Held{Source: source, Label: label}, rank: rank})
	}
	return nil
}

// epochOf returns the epoch of a saved schedule.
func (s *shelf) epochOf(o *schedulefile.Observed) (uint64, error) {
	switch {
	case o.DigestOnly():
		return 0, fmt.Errorf("%s: %w", o.Source, schedulefile.ErrDigestOnly)
	case o.Epoch != nil:
		return *o.Epoch, nil
	case o.FirstSlot != nil:
		epoch, _ := s.es.EpochOf(*o.FirstSlot)
		return epoch, nil
	}
	if first, last, limited := s.f.limits(); limited && first == last {
		return first, nil
	}
	return 0, fmt.Errorf("%s does not say which epoch it is of: give --epochs N with one epoch, or a format with slots, such as text or json", o.Source)
}

// askNodes offers the schedules that nodes have, up to the last epoch that is fixed
// by now.
func (s *shelf) askNodes(ctx context.Context, first, last uint64, offer func(candidate)) error {
	for _, n := range s.nodes {
		if n != s.timer || !s.timed {
			if err := n.look(ctx); err != nil {
				return err
			}
		}
		low, high := n.epochs()
		limitFirst, limitLast, _ := s.f.limits()
		low, high = max(low, first, limitFirst), min(high, last, limitLast)
		n.forget(low)
		for epoch := low; epoch <= high; epoch++ {
			source, err := n.schedule(ctx, epoch, s.keys)
			if errors.Is(err, noderpc.ErrUnavailable) {
				continue
			}
			if err != nil {
				return err
			}
			label := leaders.Label{Source: n.client.Address(), Vintage: list.VintageExact, Reason: "the schedule that the node goes by"}
			offer(candidate{Held: leaders.Held{Source: source, Label: label}, rank: rankExact})
		}
	}
	return nil
}

// epochs returns the first and the last epoch whose schedule a node may have.
func (n *bookNode) epochs() (first, last uint64) {
	const back, ahead = 10, 4 // at most, also where a made-up cluster has another offset
	now, _ := n.es.EpochOf(n.slot)
	return now - min(now, back), min(max(n.es.LeaderScheduleEpoch(n.slot), now), now+min(ahead, math.MaxUint64-now))
}

// forget drops the schedules of epochs before one.
func (n *bookNode) forget(before uint64) {
	for epoch := range n.known {
		if epoch < before {
			delete(n.known, epoch)
		}
	}
}

// unknown explains an answer that is not known: which epoch it takes, and where
// that may come from.
func (v *bookView) unknown(u *leaders.UnknownError) error {
	if u.Key != nil {
		return fmt.Errorf("%w%s", u, v.hint(u))
	}
	have := ""
	if len(v.sources) > 0 {
		have = " (" + strings.Join(v.sources, ", ") + ")"
	}
	before := ""
	if u.Epoch > 0 {
		before = fmt.Sprintf(", such as a snapshot of epoch %d", u.Epoch-1)
	}
	return fmt.Errorf("the leader schedule of epoch %d is not known%s: give its stakes (--stakes%s) or the schedule itself (--schedule, a file or the address of a node)",
		u.Epoch, have, before)
}

// hint says what helps where a schedule does not tell about a key.
func (v *bookView) hint(u *leaders.UnknownError) string {
	d := v.stakes[u.Epoch]
	switch {
	case d != nil && d.bare:
		return ": give a list with vote_pubkey and node_pubkey, or --keyed-by identity when its keys are identities"
	case d != nil && u.Key.Vote && d.keying() == schedule.KeyedByIdentity:
		return ": give --identity"
	case d == nil && u.Key.Vote:
		return ": give --identity, or a stake list with --stakes"
	}
	return ""
}

// epochList names epochs, ascending: "epoch 7", "epochs 7 and 8", "epochs 7 to 12".
func epochList(epochs []uint64) string {
	n := len(epochs)
	switch {
	case n == 1:
		return fmt.Sprintf("epoch %d", epochs[0])
	case n == 2:
		return fmt.Sprintf("epochs %d and %d", epochs[0], epochs[1])
	case n > 0 && epochs[n-1]-epochs[0] == uint64(n-1):
		return fmt.Sprintf("epochs %d to %d", epochs[0], epochs[n-1])
	}
	return "epochs " + joinNumbers(slices.Clone(epochs))
}
