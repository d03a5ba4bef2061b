package rest

import (
	"bufio"
	"io"
	"slices"
	"strconv"

	"github.com/schedgen/schedgen/schedule"
)

// writeRange prints the slots of a range, in the form in which the whole epoch is
// printed.
//
// What has absolute slots is printed as a schedule of those slots alone. Indices
// count from the first slot of the epoch all the same.
func (s *selection) writeRange(w io.Writer, sched *schedule.Schedule, f schedule.Format) error {
	part, err := cut(sched, s.first, s.last)
	if err != nil {
		return err
	}
	switch f {
	case schedule.FormatRPC:
		return s.writeIndices(w, part)
	case schedule.FormatCSV:
		return s.writeRows(w, part)
	}
	return part.Write(w, f, s.identities...)
}

// cut returns the slots from first to last, of one each rotation.
func cut(s *schedule.Schedule, first, last schedule.Index) (*schedule.Schedule, error) {
	ranks := make([]uint32, last-first+1)
	for i := range ranks {
		rank, _ := s.Rank(first + schedule.Index(i))
		ranks[i] = uint32(rank)
	}
	return schedule.FromRanks(s.Stakes(), schedule.Params{
		Epoch: s.Epoch(), FirstSlot: s.FirstSlot() + schedule.Slot(first), Slots: uint64(len(ranks)), Repeat: 1,
	}, ranks)
}

func (s *selection) wants(identity schedule.Pubkey) bool {
	if len(s.identities) == 0 {
		return true
	}
	_, ok := slices.BinarySearchFunc(s.identities, identity, schedule.Pubkey.Compare)
	return ok
}

// writeIndices prints schedule.FormatRPC.
func (s *selection) writeIndices(w io.Writer, part *schedule.Schedule) error {
	out := bufio.NewWriterSize(w, 64<<10)
	open := `{"`
	for leader, indices := range part.Leaders() {
		if !s.wants(leader) {
			continue
		}
		out.WriteString(open + leader.String() + `":[`)
		open = `,"`
		comma := ""
		for i := range indices {
			out.WriteString(comma)
			out.Write(strconv.AppendUint(out.AvailableBuffer(), uint64(s.first+i), 10))
			comma = ","
		}
		out.WriteByte(']')
	}
	if open == `{"` {
		out.WriteByte('{')
	}
	out.WriteString("}\n")
	return out.Flush()
}

// writeRows prints schedule.FormatCSV.
func (s *selection) writeRows(w io.Writer, part *schedule.Schedule) error {
	out := bufio.NewWriterSize(w, 64<<10)
	out.WriteString("slot,slot_index,leader,vote_account\n")
	keys := map[int]string{} // of a rank
	for i, rank := range part.Ranks() {
		entry := part.Stakes().Entry(rank)
		if !s.wants(entry.Node) {
			continue
		}
		if keys[rank] == "" {
			keys[rank] = "," + entry.Node.String() + ","
			if part.Stakes().Keying() == schedule.KeyedByVote {
				keys[rank] += entry.Key.String()
			}
			keys[rank] += "\n"
		}
		out.Write(strconv.AppendUint(out.AvailableBuffer(), uint64(part.FirstSlot())+uint64(i), 10))
		out.WriteByte(',')
		out.Write(strconv.AppendUint(out.AvailableBuffer(), uint64(s.first)+uint64(i), 10))
		if _, err := out.WriteString(keys[rank]); err != nil {
			return err
		}
	}
	return out.Flush()
}
