package epochs

import (
	"fmt"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
)

// rank orders vintages. A list that does not say may be exact; an approximate one
// is not.
func rank(v list.Vintage) int {
	switch v {
	case list.VintageExact:
		return 2
	case list.VintageApproximate:
		return 0
	}
	return 1
}

// better says why the list that is held for an epoch is nearer to the network's
// than another one, and "" when it is not. Of two approximate ones that is the one
// read nearer behind the first slot of the epoch before, where stakes are recorded.
func better(held, other *list.Provenance, recorded schedule.Slot) string {
	if a, b := rank(held.Vintage), rank(other.Vintage); a != b {
		if a > b {
			return fmt.Sprintf("%s stakes do not replace %s ones", vintage(other), vintage(held))
		}
		return ""
	}
	if rank(held.Vintage) > 0 || held.Slot == nil || other.Slot == nil {
		return ""
	}
	// From the recording on, stakes change slowly; at it, by all that was waiting
	// to become active.
	early := *held.Slot < recorded
	switch {
	case early != (*other.Slot < recorded):
		if early {
			return ""
		}
	case early && *other.Slot >= *held.Slot, !early && *other.Slot <= *held.Slot:
		return ""
	}
	return fmt.Sprintf("read at slot %d, further from slot %d, at which they are recorded, than slot %d",
		*other.Slot, recorded, *held.Slot)
}

func vintage(p *list.Provenance) list.Vintage {
	if p.Vintage == "" {
		return list.VintageUnknown
	}
	return p.Vintage
}
