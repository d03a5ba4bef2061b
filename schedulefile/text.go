package schedulefile

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"

	"github.com/schedgen/schedgen/schedule"
)

// readText reads lines of a slot and a leader, of which line is the first.
func readText(l *lines, line []byte) (*Observed, error) {
	b := newBuilder()
	for line != nil {
		keys, previous := len(b.keys), b.previous
		if err := b.textLine(line); err != nil {
			return nil, l.fail(err)
		}
		if err := l.checkEnd(b, keys, previous); err != nil {
			return nil, err
		}
		var err error
		if line, err = l.next(); err != nil {
			return nil, err
		}
	}
	o := b.finish()
	o.Format = schedule.FormatText
	return o, nil
}

const space = " \t"

func (b *builder) textLine(line []byte) error {
	end := bytes.IndexAny(line, space)
	if end < 0 {
		return fmt.Errorf("%w: %s, want a slot and a leader", ErrLine, quote(line))
	}
	slot, err := parseSlot(line[:end])
	if err != nil {
		return err
	}
	leader := bytes.TrimLeft(line[end:], space)
	if end := bytes.IndexAny(leader, space); end >= 0 {
		leader = leader[:end]
	}
	number, err := b.leader(leader)
	if err != nil {
		return err
	}
	return b.add(slot, number, None)
}

// parseSlot reads a slot or a slot index.
func parseSlot(text []byte) (uint64, error) {
	slot, err := strconv.ParseUint(string(text), 10, 64)
	if errors.Is(err, strconv.ErrRange) {
		return 0, fmt.Errorf("%w: %s is too large, at most 18446744073709551615", ErrSlot, quote(text))
	}
	if err != nil {
		return 0, fmt.Errorf("%w: %s, want a whole number in decimal digits", ErrSlot, quote(text))
	}
	return slot, nil
}
