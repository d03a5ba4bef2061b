package csv

import (
	"bufio"
	"fmt"
	"io"
	"strconv"

	"github.com/schedgen/schedgen/schedule"
)

// Write prints a stake list that [Read] reads back, with a header, in the form
// of three columns when hasVotes is set and of two otherwise. A zero Node stands
// for Key. Without hasVotes an entry whose Node is another than its Key is an
// error that wraps [ErrKey]: the form has no place for both.
func Write(w io.Writer, entries []schedule.Entry, hasVotes bool) error {
	out := bufio.NewWriter(w)
	if hasVotes {
		fmt.Fprintf(out, "%s,%s,%s\n", voteColumn, nodeColumn, stakeColumn)
	} else {
		fmt.Fprintf(out, "%s,%s\n", pubkeyColumn, stakeColumn)
	}
	for _, e := range entries {
		if e.Node.IsZero() {
			e.Node = e.Key
		}
		switch {
		case hasVotes && e.Node.IsZero():
			return fmt.Errorf("%w: 32 zero bytes are no identity", ErrKey)
		case hasVotes:
			out.WriteString(e.Key.String())
			out.WriteByte(',')
		case e.Key != e.Node:
			return fmt.Errorf("%w: vote account %v has identity %v, want the form with vote accounts", ErrKey, e.Key, e.Node)
		}
		out.WriteString(e.Node.String())
		out.WriteByte(',')
		out.Write(strconv.AppendUint(out.AvailableBuffer(), e.Stake, 10))
		out.WriteByte('\n')
	}
	return out.Flush()
}
