package server

import (
	"iter"
	"slices"

	"github.com/schedgen/schedgen/leaders"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server/epochs"
	"github.com/schedgen/schedgen/server/slotfeed"
)

// tracked tells when each tracked key leads. Where the current epoch is not held
// nothing is told of it.
func (t teller) tracked(now slotfeed.Now) {
	s := t.c.s
	if len(s.c.Track) == 0 {
		return
	}
	e, _, err := s.epochs.EpochOfSlot(now.Slot)
	if err != nil {
		return
	}
	book, err := s.epochs.Book(e.Number(), e.Number()+2)
	if err != nil {
		return
	}
	keys := slices.Clone(s.c.Track)
	slices.SortFunc(keys, func(a, b schedule.Pubkey) int { return a.Compare(b) })
	for _, pubkey := range slices.Compact(keys) {
		key := keyIn(e, pubkey)
		all, begun := countSlots(e.Schedule(), key, now.Slot)
		t.gauge("leader_slots", float64(all), pubkey.String())
		t.gauge("leader_slots_begun", float64(begun), pubkey.String())
		ahead, _ := book.Next([]leaders.Key{key}, now.Slot, 1) // fewer with an error, which may be none
		if ahead == nil || len(ahead.Windows) == 0 {
			continue
		}
		first := ahead.Windows[0].First
		t.gauge("next_leader_slot", float64(first), pubkey.String())
		if estimate := now.Clock.TimeOf(first); now.Clock.PerSlot > 0 && !estimate.Capped {
			t.gauge("next_leader_seconds", max(estimate.Time.Sub(s.c.Now()).Seconds(), 0), pubkey.String())
		}
	}
}

// keyIn returns what a key is asked about as: a vote account where the stakes of an
// epoch know it as one, and as nobody's identity.
func keyIn(e *epochs.Epoch, key schedule.Pubkey) leaders.Key {
	vote := false
	for _, entry := range e.List().Entries {
		if entry.Node == key {
			return leaders.Identity(key)
		}
		vote = vote || entry.Key == key && e.List().HasVotes
	}
	return leaders.Key{Pubkey: key, Vote: vote}
}

// countSlots counts the slots that a key leads in an epoch, and those of them that
// have begun at a slot.
func countSlots(s *schedule.Schedule, key leaders.Key, now schedule.Slot) (all, begun int) {
	slots := iter.Seq[schedule.Slot](s.SlotsOf(key.Pubkey))
	if key.Vote {
		slots = s.SlotsOfVote(key.Pubkey)
	}
	for slot := range slots {
		all++
		if slot <= now {
			begun++
		}
	}
	return all, begun
}
