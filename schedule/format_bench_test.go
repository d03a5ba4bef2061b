package schedule_test

import (
	"encoding/binary"
	"testing"

	"github.com/schedgen/schedgen/schedule"
)

// A formatCounter takes everything and counts it.
type formatCounter int64

func (c *formatCounter) Write(p []byte) (int, error) {
	*c += formatCounter(len(p))
	return len(p), nil
}

// BenchmarkWrite prints the 432,000 slots of an epoch with 1,500 vote accounts.
func BenchmarkWrite(b *testing.B) {
	entries := make([]schedule.Entry, 1_500)
	for i := range entries {
		e := &entries[i]
		for at := range e.Key {
			e.Key[at] = byte((i + 1) * (at + 3) >> (at % 3))
			e.Node[at] = ^e.Key[at]
		}
		binary.BigEndian.PutUint16(e.Key[:], uint16(i)) // no two are the same
		e.Stake = 1_000_000_000_000_000 / uint64(i+10)
	}
	stakes, err := schedule.NewStakes(entries, schedule.KeyedByVote)
	if err != nil {
		b.Fatal(err)
	}
	for _, f := range schedule.Formats() {
		b.Run(string(f), func(b *testing.B) {
			var size formatCounter
			for b.Loop() {
				b.StopTimer() // a new schedule, so that no index is there yet
				s, err := schedule.Derive(stakes, schedule.Params{Epoch: 900, FirstSlot: 388_800_000, Slots: 432_000})
				if err != nil {
					b.Fatal(err)
				}
				size = 0
				b.StartTimer()
				if err := s.Write(&size, f); err != nil {
					b.Fatal(err)
				}
			}
			b.SetBytes(int64(size))
		})
	}
}
