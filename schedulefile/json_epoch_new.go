package schedulefile

import (
	"fmt"

	"github.com/schedgen/schedgen/schedule"
)

// An epochNew is what a message epoch.new says of a schedule.
type epochNew struct {
	epoch, start, end          uint64
	hasEpoch, hasStart, hasEnd bool
	keys                       []uint32 // by rank
	ranks                      []uint32 // by rotation
	excludedStake              bool     // the list was cut for its length
	hasKeys, hasRanks          bool
}

// message reads a message of Firedancer's WebSocket API.
func (j *jsonReader) message(first string) (*Observed, error) {
	var topic, key string
	var m epochNew
	hasValue := false
	err := j.each(first, func(name string) error {
		switch name {
		case "topic", "key":
			text, err := j.str()
			if name == "topic" {
				topic = string(text)
			} else {
				key = string(text)
			}
			return err
		case "value":
			hasValue = true
			if err := j.open('{'); err != nil {
				return err
			}
			return j.each("", func(name string) error { return j.epochNewField(&m, name) })
		}
		return j.d.SkipValue()
	})
	if err != nil {
		return nil, err
	}
	if topic != "epoch" || key != "new" || !hasValue {
		return nil, fmt.Errorf("%w: the message has topic %s and key %s, want epoch and new", ErrFormat, quote(topic), quote(key))
	}
	return j.epochNewSchedule(&m)
}

func (j *jsonReader) epochNewField(m *epochNew, name string) (err error) {
	switch name {
	case "epoch":
		m.hasEpoch = true
		m.epoch, err = j.uint()
	case "start_slot":
		m.hasStart = true
		m.start, err = j.uint()
	case "end_slot":
		m.hasEnd = true
		m.end, err = j.uint()
	case "staked_pubkeys":
		m.hasKeys = true
		err = j.array(func() error {
			text, err := j.str()
			if err != nil {
				return err
			}
			number, err := j.b.key(text)
			m.keys = append(m.keys, number)
			return err
		})
	case "leader_slots":
		m.hasRanks = true
		err = j.array(func() error {
			rank, err := j.uint()
			m.ranks = append(m.ranks, uint32(min(rank, None)))
			return err
		})
	case "excluded_stake_lamports":
		v, err := j.d.ReadValue()
		m.excludedStake = err == nil && string(v) != `"0"` && string(v) != "0" && string(v) != "null"
		return err
	default:
		err = j.d.SkipValue()
	}
	return err
}

// epochNewSchedule makes the schedule. A rank equal to the number of keys is a
// leader among those that the list left out for its length.
func (j *jsonReader) epochNewSchedule(m *epochNew) (*Observed, error) {
	for _, field := range []struct {
		name string
		has  bool
	}{
		{"epoch", m.hasEpoch}, {"start_slot", m.hasStart}, {"end_slot", m.hasEnd},
		{"staked_pubkeys", m.hasKeys}, {"leader_slots (some versions leave them out: derive them from its stakes)", m.hasRanks},
	} {
		if !field.has {
			return nil, fmt.Errorf("%w: the message has no %s", ErrFormat, field.name)
		}
	}
	const repeat = schedule.DefaultRepeat
	if m.end < m.start || m.end-m.start >= MaxSlots {
		return nil, fmt.Errorf("%w: from %d to %d, want 1 to %d slots", ErrSlot, m.start, m.end, MaxSlots)
	}
	slots := m.end - m.start + 1
	if want := (slots-1)/repeat + 1; uint64(len(m.ranks)) != want {
		return nil, fmt.Errorf("%w: %d leader_slots, want %d for the slots from %d to %d in rotations of %d",
			ErrFormat, len(m.ranks), want, m.start, m.end, repeat)
	}
	b := j.b
	b.fromZero = true
	for rotation, rank := range m.ranks {
		leader := uint32(None)
		switch {
		case uint64(rank) < uint64(len(m.keys)):
			leader = m.keys[rank]
		case uint64(rank) > uint64(len(m.keys)) || !m.excludedStake:
			return nil, fmt.Errorf("%w: rank %d in leader_slots, there are %d staked_pubkeys", ErrFormat, rank, len(m.keys))
		}
		from := uint64(rotation) * repeat
		for i := from; i < min(from+repeat, slots); i++ {
			if err := b.add(i, leader, None); err != nil {
				return nil, err
			}
		}
	}
	o := b.finish()
	first := schedule.Slot(m.start)
	o.Format, o.Epoch, o.FirstSlot, o.AtEnd = schedule.FormatEpochNew, &m.epoch, &first, true
	return o, nil
}
