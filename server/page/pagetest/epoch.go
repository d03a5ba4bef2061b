package pagetest

import (
	"cmp"
	"encoding/hex"
	"math"
	"slices"
	"strconv"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
)

// An epoch is one that the service holds.
type epoch struct {
	*schedule.Schedule
	relation   string // previous, current, next, or "" for others
	provenance list.Provenance
	leaders    []leader
}

// A leader is an element of what /v1/epochs/{e}/leaders answers.
type leader struct {
	Rank          int      `json:"rank"`
	Identity      string   `json:"identity"`
	VoteAccounts  []string `json:"voteAccounts"`
	Stake         string   `json:"stake"` // lamports
	ExpectedSlots float64  `json:"expectedSlots"`
	Slots         uint64   `json:"slots"`
	Z             float64  `json:"z"`
	key           schedule.Pubkey
	stake         uint64
}

// A summary is an element of what /v1/epochs answers.
type summary struct {
	Epoch      uint64          `json:"epoch"`
	Relation   *string         `json:"relation"`
	FirstSlot  schedule.Slot   `json:"firstSlot"`
	LastSlot   schedule.Slot   `json:"lastSlot"`
	Slots      uint64          `json:"slots"`
	Entries    int             `json:"entries"`
	Identities int             `json:"identities"`
	TotalStake string          `json:"totalStake"`
	KeyedBy    string          `json:"keyedBy"`
	Digest     string          `json:"digest"`
	Provenance list.Provenance `json:"provenance"`
	Notes      []string        `json:"notes"`
}

func newEpoch(number uint64, offset int, entries []schedule.Entry, o *Options) (*epoch, error) {
	stakes, err := schedule.NewStakes(entries, schedule.KeyedByVote)
	if err != nil {
		return nil, err
	}
	params := schedule.Params{
		Epoch: number, Slots: o.Schedule.SlotsIn(number), FirstSlot: o.Schedule.FirstSlot(number),
	}
	s, err := schedule.Derive(stakes, params)
	if err != nil {
		return nil, err
	}
	e := &epoch{Schedule: s, relation: map[int]string{-1: "previous", 0: "current", 1: "next"}[offset]}
	e.provenance = list.Provenance{
		Kind: list.KindExample, Source: o.Source, Cluster: "mainnet-beta", Epoch: &number,
		Vintage: vintages[offset], Reason: o.Reason,
	}
	e.countLeaders()
	return e, nil
}

// countLeaders sets the leaders, by stake.
func (e *epoch) countLeaders() {
	stakes := e.Stakes()
	at := make(map[schedule.Pubkey]int)
	for _, entry := range stakes.All() {
		i, ok := at[entry.Node]
		if !ok {
			i = len(e.leaders)
			at[entry.Node] = i
			e.leaders = append(e.leaders, leader{Identity: entry.Node.String(), key: entry.Node})
		}
		e.leaders[i].stake += entry.Stake
		e.leaders[i].VoteAccounts = append(e.leaders[i].VoteAccounts, entry.Key.String())
	}
	for identity, slots := range e.Leaders() {
		for range slots {
			e.leaders[at[identity]].Slots++
		}
	}
	slices.SortStableFunc(e.leaders, func(a, b leader) int { return cmp.Compare(b.stake, a.stake) })
	for i := range e.leaders {
		l := &e.leaders[i]
		share := float64(l.stake) / float64(stakes.Total())
		windows := float64(e.Rotations())
		l.Rank = i
		l.Stake = strconv.FormatUint(l.stake, 10)
		l.ExpectedSlots = share * float64(e.Slots())
		l.Z = (float64(l.Slots)/float64(e.Repeat()) - windows*share) / math.Sqrt(windows*share*(1-share))
	}
}

func (e *epoch) summary() summary {
	digest := e.Digest()
	s := summary{
		Epoch: e.Epoch(), FirstSlot: e.FirstSlot(), LastSlot: e.FirstSlot() + schedule.Slot(e.Slots()-1),
		Slots: e.Slots(), Entries: e.Stakes().Len(), Identities: e.Stakes().Identities(),
		TotalStake: strconv.FormatUint(e.Stakes().Total(), 10), KeyedBy: "vote",
		Digest: hex.EncodeToString(digest[:]), Provenance: e.provenance, Notes: []string{},
	}
	if e.relation != "" {
		s.Relation = &e.relation
	}
	if e.provenance.Vintage != list.VintageExact {
		s.Notes = append(s.Notes, "stakes that are not exact give another schedule than the network's")
	}
	return s
}
