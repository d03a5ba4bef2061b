package schedulefile

import (
	"fmt"
	"strings"

	"github.com/schedgen/schedgen/schedule"
)

// columnsAt says where the columns of a table are, -1 for one that it lacks.
type columnsAt struct{ slot, index, leader, vote int }

const neededColumns = "want leader and slot, slot_index or both"

// otherNames are what else the columns of a schedule are called, beside their own
// names. Upper and lower case are the same, and _, - and space do not count.
var otherNames = map[string]Column{
	"absoluteslot":       ColumnSlot,
	"slotinepoch":        ColumnSlotIndex,
	"relativeslot":       ColumnSlotIndex,
	"leaderidentity":     ColumnLeader,
	"leaderpubkey":       ColumnLeader,
	"slotleader":         ColumnLeader,
	"identity":           ColumnLeader,
	"identitypubkey":     ColumnLeader,
	"nodepubkey":         ColumnLeader,
	"validatoridentity":  ColumnLeader,
	"voteaccountaddress": ColumnVoteAccount,
	"votepubkey":         ColumnVoteAccount,
	"voteaddress":        ColumnVoteAccount,
}

var ignoredInNames = strings.NewReplacer("_", "", "-", "", " ", "")

// findColumns finds the columns of a schedule among others.
func findColumns(names []string) (columnsAt, error) {
	own, other := map[Column]int{}, map[Column]int{}
	for i, name := range names {
		plain := ignoredInNames.Replace(strings.ToLower(name))
		column, found := otherNames[plain], other
		for _, c := range Columns() {
			if plain == ignoredInNames.Replace(string(c)) {
				column, found = c, own
			}
		}
		if column == "" {
			continue
		}
		if first, ok := found[column]; ok {
			return columnsAt{}, fmt.Errorf("%w: %s and %s are the same column", ErrHeader, quote(names[first]), quote(name))
		}
		found[column] = i
	}
	where := func(c Column) int {
		for _, found := range []map[Column]int{own, other} {
			if i, ok := found[c]; ok {
				return i
			}
		}
		return -1
	}
	at := columnsAt{where(ColumnSlot), where(ColumnSlotIndex), where(ColumnLeader), where(ColumnVoteAccount)}
	switch {
	case at.leader < 0:
		return at, fmt.Errorf("%w: none is the leader, %s", ErrHeader, neededColumns)
	case at.slot < 0 && at.index < 0:
		return at, fmt.Errorf("%w: none is the slot, %s", ErrHeader, neededColumns)
	}
	return at, nil
}

// A table gathers the rows of a table with slots, slot indices or both.
type table struct {
	b     *builder
	at    columnsAt
	first uint64 // slot of index 0, where both are there
	rows  uint64
	vote  uint32 // of the last row
}

func newTable(at columnsAt) *table {
	t := &table{b: newBuilder(), at: at}
	t.b.fromZero = at.index >= 0
	return t
}

// add adds a row.
func (t *table) add(slot, index uint64, leader, vote uint32) error {
	t.rows++
	t.vote = vote
	switch {
	case t.at.index < 0:
		return t.b.add(slot, leader, vote)
	case t.at.slot < 0:
		return t.b.add(index, leader, vote)
	}
	if index > slot {
		return fmt.Errorf("%w: slot %d has the index %d", ErrSlot, slot, index)
	}
	if first := slot - index; t.rows == 1 {
		t.first = first
	} else if first != t.first {
		return fmt.Errorf("%w: slot %d has the index %d, so that its epoch begins at slot %d; that of the first row at %d",
			ErrSlot, slot, index, first, t.first)
	}
	return t.b.add(index, leader, vote)
}

func (t *table) finish() *Observed {
	o := t.b.finish()
	if t.at.index >= 0 && t.at.slot >= 0 && t.rows > 0 {
		first := schedule.Slot(t.first)
		o.FirstSlot = &first
	}
	return o
}
