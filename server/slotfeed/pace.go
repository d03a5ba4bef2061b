package slotfeed

import (
	"time"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/slotclock"
)

// A pace is a clock that follows the slots it sees begin. Reports come late by
// varying times, so that each moves the clock by a part of how far it is off;
// one that is off by more than resync, as after a stall, sets it.
type pace struct {
	clock slotclock.Clock
	off   time.Duration // mean distance of reports from the clock
}

const (
	resync    = 5 * time.Second
	trackPart = 8 // each report moves the clock by an eighth
)

// saw takes in that a slot was first seen at a time.
func (p *pace) saw(slot schedule.Slot, at time.Time) {
	off := at.Sub(p.clock.TimeOf(slot).Time)
	if off.Abs() > resync {
		p.set(slot, at)
		return
	}
	p.off += (off.Abs() - p.off) / trackPart
	p.clock.Slot, p.clock.At = slot, at.Add(off/trackPart-off)
	p.clock.AtError = p.off
}

// set starts again from a slot.
func (p *pace) set(slot schedule.Slot, at time.Time) {
	p.clock.Slot, p.clock.At = slot, at
	p.off = p.clock.PerSlot
	p.clock.AtError = p.off
}

// measured takes over how long slots last.
func (p *pace) measured(c slotclock.Clock) {
	p.clock.PerSlot, p.clock.RelError, p.clock.Jitter = c.PerSlot, c.RelError, c.Jitter
	p.clock.Assumed, p.clock.Basis = c.Assumed, c.Basis
}
