package feed

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/schedgen/schedgen/schedule"
)

// What programs call files that are not complete yet, or not meant to be read.
var (
	unfinishedBegins = []string{".", "#", "tmp-"} // tmp-: a validator's, of a download
	unfinishedEnds   = []string{"~", "#", ".tmp", ".temp", ".part", ".partial", ".crdownload", ".filepart", ".download", ".aria2", ".swp", ".bak"}
)

// passedOver reports whether a file of that name is never looked at.
func passedOver(name string) bool {
	for _, begin := range unfinishedBegins {
		if strings.HasPrefix(name, begin) {
			return true
		}
	}
	name = strings.ToLower(name)
	for _, end := range unfinishedEnds {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

// snapshotSlot returns the slot in the name of a snapshot archive, full or
// incremental; false for other names.
func snapshotSlot(name string) (schedule.Slot, bool) {
	rest, incremental := strings.CutPrefix(name, "incremental-snapshot-")
	if !incremental {
		var full bool
		if rest, full = strings.CutPrefix(name, "snapshot-"); !full {
			return 0, false
		}
	} else if _, rest, incremental = strings.Cut(rest, "-"); !incremental {
		return 0, false
	}
	digits, _, ok := strings.Cut(rest, "-")
	if !ok {
		return 0, false
	}
	slot, err := strconv.ParseUint(digits, 10, 64)
	return schedule.Slot(slot), err == nil
}

// byUse orders files by which is of more use: snapshots before others, later slots
// first, then what was written last.
func byUse(a, b candidate) int {
	slotA, snapshotA := snapshotSlot(a.name)
	slotB, snapshotB := snapshotSlot(b.name)
	if snapshotA != snapshotB {
		if snapshotA {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(slotB, slotA), b.file.modified.Compare(a.file.modified), strings.Compare(a.name, b.name))
}
