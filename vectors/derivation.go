package vectors

import (
	"fmt"

	"github.com/schedgen/schedgen/schedule"
)

// A derivation is a schedule to derive with package schedule, and what it has to
// be.
type derivation struct {
	entries []schedule.Entry
	keying  schedule.Keying
	params  schedule.Params

	leaders []schedule.Pubkey // by rank
	ranks   []int             // by rotation
	digest  bytes32
}

func (d derivation) check() error {
	stakes, err := schedule.NewStakes(d.entries, d.keying)
	if err != nil {
		return err
	}
	s, err := schedule.Derive(stakes, d.params)
	if err != nil {
		return err
	}
	var ranks []int
	for rotation, rank := range s.Ranks() {
		if rotation != len(ranks) {
			return mismatch("rotation", len(ranks), rotation)
		}
		ranks = append(ranks, rank)
	}
	if err := firstError(
		expect("number of slots", d.params.Slots, s.Slots()),
		expect("number of rotations", len(d.ranks), s.Rotations()),
		expectList("rank of rotation", d.ranks, ranks),
		expect("digest", d.digest, bytes32(s.Digest())),
	); err != nil {
		return err
	}
	return d.checkLeaders(s)
}

// checkLeaders asks for every slot, by index and by number, and for those beside
// the epoch.
func (d derivation) checkLeaders(s *schedule.Schedule) error {
	for i := range d.params.Slots {
		want := d.leaders[d.ranks[i/uint64(d.params.Repeat)]]
		slot := d.params.FirstSlot + schedule.Slot(i)
		byIndex, ok := s.Leader(schedule.Index(i))
		bySlot, ok2 := s.LeaderAt(slot)
		if !ok || !ok2 || byIndex != want || bySlot != want {
			return mismatch(fmt.Sprintf("leader of slot index %d to be", i), want,
				fmt.Sprintf("%v by index (%t), %v by slot (%t)", byIndex, ok, bySlot, ok2))
		}
	}
	if who, ok := s.Leader(schedule.Index(d.params.Slots)); ok {
		return mismatch("after the last slot", "no leader", who)
	}
	if who, ok := s.LeaderAt(d.params.FirstSlot - 1); ok && d.params.FirstSlot > 0 {
		return mismatch("before the first slot", "no leader", who)
	}
	return nil
}
