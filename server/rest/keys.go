package rest

import (
	"math"

	"github.com/schedgen/schedgen/leaders"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/server/epochs"
	"github.com/schedgen/schedgen/stakes/list"
)

// A kind of key; nil is neither.
var (
	kindIdentity = "identity"
	kindVote     = "vote"
)

// kindIn returns what a key is in a stake list.
func kindIn(l *list.List, key schedule.Pubkey) *string {
	for _, entry := range l.Entries {
		switch {
		case nodeOf(entry) == key, entry.Key == key && !l.HasVotes:
			return &kindIdentity
		case entry.Key == key:
			return &kindVote
		}
	}
	return nil
}

// asked makes the key of a question from what it is in the epochs of a book. One
// that is in none of their stake lists is asked about as an identity.
func (h *Handler) asked(key schedule.Pubkey, b *leaders.Book) (leaders.Key, *string) {
	for _, epoch := range b.Epochs() {
		e, err := h.c.Epochs.Epoch(epoch)
		if err != nil {
			continue
		}
		if kind := kindIn(e.List(), key); kind != nil {
			return leaders.Key{Pubkey: key, Vote: kind == &kindVote}, kind
		}
	}
	return leaders.Identity(key), nil
}

// KeyPresence is the answer to GET /v1/leaders/{key}.
type KeyPresence struct {
	Key    schedule.Pubkey `json:"key"`
	Kind   *string         `json:"kind"` // identity or vote; null: in none of the stake lists
	Epochs []EpochPresence `json:"epochs"`
}

// EpochPresence says whether a key leads slots of an epoch.
type EpochPresence struct {
	Epoch        uint64         `json:"epoch"`
	Status       leaders.Status `json:"status"`
	Slots        uint64         `json:"slots"`        // that it is known to lead
	UnknownSlots uint64         `json:"unknownSlots"` // of which that is not known
	Expected     *float64       `json:"expected"`     // slots, by its stake; null where that is not known
	Stake        *uint64        `json:"stake,string"` // lamports
	Z            *float64       `json:"z"`            // see luck
	Reason       *string        `json:"reason"`       // why it is absent, or not known
	Vintage      *list.Vintage  `json:"vintage"`      // of the stakes; null when none are held
}

const (
	// mostEpochs is how many epochs a question about a key may name, and how far
	// ahead an answer looks.
	mostEpochs = 64
	// newestEpochs is how many are told of where none are named.
	newestEpochs = 16
)

func (h *Handler) presence(c *call) error {
	key, err := c.key()
	if err != nil {
		return err
	}
	asked, err := h.askedEpochs(c)
	if err != nil {
		return err
	}
	answer := KeyPresence{Key: key, Epochs: make([]EpochPresence, 0, len(asked))}
	if len(asked) == 0 {
		return h.json(c, &answer, noCache)
	}
	book, err := h.book(asked[0], asked[len(asked)-1])
	if err != nil {
		return err
	}
	var k leaders.Key
	k, answer.Kind = h.asked(key, book)
	for _, epoch := range asked {
		p, err := book.InSchedule([]leaders.Key{k}, epoch, epoch)
		if err != nil {
			return err
		}
		answer.Epochs = append(answer.Epochs, h.inEpoch(k, &p.Epochs[0]))
	}
	return h.json(c, &answer, noCache)
}

// askedEpochs returns the epochs from firstEpoch to lastEpoch, or the newest that are
// held, ascending.
func (h *Handler) askedEpochs(c *call) ([]uint64, error) {
	first, hasFirst, err := c.number("firstEpoch", 0, math.MaxUint64)
	if err != nil {
		return nil, err
	}
	last, hasLast, err := c.number("lastEpoch", 0, math.MaxUint64)
	if err != nil {
		return nil, err
	}
	var asked []uint64
	switch {
	case !hasFirst && !hasLast:
		held := h.c.Epochs.Held()
		for _, s := range held[max(0, len(held)-newestEpochs):] {
			asked = append(asked, s.Epoch)
		}
		return asked, nil
	case !hasFirst:
		first = last - min(last, newestEpochs-1)
	case !hasLast:
		last = first + min(newestEpochs-1, math.MaxUint64-first)
	}
	switch {
	case last < first:
		return nil, badf("lastEpoch", "lastEpoch is %d, before firstEpoch, which is %d", last, first)
	case last-first >= mostEpochs:
		return nil, badf("lastEpoch", "epochs %d to %d are more than %d", first, last, mostEpochs)
	}
	for epoch := first; ; epoch++ {
		asked = append(asked, epoch)
		if epoch == last {
			return asked, nil
		}
	}
}

// book returns the epochs from first to last that are held.
func (h *Handler) book(first, last uint64) (*leaders.Book, error) {
	if _, err := h.epochSchedule(); err != nil {
		return nil, err
	}
	return h.c.Epochs.Book(first, last)
}

// inEpoch says what is known of a key in an epoch.
func (h *Handler) inEpoch(k leaders.Key, p *leaders.EpochPresence) EpochPresence {
	found := p.Keys[0]
	answer := EpochPresence{Epoch: p.Epoch, Status: found.Status, Slots: found.Slots, UnknownSlots: found.UnknownSlots}
	if p.Vintage != "" {
		answer.Vintage = &p.Vintage
	}
	if why := string(found.Reason) + found.Why; why != "" { // never both
		answer.Reason = &why
	}
	e, err := h.c.Epochs.Epoch(p.Epoch)
	if err != nil || found.UnknownSlots > 0 {
		return answer
	}
	stake := stakeOf(e, k)
	s := e.Schedule()
	share := float64(stake) / float64(s.Stakes().Total())
	answer.Stake, answer.Expected = &stake, rounded(share*float64(s.Slots()), 2)
	if repeat := uint64(s.Repeat()); stake > 0 {
		answer.Z = luck((found.Slots+repeat-1)/repeat, s.Rotations(), share)
	}
	return answer
}

// stakeOf returns what a key was drawn with.
func stakeOf(e *epochs.Epoch, k leaders.Key) (stake uint64) {
	for _, entry := range e.Schedule().Stakes().All() {
		if k.Vote && entry.Key == k.Pubkey || !k.Vote && entry.Node == k.Pubkey {
			stake += entry.Stake
		}
	}
	return stake
}
