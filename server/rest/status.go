package rest

import "github.com/schedgen/schedgen/schedule"

// Status is the answer to GET /v1/status.
type Status struct {
	Cluster       *string                 `json:"cluster"`
	GenesisHash   *schedule.Pubkey        `json:"genesisHash"`
	Version       string                  `json:"version"` // of the program
	EpochSchedule *schedule.EpochSchedule `json:"epochSchedule"`
	Now           string                  `json:"now"` // by the service's own time
	Clock         *ClockState             `json:"clock"`
	Held          []uint64                `json:"held"`  // epochs that can be read, ascending
	Ready         bool                    `json:"ready"` // answers can be relied on
	Upstream      *Upstream               `json:"upstream"`
}

// Upstream compares a schedule with the one that another node has.
type Upstream struct {
	Address string  `json:"address"` // without credentials
	Epoch   uint64  `json:"epoch"`
	Digest  *string `json:"digest"` // of its schedule, in hexadecimal
	Ours    *string `json:"ours"`
	Equal   *bool   `json:"equal"` // null when one of them is not known
}

func (h *Handler) status(c *call) error {
	s := Status{
		GenesisHash: h.c.Epochs.GenesisHash(), Version: h.c.Version, Now: timeText(h.c.Now()),
		Clock: h.clockState(), Held: []uint64{}, Ready: h.ready(),
	}
	if name := h.c.Epochs.Cluster(); name != "" {
		s.Cluster = &name
	}
	if es, err := h.epochSchedule(); err == nil {
		s.EpochSchedule = &es
	}
	for _, held := range h.c.Epochs.Held() {
		if held.Err == nil {
			s.Held = append(s.Held, held.Epoch)
		}
	}
	if h.c.Upstream != nil {
		s.Upstream = h.c.Upstream()
	}
	return h.json(c, &s, noStore)
}

func (h *Handler) ready() bool {
	if h.c.Ready != nil {
		return h.c.Ready()
	}
	now, ok := h.now()
	if !ok || now.Stale {
		return false
	}
	epoch, err := h.currentEpoch()
	if err != nil {
		return false
	}
	held, ok := h.c.Epochs.Summary(epoch)
	return ok && held.Err == nil
}
