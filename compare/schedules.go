package compare

import (
	"crypto/sha256"
	"fmt"
	"hash"

	"github.com/schedgen/schedgen/schedule"
)

// Difference is what [Schedules] finds.
type Difference struct {
	A         string     `json:"a"` // names of the sides
	B         string     `json:"b"`
	Alignment *Alignment `json:"alignment,omitempty"` // nil when digests were compared
	// Digests is whether the digests are equal, when a side has nothing else.
	Digests *bool `json:"digests,omitempty"`
	// Identities compares who leads; nil when digests were compared.
	Identities *Keys `json:"identities,omitempty"`
	// Votes compares the vote accounts that slots were drawn for; nil when not
	// both sides have them.
	Votes *Keys `json:"votes,omitempty"`
}

// Equal reports whether nothing differs, in identities and in vote accounts,
// where both sides say something, and at least one slot, or the digest, is
// compared, and not slots of one epoch with those of another.
func (d *Difference) Equal() bool {
	if d.Digests != nil {
		return *d.Digests
	}
	return !d.Alignment.OtherSlots && d.Identities.Compared > 0 && d.Identities.Different == 0 &&
		(d.Votes == nil || d.Votes.Different == 0)
}

// Complete reports whether every slot of either side was compared.
func (d *Difference) Complete() bool {
	return d.Digests != nil || d.Identities.OnlyA == 0 && d.Identities.OnlyB == 0 &&
		d.Identities.Unknown == 0 && d.Identities.LeftOut == 0
}

// Keys compares two schedules by one kind of key. Every slot of either side is
// in just one of the counts Equal, Different, OnlyA, OnlyB, LeftOut and Unknown.
type Keys struct {
	Compared  uint64 `json:"compared"`  // slots: Equal + Different
	Equal     uint64 `json:"equal"`     // the same key
	Different uint64 `json:"different"` // another key
	OnlyA     uint64 `json:"onlyA"`     // B has no such slot or does not know its key
	OnlyB     uint64 `json:"onlyB"`     // A has no such slot or does not know its key
	LeftOut   uint64 `json:"leftOut"`   // rightly absent from a side that is limited to some keys
	Unknown   uint64 `json:"unknown"`   // neither knows the key
	// First is the first slot with another key; nil when there is none.
	First *SlotDifference `json:"first,omitempty"`
	// Changes are the keys that lead other slots, the greatest change first.
	Changes []KeyChange `json:"changes"`
}

// SlotDifference is a slot that two sides give to different keys.
type SlotDifference struct {
	Slot     *schedule.Slot   `json:"slot,omitempty"` // absolute; nil when A does not know
	Index    schedule.Index   `json:"index"`          // from A's first slot
	Rotation uint64           `json:"rotation"`       // of A
	A        *schedule.Pubkey `json:"a,omitempty"`    // nil: none of the keys that A is limited to
	B        *schedule.Pubkey `json:"b,omitempty"`
}

// Schedules compares two schedules slot by slot: by absolute slots where both
// sides state and share them, otherwise by index. It takes memory for the keys
// that lead, not for the slots.
//
// When one side has a digest alone, only that is compared; the other one's is
// made of its leaders, and a slot without a leader is then an ErrDigestOnly.
func Schedules(a, b Side) (*Difference, error) {
	for _, s := range []*Side{&a, &b} {
		if err := s.check(); err != nil {
			return nil, err
		}
	}
	d := &Difference{A: a.Name, B: b.Name}
	if a.Leaders == nil || b.Leaders == nil {
		return d, d.digests(&a, &b)
	}
	al := align(&a, &b)
	d.Alignment = &al
	d.Identities = compareKeys(&a, &b, al, a.Leaders.Leader, b.Leaders.Leader, a.only(), b.only())
	if va, vb := a.votes(), b.votes(); va != nil && vb != nil {
		// What a side leaves out goes by identity: a missing vote says nothing.
		d.Votes = compareKeys(&a, &b, al, va.Vote, vb.Vote, nil, nil)
	}
	return d, nil
}

func (d *Difference) digests(a, b *Side) error {
	of := [2][32]byte{}
	for i, s := range []*Side{a, b} {
		if s.Leaders == nil {
			of[i] = *s.Digest
			continue
		}
		var err error
		if of[i], err = digest(s); err != nil {
			return err
		}
	}
	equal := of[0] == of[1]
	d.Digests = &equal
	return nil
}

// digest makes the digest of a side that has leaders.
func digest(s *Side) (sum [32]byte, err error) {
	if d, ok := s.Leaders.(*schedule.Schedule); ok {
		return d.Digest(), nil
	}
	h := sha256.New()
	for i := range s.Leaders.Slots() {
		key, ok := s.Leaders.Leader(schedule.Index(i))
		if !ok {
			return sum, fmt.Errorf("%s: %w: slot index %d has no leader", s.Name, ErrDigestOnly, i)
		}
		h.Write(key[:])
	}
	return digestOf(h), nil
}

func digestOf(h hash.Hash) (sum [32]byte) {
	h.Sum(sum[:0])
	return sum
}
