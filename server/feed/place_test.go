package feed

import (
	"errors"
	"testing"
	"time"

	"github.com/schedgen/schedgen/noderpc"
	"github.com/schedgen/schedgen/schedule"
)

// A node that leaps is believed when it keeps to where it leapt to.
func TestPlace(t *testing.T) {
	p := place{settle: 30 * time.Second}
	start := time.Unix(1_000_000, 0)
	for i, c := range []struct {
		second   int
		slot     schedule.Slot
		believed bool
		want     schedule.Slot
		rose     int
	}{
		{0, 320, true, 320, 0},
		{1, 325, true, 325, 1},
		{2, 324, true, 325, 1}, // another node behind the address
		{3, 352, true, 352, 3}, // the next epoch
		{4, 340, false, 352, 3},
		{5, 355, true, 355, 5},
		{6, 340, false, 355, 5}, // again, for long
		{35, 341, false, 355, 5},
		{36, 342, true, 342, 36},
		{37, 3200, false, 342, 36},
		{50, 3232, false, 342, 36}, // goes on there
		{67, 3240, true, 3240, 67},
		{68, 3201, false, 3240, 67}, // epoch before
		{60, 3201, false, 3240, 67}, // the clock is set back
		{89, 3202, false, 3240, 67},
		{90, 3203, true, 3203, 90},
	} {
		epoch, index := tiny.EpochOf(c.slot)
		err := p.report(noderpc.EpochInfo{AbsoluteSlot: c.slot, Epoch: epoch, SlotIndex: index, SlotsInEpoch: 32}, start.Add(time.Duration(c.second)*time.Second))
		if (err == nil) != c.believed || err != nil && !errors.Is(err, ErrAstray) {
			t.Errorf("%d: %v", i, err)
		}
		if p.slot != c.want || p.epoch != uint64(c.want/32) || !p.rose.Equal(start.Add(time.Duration(c.rose)*time.Second)) {
			t.Errorf("%d: at %+v", i, p)
		}
	}
}

// A node that leaps here and there is not believed anywhere.
func TestPlaceOfManyMinds(t *testing.T) {
	p := place{settle: 30 * time.Second}
	start := time.Unix(1_000_000, 0)
	for second := range 200 {
		epoch := []uint64{5, 100, 50, 100}[second%4]
		if second > 0 && epoch == 5 {
			epoch = 70
		}
		err := p.report(noderpc.EpochInfo{AbsoluteSlot: schedule.Slot(epoch * 32), Epoch: epoch, SlotsInEpoch: 32}, start.Add(time.Duration(second)*time.Second))
		if (err == nil) != (second == 0) || p.epoch != 5 {
			t.Fatalf("after %d s: %v, epoch %d", second, err, p.epoch)
		}
	}
}

func TestSlotsLeft(t *testing.T) {
	warm := mustSchedule(200, true)
	custom := schedule.EpochSchedule{SlotsPerEpoch: 200, LeaderScheduleSlotOffset: 50}
	far := schedule.EpochSchedule{SlotsPerEpoch: 200, LeaderScheduleSlotOffset: 8192}
	for _, es := range []schedule.EpochSchedule{tiny, warm, custom, far} {
		for slot := schedule.Slot(0); slot < 1000; slot++ {
			want := uint64(1)
			for es.LeaderScheduleEpoch(slot+schedule.Slot(want)) == es.LeaderScheduleEpoch(slot) {
				want++
			}
			if got := slotsLeft(es, slot); got != want {
				t.Fatalf("%+v, slot %d: got %d, want %d", es, slot, got, want)
			}
		}
	}
}
