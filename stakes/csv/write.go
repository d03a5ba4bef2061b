package csv

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/internal/text"
	"github.com/schedgen/schedgen/stakes/list"
)

// WriteList prints a stake list that [ReadList] reads back without loss: a line
// "# schedgen: {...}", a comment to other readers, with where the list comes
// from as JSON, then a header and rows as those of [Write]. Columns balance and
// bls follow when the list has accounts.
//
// Errors, with which nothing is written, wrap [ErrKey] as those of Write do,
// [ErrNoEntries], [ErrAccount] and [ErrProvenance].
func WriteList(w io.Writer, l *list.List) error {
	if len(l.Entries) == 0 {
		return ErrNoEntries
	}
	if l.Accounts != nil && len(l.Accounts) != len(l.Entries) {
		return fmt.Errorf("%w: %d accounts of %d entries", ErrAccount, len(l.Accounts), len(l.Entries))
	}
	for _, e := range l.Entries {
		if _, err := filled(e, l.HasVotes); err != nil {
			return err
		}
	}
	line, err := text.AppendProvenance([]byte(marker), l.Provenance, list.KindCSV)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	out.Write(append(line, '\n'))
	if err := rows(out, l); err != nil {
		return err
	}
	return out.Flush()
}

// Write prints a stake list that [Read] reads back, with a header, in the form
// of three columns when hasVotes is set and of two otherwise. A zero Node stands
// for Key. Without hasVotes an entry whose Node is another than its Key is an
// error that wraps [ErrKey]: the form has no place for both.
func Write(w io.Writer, entries []schedule.Entry, hasVotes bool) error {
	out := bufio.NewWriter(w)
	if err := rows(out, &list.List{Entries: entries, HasVotes: hasVotes}); err != nil {
		return err
	}
	return out.Flush()
}

// rows prints the header and the entries.
func rows(out *bufio.Writer, l *list.List) error {
	if l.HasVotes {
		fmt.Fprintf(out, "%s,%s,%s", voteColumn, nodeColumn, stakeColumn)
	} else {
		fmt.Fprintf(out, "%s,%s", pubkeyColumn, stakeColumn)
	}
	if l.Accounts != nil {
		fmt.Fprintf(out, ",%s,%s", balanceColumn, blsColumn)
	}
	out.WriteByte('\n')
	for i, e := range l.Entries {
		e, err := filled(e, l.HasVotes)
		if err != nil {
			return err
		}
		if l.HasVotes {
			out.WriteString(e.Key.String())
			out.WriteByte(',')
		}
		out.WriteString(e.Node.String())
		out.WriteByte(',')
		out.Write(strconv.AppendUint(out.AvailableBuffer(), e.Stake, 10))
		if l.Accounts != nil {
			out.WriteByte(',')
			out.Write(strconv.AppendUint(out.AvailableBuffer(), l.Accounts[i].Lamports, 10))
			out.WriteByte(',')
			out.Write(strconv.AppendBool(out.AvailableBuffer(), l.Accounts[i].BLS))
		}
		out.WriteByte('\n')
	}
	return nil
}

// filled returns an entry with its Node, checked against the form.
func filled(e schedule.Entry, hasVotes bool) (schedule.Entry, error) {
	if e.Node.IsZero() {
		e.Node = e.Key
	}
	switch {
	case hasVotes && e.Node.IsZero():
		return e, fmt.Errorf("%w: 32 zero bytes are no identity", ErrKey)
	case !hasVotes && e.Key != e.Node:
		return e, fmt.Errorf("%w: vote account %v has identity %v, want the form with vote accounts", ErrKey, e.Key, e.Node)
	}
	return e, nil
}
