package schedulefile

import (
	"io"
	"strconv"
	"time"

	"github.com/schedgen/schedgen/schedule"
)

const (
	timeLayout  = "2006-01-02T15:04:05.000Z"
	writerChunk = 64 << 10 // bytes gathered before they go to the writer
)

// WriteCSV prints a schedule as CSV with the columns that are asked for, in that
// order. With [DefaultColumns] it prints what schedule.FormatCSV does. What is
// unknown is empty.
//
// The output goes to w in pieces of about 64 KiB. The error is an ErrColumn,
// after which nothing was written, or the first of w.
func WriteCSV(w io.Writer, s *schedule.Schedule, columns []Column, o Options) error {
	if err := checkColumns(columns); err != nil {
		return err
	}
	p := &csvPrinter{columns: columns, o: &o}
	for i, c := range columns {
		p.comma(i)
		p.buf = append(p.buf, c...)
	}
	p.buf = append(p.buf, '\n')
	err := eachRow(s, newFilter(o.Identities), func(r *row) error {
		p.row(r)
		if len(p.buf) < writerChunk {
			return nil
		}
		_, err := w.Write(p.buf)
		p.buf = p.buf[:0]
		return err
	})
	if err != nil {
		return err
	}
	_, err = w.Write(p.buf)
	return err
}

type csvPrinter struct {
	columns []Column
	o       *Options
	buf     []byte
}

func (p *csvPrinter) comma(i int) {
	if i > 0 {
		p.buf = append(p.buf, ',')
	}
}

func (p *csvPrinter) row(r *row) {
	for i, c := range p.columns {
		p.comma(i)
		switch c {
		case ColumnSlot:
			p.buf = strconv.AppendUint(p.buf, uint64(r.slot), 10)
		case ColumnSlotIndex:
			p.buf = strconv.AppendUint(p.buf, uint64(r.index), 10)
		case ColumnRotation:
			p.buf = strconv.AppendInt(p.buf, int64(r.rotation), 10)
		case ColumnLeader:
			p.buf = append(p.buf, r.leader...)
		case ColumnVoteAccount:
			p.buf = append(p.buf, r.vote...)
		case ColumnTime:
			if t, ok := p.o.timeOf(r.slot); ok {
				p.buf = t.Truncate(time.Millisecond).AppendFormat(p.buf, timeLayout)
			}
		}
	}
	p.buf = append(p.buf, '\n')
}

// A row is what is written of a slot.
type row struct {
	slot     schedule.Slot
	index    schedule.Index
	rotation int
	leader   string // base58
	vote     string // base58, or ""
}

// eachRow calls each for every wanted slot, in order, until it fails.
func eachRow(s *schedule.Schedule, wanted filter, each func(*row) error) error {
	// Base58 is slow, so that each key is encoded once.
	type texts struct {
		leader, vote string // no leader: not encoded yet
		skip         bool
	}
	ranks := make([]texts, s.Stakes().Len())
	byVote := s.Stakes().Keying() == schedule.KeyedByVote
	slots, repeat := s.Slots(), uint64(s.Repeat())
	var r row
	for rotation, rank := range s.Ranks() {
		t := &ranks[rank]
		if t.leader == "" && !t.skip {
			entry := s.Stakes().Entry(rank)
			t.skip = !wanted.has(entry.Node)
			t.leader = entry.Node.String()
			if byVote {
				t.vote = entry.Key.String()
			}
		}
		if t.skip {
			continue
		}
		r.rotation, r.leader, r.vote = rotation, t.leader, t.vote
		from := uint64(rotation) * repeat
		for i := from; i < from+min(repeat, slots-from); i++ {
			r.slot, r.index = s.FirstSlot()+schedule.Slot(i), schedule.Index(i)
			if err := each(&r); err != nil {
				return err
			}
		}
	}
	return nil
}
