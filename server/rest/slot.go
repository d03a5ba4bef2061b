package rest

import (
	"strconv"

	"github.com/schedgen/schedgen/schedule"
)

// SlotAnswer is the answer to GET /v1/slots/{slot}.
type SlotAnswer struct {
	Slot        schedule.Slot    `json:"slot"`
	Epoch       uint64           `json:"epoch"`
	SlotIndex   schedule.Index   `json:"slotIndex"`
	Rotation    uint64           `json:"rotation"` // in the epoch, from 0
	Leader      schedule.Pubkey  `json:"leader"`
	VoteAccount *schedule.Pubkey `json:"voteAccount"` // null where slots were drawn by identity
	Time        *string          `json:"time"`        // at which it begins, an estimate
	ErrorMillis *uint64          `json:"errorMillis"`
}

func (h *Handler) slot(c *call) error {
	text := c.r.PathValue("slot")
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return badf("slot", "slot %q, want a number up to 18446744073709551615", shorten(text))
	}
	es, err := h.epochSchedule()
	if err != nil {
		return err
	}
	epoch, i := es.EpochOf(schedule.Slot(n))
	e, err := h.open(epoch)
	if err != nil {
		return err
	}
	sched := e.Schedule()
	leader, ok := sched.Leader(i)
	if !ok { // where the fields of es contradict each other
		return &schedule.UnknownEpochError{Epoch: epoch}
	}
	answer := SlotAnswer{
		Slot: schedule.Slot(n), Epoch: epoch, SlotIndex: i, Rotation: uint64(i) / uint64(sched.Repeat()), Leader: leader,
	}
	if vote, ok := sched.Vote(i); ok && e.List().HasVotes {
		answer.VoteAccount = &vote
	}
	if now, ok := h.now(); ok {
		answer.Time, answer.ErrorMillis = timeOf(now.Clock, answer.Slot)
	}
	return h.json(c, &answer, noCache)
}
