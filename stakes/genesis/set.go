package genesis

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
)

// maxEpochs is for how many epochs a set has lists: a genesis with an offset of
// many epochs would have one for each of them.
const maxEpochs = 8

// reason is why the stakes are exact.
const reason = "the network takes the stakes of its first epochs from the genesis"

// set makes a list for each epoch whose schedule is fixed at slot 0. The error
// says that there is no stake.
func (a *accounts) set(c config, hash schedule.Pubkey, name string) (*list.Set, error) {
	entries, info := a.entries()
	if len(entries) == 0 {
		return nil, fmt.Errorf("%w: no vote account has stake that is active from the start", schedule.ErrNoStake)
	}
	p := list.Provenance{
		Kind:    list.KindGenesis,
		Source:  name,
		Cluster: list.ClusterOf(hash),
		Vintage: list.VintageExact,
		Reason:  reason,
	}
	last := c.schedule.LeaderScheduleEpoch(0)
	if last >= maxEpochs {
		a.notes.add("the genesis fixes the schedules of epochs 0 to %d, here are the stakes of the first %d", last, maxEpochs)
		last = maxEpochs - 1
	}
	if p.Cluster == "" && slices.Contains(schedule.Clusters(), c.cluster) {
		a.notes.add("the genesis says that it is for %s, but its hash %v is another one", c.cluster, hash)
	}
	set := &list.Set{}
	for epoch := uint64(0); epoch <= last; epoch++ {
		of, slot, es, genesis := p, schedule.Slot(0), c.schedule, hash
		of.Epoch, of.Slot, of.EpochSchedule, of.GenesisHash = &epoch, &slot, &es, &genesis
		of.Notes = a.notes.list()
		set.Lists = append(set.Lists, list.List{
			Entries:    slices.Clone(entries),
			HasVotes:   true,
			Accounts:   slices.Clone(info),
			Provenance: of,
		})
	}
	return set, nil
}

// entries returns the vote accounts with stake, and notes what stake has none.
func (a *accounts) entries() (entries []schedule.Entry, info []list.Account) {
	slices.SortFunc(a.voters, func(x, y voter) int { return bytes.Compare(x.key[:], y.key[:]) })
	for i := range a.voters {
		v := &a.voters[i]
		stake := a.delegated[v.key]
		delete(a.delegated, v.key)
		if stake == 0 {
			continue
		}
		entries = append(entries, schedule.Entry{Key: v.key, Node: v.Node, Stake: stake})
		info = append(info, list.Account{Lamports: v.lamports, BLS: v.HasBLS})
	}
	rest := make([]schedule.Pubkey, 0, len(a.delegated))
	for to := range a.delegated {
		rest = append(rest, to)
	}
	slices.SortFunc(rest, schedule.Pubkey.Compare)
	for _, to := range rest {
		a.notes.add("%d lamports do not count: they are delegated to %v, which is no vote account", a.delegated[to], to)
	}
	return entries, info
}

// notes are the first of many.
type notes struct {
	kept []string
	more int
}

func (n *notes) add(format string, args ...any) {
	const most = 20
	if len(n.kept) == most {
		n.more++
		return
	}
	n.kept = append(n.kept, fmt.Sprintf(format, args...))
}

func (n *notes) list() []string {
	kept := slices.Clone(n.kept)
	if n.more > 0 {
		kept = append(kept, fmt.Sprintf("%d more notes of this kind", n.more))
	}
	return kept
}
