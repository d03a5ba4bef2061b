package schedulefile

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strings"

	"github.com/schedgen/schedgen/schedule"
)

// readCSV reads the rows that follow a header.
func readCSV(l *lines, header []byte) (*Observed, error) {
	var row fields
	names, err := row.split(header)
	if err != nil {
		return nil, l.fail(err)
	}
	texts := make([]string, len(names))
	for i, name := range names {
		texts[i] = string(name)
	}
	at, err := findColumns(texts)
	if err != nil {
		return nil, l.fail(err)
	}
	if !l.ended {
		return nil, l.fail(ErrCutShort)
	}
	t := newTable(at)
	for {
		line, err := l.next()
		if err != nil {
			return nil, err
		}
		if line == nil {
			break
		}
		keys, previous := len(t.b.keys), t.b.previous
		if err := t.csvRow(&row, line, len(texts)); err != nil {
			return nil, l.fail(err)
		}
		if err := l.checkEnd(t.b, keys, previous); err != nil {
			return nil, err
		}
		if !l.ended && at.vote >= 0 && t.vote == None && t.b.votes != nil {
			return nil, l.fail(fmt.Errorf("%w; if it is whole, end it", ErrCutShort))
		}
	}
	o := t.finish()
	o.Format = schedule.FormatCSV
	return o, nil
}

func (t *table) csvRow(row *fields, line []byte, want int) error {
	values, err := row.split(line)
	if err != nil {
		return err
	}
	if len(values) != want {
		return fmt.Errorf("%w: %d fields, want %d as in the header", ErrLine, len(values), want)
	}
	at := t.at
	slot, index := uint64(0), uint64(0)
	if at.slot >= 0 {
		if slot, err = parseSlot(values[at.slot]); err != nil {
			return fmt.Errorf("%s: %w", ColumnSlot, err)
		}
	}
	if at.index >= 0 {
		if index, err = parseSlot(values[at.index]); err != nil {
			return fmt.Errorf("%s: %w", ColumnSlotIndex, err)
		}
	}
	leader, err := t.b.leader(values[at.leader])
	if err != nil {
		return fmt.Errorf("%s: %w", ColumnLeader, err)
	}
	vote := uint32(None)
	if at.vote >= 0 {
		if vote, err = t.b.leader(values[at.vote]); err != nil {
			return fmt.Errorf("%s: %w", ColumnVoteAccount, err)
		}
	}
	return t.add(slot, index, leader, vote)
}

// fields splits lines into fields, in memory that it keeps.
type fields struct{ values [][]byte }

// split returns the fields of a line without the space around them, valid until
// the next call. A field does not go on over several lines.
func (f *fields) split(line []byte) ([][]byte, error) {
	f.values = f.values[:0]
	if bytes.IndexByte(line, '"') < 0 {
		for more := true; more; {
			var field []byte
			field, line, more = bytes.Cut(line, []byte{','})
			f.values = append(f.values, bytes.TrimSpace(field))
		}
		return f.values, nil
	}
	r := csv.NewReader(bytes.NewReader(line))
	r.TrimLeadingSpace = true
	row, err := r.Read()
	if err != nil {
		return nil, fmt.Errorf("%w: %s", ErrLine, strings.ReplaceAll(err.Error(), "\n", " "))
	}
	for _, field := range row {
		f.values = append(f.values, bytes.TrimSpace([]byte(field)))
	}
	return f.values, nil
}
