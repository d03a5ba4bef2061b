package schedulefile

import (
	"fmt"
	"slices"
	"strings"
)

// Column names a column of WriteCSV and WriteParquet.
type Column string

// The columns.
const (
	// ColumnSlot is the absolute slot.
	ColumnSlot Column = "slot"
	// ColumnSlotIndex counts from the first slot of the epoch.
	ColumnSlotIndex Column = "slot_index"
	// ColumnRotation counts rotations of consecutive slots of one leader from the
	// first of the epoch.
	ColumnRotation Column = "rotation"
	// ColumnLeader is the identity that leads, in base58.
	ColumnLeader Column = "leader"
	// ColumnVoteAccount is the vote account that the slot was drawn for, in
	// base58; unknown in a schedule keyed by identity.
	ColumnVoteAccount Column = "vote_account"
	// ColumnTime is when the slot is expected to begin, an estimate; unknown
	// without a clock. CSV has RFC 3339 in UTC with milliseconds.
	ColumnTime Column = "time"
)

// Columns returns every column, in the order in which "all" writes them.
func Columns() []Column {
	return []Column{ColumnSlot, ColumnSlotIndex, ColumnRotation, ColumnLeader, ColumnVoteAccount, ColumnTime}
}

// DefaultColumns returns those of schedule.FormatCSV.
func DefaultColumns() []Column {
	return []Column{ColumnSlot, ColumnSlotIndex, ColumnLeader, ColumnVoteAccount}
}

// ParseColumns reads names of columns with commas between them, each once, or
// "all". The error, an ErrColumn, lists the names there are.
func ParseColumns(list string) ([]Column, error) {
	if list == "all" {
		return Columns(), nil
	}
	var columns []Column
	for name := range strings.SplitSeq(list, ",") {
		columns = append(columns, Column(strings.TrimSpace(name)))
	}
	return columns, checkColumns(columns)
}

func checkColumns(columns []Column) error {
	if len(columns) == 0 {
		return fmt.Errorf("%w: there is none, want some of %s", ErrColumn, columnNames())
	}
	for i, c := range columns {
		if !slices.Contains(Columns(), c) {
			return fmt.Errorf("%w %s, want all or some of %s", ErrColumn, quote(string(c)), columnNames())
		}
		if slices.Contains(columns[:i], c) {
			return fmt.Errorf("%w: %s is there twice", ErrColumn, c)
		}
	}
	return nil
}

func columnNames() string {
	var names []string
	for _, c := range Columns() {
		names = append(names, string(c))
	}
	return strings.Join(names, ", ")
}
