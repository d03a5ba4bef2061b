package rest

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server/epochs"
	"github.com/schedgen/schedgen/server/splice"
)

// Standings is the answer to GET /v1/epochs/{epoch}/leaders: who was drawn from, and
// how often each was drawn.
type Standings struct {
	Epoch      uint64     `json:"epoch"`
	TotalStake uint64     `json:"totalStake,string"` // lamports
	Slots      uint64     `json:"slots"`
	Rotations  int        `json:"rotations"` // draws
	Leaders    []Standing `json:"leaders"`   // by stake, the largest first
}

// Standing is one identity in an epoch.
type Standing struct {
	Rank          int               `json:"rank"` // place by stake, from 1
	Identity      schedule.Pubkey   `json:"identity"`
	VoteAccounts  []schedule.Pubkey `json:"voteAccounts"` // with stake; none where the list does not tell
	Stake         uint64            `json:"stake,string"` // lamports, of all vote accounts
	ExpectedSlots *float64          `json:"expectedSlots"`
	Slots         uint64            `json:"slots"`
	Z             *float64          `json:"z"` // see luck
}

// standingsVersion is the formVersion of Standings.
const standingsVersion = "1"

func (h *Handler) standings(c *call) error {
	limit, limited, err := c.number("limit", 1, math.MaxInt32)
	if err != nil {
		return err
	}
	e, err := h.epochAt(c, "/leaders")
	if err != nil {
		return err
	}
	if !accepts(c.r.Header["Accept"], jsonType) {
		return refuseAccept(jsonType)
	}
	// The entity tag follows from the stakes, so that who has the answer does not
	// make us count again.
	m := &meta{contentType: jsonType, cache: noCache, encoding: c.encoding(splice.Gzip)}
	tag := e.ETag(epochs.Kind(schedule.FormatCSV), m.encoding)
	m.etag = tag[:len(tag)-1] + "-leaders" + standingsVersion + `"`
	if matches(c.r.Header["If-None-Match"], m.etag) {
		c.begin(m)
		return nil
	}
	s := standingsOf(e)
	if limited && limit < uint64(len(s.Leaders)) {
		s.Leaders = s.Leaders[:limit]
	}
	body, err := json.Marshal(s)
	if err != nil {
		return err
	}
	return h.send(c, m, append(body, '\n'))
}

func standingsOf(e *epochs.Epoch) *Standings {
	sched := e.Schedule()
	stakes := sched.Stakes()
	s := &Standings{Epoch: e.Number(), TotalStake: stakes.Total(), Slots: sched.Slots(), Rotations: sched.Rotations()}
	places := make(map[schedule.Pubkey]int, stakes.Len())
	votes := votesOf(e)
	var rotations []uint64
	counts := sched.CountRotations(nil)
	for rank, entry := range stakes.All() {
		i, ok := places[entry.Node]
		if !ok {
			i = len(s.Leaders)
			places[entry.Node] = i
			s.Leaders = append(s.Leaders, Standing{Identity: entry.Node, VoteAccounts: votes[entry.Node]})
			rotations = append(rotations, 0)
		}
		s.Leaders[i].Stake += entry.Stake
		rotations[i] += uint64(counts[rank])
	}
	short, missing := shortRotation(sched)
	for i := range s.Leaders {
		l := &s.Leaders[i]
		if l.VoteAccounts == nil {
			l.VoteAccounts = []schedule.Pubkey{}
		}
		share := float64(l.Stake) / float64(s.TotalStake)
		l.ExpectedSlots, l.Z = rounded(share*float64(s.Slots), 2), luck(rotations[i], s.Rotations, share)
		l.Slots = rotations[i] * uint64(sched.Repeat())
		if l.Identity == short {
			l.Slots -= missing
		}
	}
	slices.SortStableFunc(s.Leaders, func(a, b Standing) int { return cmp.Compare(b.Stake, a.Stake) })
	for i := range s.Leaders {
		s.Leaders[i].Rank = i + 1
	}
	return s
}

// shortRotation returns who leads the last rotation, and how many slots that lacks.
func shortRotation(s *schedule.Schedule) (leader schedule.Pubkey, missing uint64) {
	leader, _ = s.Leader(schedule.Index(s.Slots() - 1))
	return leader, uint64(s.Rotations())*uint64(s.Repeat()) - s.Slots()
}

// votesOf returns the vote accounts with stake of each identity.
func votesOf(e *epochs.Epoch) map[schedule.Pubkey][]schedule.Pubkey {
	votes := map[schedule.Pubkey][]schedule.Pubkey{}
	if !e.List().HasVotes {
		return votes
	}
	for _, entry := range e.Electorate().Admitted.Entries {
		if entry.Stake > 0 && !slices.Contains(votes[nodeOf(entry)], entry.Key) {
			votes[nodeOf(entry)] = append(votes[nodeOf(entry)], entry.Key)
		}
	}
	return votes
}

// luck returns by how many standard deviations somebody with a share of the stake
// was drawn more often than expected, in so many draws with replacement: the score
// of a binomial distribution. nil when there is nothing to be lucky about.
func luck(drawn uint64, draws int, share float64) *float64 {
	n := float64(draws)
	deviation := math.Sqrt(n * share * (1 - share))
	if !(deviation > 0) {
		return nil
	}
	return rounded((float64(drawn)-n*share)/deviation, 3)
}
