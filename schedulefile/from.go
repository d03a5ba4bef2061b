package schedulefile

import (
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/schedgen/schedgen/schedule"
)

// FromSchedule returns a derived schedule as an Observed; with identities only
// their slots have a leader. Of more than MaxSlots slots it has the first.
func FromSchedule(s *schedule.Schedule, identities ...schedule.Pubkey) *Observed {
	return firstSlots(s, MaxSlots, newFilter(identities))
}

// firstSlots is FromSchedule for at most so many slots.
func firstSlots(s *schedule.Schedule, most uint64, wanted filter) *Observed {
	b := newBuilder()
	slots := min(s.Slots(), most)
	b.leaders = make([]uint32, 0, slots)
	if s.Stakes().Keying() == schedule.KeyedByVote {
		b.votes = make([]uint32, 0, slots)
	}
	voted := false
	for _, rank := range s.Ranks() {
		if uint64(len(b.leaders)) == slots {
			break
		}
		leader, vote := uint32(None), uint32(None)
		if entry := s.Stakes().Entry(rank); wanted.has(entry.Node) {
			leader = b.number(entry.Node)
			if b.votes != nil {
				vote, voted = b.number(entry.Key), true
			}
		}
		for range min(uint64(s.Repeat()), slots-uint64(len(b.leaders))) {
			b.leaders = append(b.leaders, leader)
			if b.votes != nil {
				b.votes = append(b.votes, vote)
			}
		}
	}
	epoch, first := s.Epoch(), s.FirstSlot()
	o := &Observed{
		Source: fmt.Sprintf("derived schedule of epoch %d", epoch), Format: FormatDerived,
		Epoch: &epoch, FirstSlot: &first, Slots: slots, AtStart: true, AtEnd: slots == s.Slots(),
		Keys: b.keys, Leaders: b.leaders,
	}
	if voted {
		o.Votes = b.votes
	}
	o.Partial = o.partial()
	return o
}

// FromRPC returns the result of getLeaderSchedule as an Observed. slotsInEpoch
// is that of getEpochInfo, or 0 where it is not known: the schedule then ends at
// the last slot that is listed.
//
// The error is ErrConflict when two identities have one slot, ErrSlot when an
// index is not in the epoch, and ErrSpan when the indices are far apart, or
// slotsInEpoch is great, for how few slots there are.
func FromRPC(result map[schedule.Pubkey][]schedule.Index, slotsInEpoch uint64) (*Observed, error) {
	b := newBuilder()
	lists := make([]indexList, 0, len(result))
	for _, key := range slices.SortedFunc(maps.Keys(result), schedule.Pubkey.Compare) {
		lists = append(lists, indexList{b.number(key), result[key]})
	}
	o, err := b.lists(lists, slotsInEpoch)
	if err != nil {
		return nil, err
	}
	o.Source, o.Format = "getLeaderSchedule", schedule.FormatRPC
	return o, nil
}

// An indexList is what one leader leads.
type indexList struct {
	leader  uint32
	indices []schedule.Index
}

// lists makes the schedule of lists of slot indices.
func (b *builder) lists(lists []indexList, slotsInEpoch uint64) (*Observed, error) {
	b.fromZero = true
	total, last := uint64(0), schedule.Index(0)
	for _, list := range lists {
		total += uint64(len(list.indices))
		for _, i := range list.indices {
			last = max(last, i)
		}
	}
	if total > 0 && slotsInEpoch > 0 && uint64(last) >= slotsInEpoch {
		return nil, fmt.Errorf("%w: slot index %d in an epoch of %d slots", ErrSlot, last, slotsInEpoch)
	}
	if total > 0 && last >= MaxSlots {
		return nil, fmt.Errorf("%w: slot index %d, less than %d", ErrSpan, last, MaxSlots)
	}
	// All of them are known by now, so that those of the first leaders may be as
	// far apart as they like.
	b.listed = total
	slots := slotsInEpoch
	if total > 0 {
		slots = max(slots, uint64(last)+1)
	}
	if err := b.cover(slots); err != nil {
		return nil, err
	}
	for _, list := range lists {
		for _, i := range list.indices {
			if err := b.set(uint64(i), &b.leaders[i], list.leader, "leaders"); err != nil {
				return nil, err
			}
		}
	}
	o := b.finish()
	o.AtEnd = slotsInEpoch > 0
	return o, nil
}

// ReadRanks reads ranks in the stake list of an epoch: one a rotation as
// schedule.Schedule.AppendRanks has them, or one a slot of 4 bytes, in either
// case little-endian and without anything before or after; name stands for them
// in errors. Their number tells which. That they are those of the epoch is not
// checked.
func ReadRanks(r io.Reader, name string, st *schedule.Stakes, p schedule.Params) (*Observed, error) {
	if err := p.Check(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	const perSlot = 4
	b, err := io.ReadAll(io.LimitReader(r, perSlot*MaxSlots+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if uint64(len(b)) == perSlot*p.Slots {
		p.Repeat = 1 // to say what was read; rotations are not needed
	}
	size := uint64(schedule.RankSize(st.Len()))
	if p.Repeat == 1 && uint64(len(b)) == perSlot*p.Slots {
		size = perSlot
	}
	ranks := make([]uint32, 0, uint64(len(b))/size)
	if uint64(len(b))%size != 0 {
		return nil, &Error{Name: name, Err: fmt.Errorf("%w: %d bytes, ranks have %d each", ErrFormat, len(b), size)}
	}
	for ; len(b) > 0; b = b[size:] {
		if size == 2 {
			ranks = append(ranks, uint32(binary.LittleEndian.Uint16(b)))
		} else {
			ranks = append(ranks, binary.LittleEndian.Uint32(b))
		}
	}
	s, err := schedule.FromRanks(st, p, ranks)
	if err != nil {
		return nil, &Error{Name: name, Err: fmt.Errorf("%w: %w", ErrFormat, err)}
	}
	o := FromSchedule(s)
	o.Source, o.Format = name, FormatRanks
	return o, nil
}
