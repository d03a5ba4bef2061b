package slotclock

import "errors"

// Errors are wrapped with what was found; test for them with errors.Is.
var (
	// ErrNoSamples: no performance sample that says anything.
	ErrNoSamples = errors.New("no usable performance sample")
	// ErrSpan: two times of slots that do not measure a duration.
	ErrSpan = errors.New("slot times do not measure a slot")
	// ErrAnchor: text that is no slot with a time.
	ErrAnchor = errors.New("bad time of a slot")
)
