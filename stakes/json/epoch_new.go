package json

import (
	"bytes"
	"fmt"
	"math"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
)

// epochNew gathers a message epoch.new. Its lists are by rank: identities, one a
// vote account where the schedule is keyed so, and their stakes; leader_slots has
// the rank of each rotation.
type epochNew struct {
	plain  map[string]value // members that are no list
	nodes  []schedule.Pubkey
	stakes []uint64

	rotations uint64
	ranks     []uint32 // of leader_slots; the first maxRanks
	rank      uint64   // the largest of leader_slots
	rankAt    uint64   // and its rotation
}

// maxRanks is how many rotations are held against the schedule that the list
// gives: more than the 108,000 of the public clusters.
const maxRanks = 1 << 17

// member reads a member of the message. What is no list is judged at the end:
// other forms may use the same names for other things.
func (e *epochNew) member(d *decoder, name string) error {
	v, err := d.next()
	if err != nil {
		return err
	}
	switch name {
	case "staked_pubkeys":
		return e.elements(d, v, func(v value) error {
			key, err := d.pubkey(v)
			e.nodes = append(e.nodes, key)
			return err
		})
	case "staked_lamports":
		return e.elements(d, v, func(v value) error {
			stake, err := d.lamports(v, ErrStake)
			e.stakes = append(e.stakes, stake)
			return err
		})
	case "leader_slots":
		return e.elements(d, v, func(v value) error {
			rank, err := d.uint64(v)
			if e.rotations == 0 || rank > e.rank {
				e.rank, e.rankAt = rank, e.rotations
			}
			if e.rotations++; len(e.ranks) < maxRanks {
				e.ranks = append(e.ranks, uint32(min(rank, math.MaxUint32)))
			}
			return err
		})
	}
	if e.plain == nil {
		e.plain = map[string]value{}
	}
	e.plain[name] = v
	return d.skip(v)
}

func (e *epochNew) elements(d *decoder, v value, visit func(value) error) error {
	if v.kind != '[' {
		return d.fail("%w: %s, want an array", ErrMember, v)
	}
	return d.array(visit)
}

// checkTopic refuses a message that is another than epoch.new.
func (e *epochNew) checkTopic(d *decoder) error {
	for _, want := range []struct{ name, text string }{{"topic", "epoch"}, {"key", "new"}} {
		v, ok := e.plain[want.name]
		if ok && (v.kind != '"' || v.text != want.text) {
			return d.fail("%w: a message whose %s is %s, want %q", ErrForm, want.name, v, want.text)
		}
	}
	return nil
}

// number returns a member that is a whole number; false when it is missing.
func (e *epochNew) number(d *decoder, name string) (uint64, bool, error) {
	v, ok := e.plain[name]
	if !ok || v.kind == 'n' {
		return 0, false, nil
	}
	d.path = append(d.path, step{name: name, index: -1})
	n, err := d.uint64(v)
	d.path = d.path[:len(d.path)-1]
	return n, true, err
}

// list checks that the message is whole, and makes the list of it.
func (e *epochNew) list(d *decoder, name string) (*list.List, error) {
	if err := e.checkTopic(d); err != nil {
		return nil, err
	}
	if len(e.nodes) != len(e.stakes) {
		return nil, d.fail("%w: staked_pubkeys has %d entries and staked_lamports has %d, want a message that is not cut",
			ErrMember, len(e.nodes), len(e.stakes))
	}
	if e.rotations > 0 && e.rank >= uint64(len(e.nodes)) {
		return nil, d.fail("%w: leader_slots[%d] is rank %d of %d entries, want a message that is not cut",
			ErrMember, e.rankAt, e.rank, len(e.nodes))
	}
	epoch, ok, err := e.number(d, "epoch")
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, d.fail("%w: no epoch", ErrMember)
	}
	if err := e.checkRepeated(d); err != nil {
		return nil, err
	}
	l := &list.List{Entries: make([]schedule.Entry, len(e.nodes))}
	for i, node := range e.nodes {
		l.Entries[i] = schedule.Entry{Key: node, Node: node, Stake: e.stakes[i]}
	}
	l.Provenance = list.Provenance{
		Kind: list.KindEpochNew, Source: name, Epoch: &epoch, Vintage: list.VintageExact,
		Reason: "the list that a node draws the epoch with",
	}
	params, err := e.slots(d, &l.Provenance, epoch)
	if err != nil {
		return nil, err
	}
	if problem := e.disagrees(l.Entries, params); problem != "" {
		l.Provenance.Vintage, l.Provenance.Reason = list.VintageApproximate, problem
	}
	if err := e.excluded(d, &l.Provenance); err != nil {
		return nil, err
	}
	return l, nil
}

// slots looks at the epoch's slots: they tell the epoch schedule when they are
// those of a public cluster, and how many rotations there should be. The result is
// nil when leader_slots is not the whole schedule of known slots.
func (e *epochNew) slots(d *decoder, p *list.Provenance, epoch uint64) (*schedule.Params, error) {
	first, hasFirst, err := e.number(d, "start_slot")
	if err != nil {
		return nil, err
	}
	last, hasLast, err := e.number(d, "end_slot")
	if err != nil || !hasFirst || !hasLast {
		return nil, err
	}
	if last < first || last-first == math.MaxUint64 {
		return nil, d.fail("%w: end_slot %d before start_slot %d", ErrMember, last, first)
	}
	for _, cluster := range schedule.Clusters() {
		es, err := schedule.ClusterSchedule(cluster)
		if err == nil && uint64(es.FirstSlot(epoch)) == first && uint64(es.LastSlot(epoch)) == last {
			p.EpochSchedule = &es
			break
		}
	}
	switch want := (last-first)/schedule.DefaultRepeat + 1; {
	case e.rotations == 0:
		return nil, nil
	case e.rotations != want:
		p.Note("leader_slots has %d rotations, an epoch of %d slots has %d", e.rotations, last-first+1, want)
		return nil, nil
	case e.rotations > maxRanks:
		return nil, nil
	}
	return &schedule.Params{Epoch: epoch, FirstSlot: schedule.Slot(first), Slots: last - first + 1}, nil
}

// excluded looks at whether the node left validators out.
func (e *epochNew) excluded(d *decoder, p *list.Provenance) error {
	v, ok := e.plain["excluded_stake_lamports"]
	if !ok || v.kind == 'n' {
		return nil
	}
	d.path = append(d.path, step{name: "excluded_stake_lamports", index: -1})
	stake, err := d.lamports(v, ErrStake)
	d.path = d.path[:len(d.path)-1]
	if err == nil && stake > 0 {
		p.Vintage = list.VintageApproximate
		p.Reason = fmt.Sprintf("the node left out validators with %d lamports", stake)
	}
	return err
}

// checkRepeated refuses an identity that stands there again: it has vote accounts
// that the message does not name, and a list by identity cannot keep them apart.
func (e *epochNew) checkRepeated(d *decoder) error {
	seen := make(map[schedule.Pubkey]int, len(e.nodes))
	for i, node := range e.nodes {
		if first, ok := seen[node]; ok {
			return d.fail("%w: staked_pubkeys has identity %v at %d and %d, for vote accounts that the message does not name: want stakes by vote account, as a snapshot has them",
				ErrKey, node, first, i)
		}
		seen[node] = i
	}
	return nil
}

// disagrees says why the schedule that a list by identity gives may be another
// than the node's; "" if it is the same. leader_slots tells, where params has it
// whole; otherwise the order of the entries does, which is that of the ranks.
func (e *epochNew) disagrees(entries []schedule.Entry, params *schedule.Params) string {
	rank := e.unsorted()
	if params != nil {
		if at, ok := e.firstOther(entries, *params); ok && at < 0 {
			return ""
		} else if ok && rank < 0 {
			return fmt.Sprintf("its stakes give another leader than its leader_slots[%d] has", at)
		}
	}
	switch {
	case rank < 0:
		return ""
	case e.stakes[rank-1] == e.stakes[rank]:
		return fmt.Sprintf("staked_lamports[%d] is equal to the one before, and their order is by vote accounts, which the message does not name", rank)
	}
	return fmt.Sprintf("staked_lamports[%d] is more than the one before, which is not the order of ranks", rank)
}

// unsorted returns the first rank that stakes and identities alone would put
// elsewhere, or -1.
func (e *epochNew) unsorted() int {
	for i := 1; i < len(e.nodes); i++ {
		a, b := e.stakes[i-1], e.stakes[i]
		if a < b || a == b && bytes.Compare(e.nodes[i-1][:], e.nodes[i][:]) < 0 {
			return i
		}
	}
	return -1
}

// firstOther derives the schedule and returns the first rotation whose leader in
// the message is another one, or -1; false if nothing can be derived, which is
// for who derives to report.
func (e *epochNew) firstOther(entries []schedule.Entry, params schedule.Params) (rotation int, ok bool) {
	stakes, err := schedule.NewStakes(entries, schedule.KeyedByIdentity)
	if err != nil {
		return 0, false
	}
	s, err := schedule.Derive(stakes, params)
	if err != nil {
		return 0, false
	}
	for i, rank := range e.ranks {
		leader, _ := s.Leader(schedule.Index(i * schedule.DefaultRepeat))
		if leader != e.nodes[rank] {
			return i, true
		}
	}
	return -1, true
}
