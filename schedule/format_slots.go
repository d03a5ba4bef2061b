package schedule

import (
	"fmt"
	"strconv"
)

// text prints `  {slot:<15} {leader:<44}` a slot and an empty line at the end.
func (p *printer) text() {
	const slotWidth = 15
	describe := func(e Entry) string { return fmt.Sprintf(" %-44s\n", e.Node.String()) }
	p.rows(describe, func(index uint64, tail string) {
		p.buf = append(p.buf, "  "...)
		start := len(p.buf)
		p.buf = strconv.AppendUint(p.buf, p.slot(index), 10)
		for len(p.buf)-start < slotWidth {
			p.buf = append(p.buf, ' ')
		}
		p.buf = append(p.buf, tail...)
	})
	p.str("\n")
}

// json prints the entries as serde's pretty printer does, which writes an empty
// array as [].
func (p *printer) json() {
	p.str("{\n  \"epoch\": ")
	p.buf = strconv.AppendUint(p.buf, p.s.Epoch(), 10)
	p.str(",\n  \"leaderScheduleEntries\": [")
	describe := func(e Entry) string {
		return ",\n      \"leader\": \"" + e.Node.String() + "\"\n    }"
	}
	open, closing := "\n    {\n      \"slot\": ", "]"
	p.rows(describe, func(index uint64, tail string) {
		p.buf = append(p.buf, open...)
		p.buf = strconv.AppendUint(p.buf, p.slot(index), 10)
		p.buf = append(p.buf, tail...)
		open, closing = ",\n    {\n      \"slot\": ", "\n  ]"
	})
	p.str(closing + "\n}\n")
}

// jsonCompact prints the same object by way of a sorted map: leader comes
// before slot.
func (p *printer) jsonCompact() {
	p.str(`{"epoch":`)
	p.buf = strconv.AppendUint(p.buf, p.s.Epoch(), 10)
	p.str(`,"leaderScheduleEntries":[`)
	describe := func(e Entry) string { return `{"leader":"` + e.Node.String() + `","slot":` }
	comma := ""
	p.rows(describe, func(index uint64, head string) {
		p.buf = append(p.buf, comma...)
		p.buf = append(p.buf, head...)
		p.buf = strconv.AppendUint(p.buf, p.slot(index), 10)
		p.buf = append(p.buf, '}')
		comma = ","
	})
	p.str("]}\n")
}

func (p *printer) csv() {
	p.str("slot,slot_index,leader,vote_account\n")
	describe := func(e Entry) string {
		if p.s.Stakes().Keying() == KeyedByVote {
			return "," + e.Node.String() + "," + e.Key.String() + "\n"
		}
		return "," + e.Node.String() + ",\n"
	}
	p.rows(describe, func(index uint64, tail string) {
		p.buf = strconv.AppendUint(p.buf, p.slot(index), 10)
		p.buf = append(p.buf, ',')
		p.buf = strconv.AppendUint(p.buf, index, 10)
		p.buf = append(p.buf, tail...)
	})
}

// slot is the absolute slot of an index.
func (p *printer) slot(index uint64) uint64 { return uint64(p.s.FirstSlot()) + index }
