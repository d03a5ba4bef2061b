package rest

import (
	"cmp"
	"encoding/hex"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server/epochs"
	"github.com/schedgen/schedgen/stakes/list"
)

// EpochSummary is what is known of an epoch that is held.
type EpochSummary struct {
	Epoch     uint64        `json:"epoch"`
	FirstSlot schedule.Slot `json:"firstSlot"`
	LastSlot  schedule.Slot `json:"lastSlot"`
	Slots     uint64        `json:"slots"`
	Entries   int           `json:"entries"` // of the stake list

	// What only deriving the schedule tells: null in GET /v1/epochs where that was
	// not done yet, and for epochs far from the current one.
	Identities *int    `json:"identities"`        // with stake
	TotalStake *uint64 `json:"totalStake,string"` // lamports
	KeyedBy    *string `json:"keyedBy"`           // vote or identity
	Digest     *string `json:"digest"`            // in hexadecimal

	Provenance *list.Provenance `json:"provenance"`
	Notes      []string         `json:"notes"`
	Relation   *string          `json:"relation"`   // past, current, next or future; null without a clock
	Unreadable *string          `json:"unreadable"` // why nothing more is known
}

// EpochList is the answer to GET /v1/epochs.
type EpochList struct {
	Epochs []EpochSummary `json:"epochs"` // ascending
}

// mostOpened is how many epochs of a list are told of in full.
const mostOpened = 16

func (h *Handler) epochs(c *call) error {
	held, current := h.c.Epochs.Held(), h.present()
	open := nearest(held, current)
	answer := EpochList{Epochs: make([]EpochSummary, 0, len(held))}
	for i := range held {
		s := briefly(&held[i])
		if open[held[i].Epoch] {
			if e, err := h.c.Epochs.Epoch(held[i].Epoch); err == nil {
				s = fully(e)
			}
		}
		s.Relation = relation(s.Epoch, current)
		answer.Epochs = append(answer.Epochs, s)
	}
	return h.json(c, &answer, noCache)
}

// nearest returns the epochs whose schedules were derived, up to mostOpened of those
// next to the current one, or the newest.
func nearest(held []epochs.Summary, current *uint64) map[uint64]bool {
	var derived []uint64
	for i := range held {
		if held[i].Digest != nil {
			derived = append(derived, held[i].Epoch)
		}
	}
	if len(derived) > mostOpened {
		middle := derived[len(derived)-1]
		if current != nil {
			middle = *current
		}
		slices.SortFunc(derived, func(a, b uint64) int { return cmp.Compare(apart(a, middle), apart(b, middle)) })
		derived = derived[:mostOpened]
	}
	open := make(map[uint64]bool, len(derived))
	for _, epoch := range derived {
		open[epoch] = true
	}
	return open
}

func apart(a, b uint64) uint64 { return max(a, b) - min(a, b) }

// briefly says what is known of an epoch without its stakes.
func briefly(held *epochs.Summary) EpochSummary {
	s := EpochSummary{
		Epoch: held.Epoch, FirstSlot: held.FirstSlot, LastSlot: held.LastSlot, Slots: held.Slots, Entries: held.Entries,
		Notes: []string{},
	}
	if held.Err != nil {
		const why = "the stored stakes cannot be read; the log of the service says why"
		text := why
		s.Unreadable = &text
		return s
	}
	p := held.Provenance
	s.Provenance = tidy(&p)
	s.Notes = append(s.Notes, p.Notes...)
	return s
}

// fully says everything of an epoch.
func fully(e *epochs.Epoch) EpochSummary {
	sched := e.Schedule()
	stakes, p := sched.Stakes(), e.Provenance()
	identities, total, keyedBy, sum := stakes.Identities(), stakes.Total(), stakes.Keying().String(), e.Digest()
	digest := hex.EncodeToString(sum[:])
	s := EpochSummary{
		Epoch: e.Number(), FirstSlot: sched.FirstSlot(), LastSlot: sched.FirstSlot() + schedule.Slot(sched.Slots()-1),
		Slots: sched.Slots(), Entries: len(e.List().Entries),
		Identities: &identities, TotalStake: &total, KeyedBy: &keyedBy, Digest: &digest,
		Provenance: tidy(&p), Notes: append([]string{}, p.Notes...),
	}
	if admission := e.Electorate().Report.String(); admission != "" {
		s.Notes = append(s.Notes, admission)
	}
	return s
}

// tidy fills in what readers may count on.
func tidy(p *list.Provenance) *list.Provenance {
	if p.Vintage == "" {
		p.Vintage = list.VintageUnknown
	}
	return p
}

// present returns the current epoch; nil when it is not known.
func (h *Handler) present() *uint64 {
	if epoch, err := h.currentEpoch(); err == nil {
		return &epoch
	}
	return nil
}

// relation says where an epoch is beside the current one; nil when that is not known.
func relation(epoch uint64, current *uint64) *string {
	if current == nil {
		return nil
	}
	relation := "future"
	switch {
	case epoch < *current:
		relation = "past"
	case epoch == *current:
		relation = "current"
	case epoch-1 == *current:
		relation = "next"
	}
	return &relation
}

func (h *Handler) epoch(c *call) error {
	e, err := h.epochAt(c, "")
	if err != nil {
		return err
	}
	s := fully(e)
	s.Relation = relation(s.Epoch, h.present())
	return h.json(c, &s, noCache)
}

// epochAt returns the epoch that the path names, by number or by where it is beside
// the current one. Then the answer's own place, which does not move, is c.location:
// that of the epoch and what comes after it.
func (h *Handler) epochAt(c *call, after string) (*epochs.Epoch, error) {
	n, moving, err := h.epochNumber(c.r.PathValue("epoch"))
	if err != nil {
		return nil, err
	}
	if moving {
		c.location = epochPath(n) + after
		if len(c.query) > 0 {
			c.location += "?" + c.query.Encode()
		}
	}
	return h.open(n)
}

func epochPath(n uint64) string { return "/v1/epochs/" + strconv.FormatUint(n, 10) }

// open returns an epoch. The error is a *schedule.UnknownEpochError or a problem.
func (h *Handler) open(n uint64) (*epochs.Epoch, error) {
	e, err := h.c.Epochs.Epoch(n)
	if err == nil || errors.Is(err, schedule.ErrUnknownEpoch) || errors.Is(err, epochs.ErrNoEpochSchedule) {
		return e, err
	}
	h.log.Error("an epoch cannot be read", "epoch", n, "error", err)
	p := problemf(epochUnreadable, "stakes of epoch %d are held and cannot be used; the log of the service says why", n)
	p.Epoch = &n
	return nil, p
}

// epochNumber reads what a path names an epoch with; moving when that is not always
// the same one.
func (h *Handler) epochNumber(text string) (n uint64, moving bool, err error) {
	switch text {
	case "current", "next", "previous":
	default:
		if n, err = strconv.ParseUint(text, 10, 64); err != nil {
			return 0, false, badf("epoch", "epoch %q, want a number up to 18446744073709551615, current, next or previous", shorten(text))
		}
		return n, false, nil
	}
	if n, err = h.currentEpoch(); err != nil {
		return 0, true, err
	}
	switch {
	case text == "next":
		n++
	case text == "previous" && n == 0:
		return 0, true, problemf(epochUnknown, "epoch 0 is the current one, there is none before it")
	case text == "previous":
		n--
	}
	return n, true, nil
}

// fileName is what a download of an epoch is called.
func (h *Handler) fileName(parts ...string) string {
	name := "leader-schedule"
	if cluster := h.c.Epochs.Cluster(); cluster != "" {
		name += "-" + cluster
	}
	for _, part := range parts {
		if part != "" {
			name += "-" + part
		}
	}
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '.' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return r
		}
		return '_'
	}, name)
}
