package rpc

import (
	"fmt"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
)

// vintage says what stakes are worth that were read between two slots, both in
// one epoch.
func vintage(es schedule.EpochSchedule, before, after schedule.Slot) (list.Vintage, string) {
	recorded := recordedAt(es, before)
	which := fmt.Sprintf("slot %d", recorded)
	if epoch, i := es.EpochOf(recorded); i == 0 {
		which += fmt.Sprintf(", the first of epoch %d", epoch)
	}
	if before == recorded && after == recorded {
		return list.VintageExact, fmt.Sprintf("read at %s, where the network records these stakes; admission to the schedule comes after that", which)
	}
	since := count(uint64(before-recorded), "slot") + " after"
	if before != after {
		since = fmt.Sprintf("between %d and %d slots after", min(before, after)-recorded, max(before, after)-recorded)
	}
	return list.VintageApproximate, fmt.Sprintf("read %s %s, where the network records these stakes: rewards, closed accounts and new identities since then are in them",
		since, which)
}

// recordedAt returns the slot at which the network records the stakes that are
// the latest at a slot: the first one whose leader schedule epoch is the same. A
// network without a block there takes the next slot that has one.
func recordedAt(es schedule.EpochSchedule, slot schedule.Slot) schedule.Slot {
	epoch := es.LeaderScheduleEpoch(slot)
	low, high := schedule.Slot(0), slot
	for low < high {
		middle := low + (high-low)/2
		if es.LeaderScheduleEpoch(middle) < epoch {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

func count(n uint64, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}
