package schedulefile

import (
	"time"

	"github.com/schedgen/schedgen/schedule"
)

// Options say what WriteCSV and WriteParquet write beside the schedule.
type Options struct {
	// TimeOf estimates when a slot begins; nil where no clock is known. A zero
	// time, Unix time 0, and times outside the years 1 to 9999 are written as
	// unknown.
	TimeOf func(schedule.Slot) time.Time
	// Identities are those whose slots are written; of all when there are none.
	Identities []schedule.Pubkey
	// Metadata goes into a Parquet file, see WriteParquet. CSV has no place for
	// it.
	Metadata map[string]string
}

// A filter is the set of identities whose slots are wanted; nil for all.
type filter map[schedule.Pubkey]bool

func newFilter(identities []schedule.Pubkey) filter {
	if len(identities) == 0 {
		return nil
	}
	f := make(filter, len(identities))
	for _, identity := range identities {
		f[identity] = true
	}
	return f
}

func (f filter) has(identity schedule.Pubkey) bool { return f == nil || f[identity] }

// timeOf returns the time of a slot in UTC and whether it is known.
func (o *Options) timeOf(slot schedule.Slot) (time.Time, bool) {
	if o.TimeOf == nil {
		return time.Time{}, false
	}
	t := o.TimeOf(slot).UTC()
	return t, !t.IsZero() && t.UnixMilli() != 0 && 1 <= t.Year() && t.Year() <= 9999
}
