package main

import (
	"slices"
	"time"
)

// measurement is one way to do a piece of work.
type measurement struct {
	name string
	// once does the work and returns how long it took, without preparation.
	once func() (time.Duration, error)
	took []time.Duration
}

// group is one piece of work and the ways to do it, this module's fastest first.
type group struct {
	title string
	unit  unit
	ways  []*measurement
}

// measure lets every way take its turn, round by round. A turn is two runs, of
// which the second counts: the first finds the caches full of another's data.
func (g *group) measure(rounds int) error {
	for range rounds {
		for _, m := range g.ways {
			if _, err := m.once(); err != nil {
				return err
			}
			d, err := m.once()
			if err != nil {
				return err
			}
			m.took = append(m.took, d)
		}
	}
	return nil
}

// quartile returns the time that q quarters of m's turns stayed below; that of
// two is the median.
func (m *measurement) quartile(q int) time.Duration {
	sorted := slices.Sorted(slices.Values(m.took))
	return sorted[min(len(sorted)*q/4, len(sorted)-1)]
}

// timed measures one call.
func timed(work func() error) func() (time.Duration, error) {
	return func() (time.Duration, error) {
		start := time.Now()
		err := work()
		return time.Since(start), err
	}
}
