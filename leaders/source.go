package leaders

import (
	"iter"

	"github.com/schedgen/schedgen/schedule"
)

// A Source is the schedule of one epoch as somebody has it: whole, with gaps, or
// limited to some keys. It never changes and may be read from many goroutines.
type Source interface {
	Epoch() uint64
	FirstSlot() schedule.Slot
	Slots() uint64 // in the whole epoch

	// Runs yields, ascending and apart from each other, the slots at or after from
	// that a key leads and those of which the source does not say whether it does.
	// All others are known to be led by somebody else.
	Runs(key Key, from schedule.Slot) iter.Seq[Run]

	// Staked reports whether a key had stake that slots were drawn with, and
	// whether the source can tell.
	Staked(key Key) (staked, known bool)
}

// A Run is a range of slots, First and Last among them.
type Run struct {
	First, Last schedule.Slot
	// Unknown says why it is not known whether the key leads these slots, such as
	// "the schedule is limited to other leaders"; empty when it leads them.
	Unknown string
}
