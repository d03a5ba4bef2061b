package epochs

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/schedgen/schedgen/schedule"
)

// WriteRPC writes the result of getLeaderSchedule, without a newline: an object of
// leaders, or with byVote of the vote accounts that slots were drawn for, in byte
// order of their base58 text, each with its slot indices. With identities it has
// their slots only. Errors: ErrNoVotes, after which nothing was written, and those
// of w.
func WriteRPC(w io.Writer, s *schedule.Schedule, byVote bool, identities ...schedule.Pubkey) error {
	if !byVote {
		return s.Write(unterminated{w}, schedule.FormatRPC, identities...)
	}
	if s.Stakes().Keying() != schedule.KeyedByVote {
		return fmt.Errorf("epoch %d: %w", s.Epoch(), ErrNoVotes)
	}
	return writeByVote(w, s, identities)
}

// An unterminated writer leaves out the newline that ends a text.
type unterminated struct{ w io.Writer }

func (u unterminated) Write(p []byte) (int, error) {
	text := bytes.TrimSuffix(p, []byte("\n"))
	n, err := u.w.Write(text)
	if err == nil {
		n = len(p)
	}
	return n, err
}

// A votedFor is a vote account with slots.
type votedFor struct {
	text string
	rank int
}

func writeByVote(w io.Writer, s *schedule.Schedule, identities []schedule.Pubkey) error {
	const chunk = 64 << 10
	starts, rotations := rotationsByRank(s)
	buf := []byte("{")
	for i, v := range votesByText(s, starts, identities) {
		if i > 0 {
			buf = append(buf, ',')
		}
		buf = append(buf, `"`+v.text+`":[`...)
		for j, rotation := range rotations[starts[v.rank]:starts[v.rank+1]] {
			first := uint64(rotation) * uint64(s.Repeat())
			for index := first; index < min(first+uint64(s.Repeat()), s.Slots()); index++ {
				if j > 0 || index > first {
					buf = append(buf, ',')
				}
				buf = strconv.AppendUint(buf, index, 10)
			}
			if len(buf) >= chunk {
				if _, err := w.Write(buf); err != nil {
					return err
				}
				buf = buf[:0]
			}
		}
		buf = append(buf, ']')
	}
	_, err := w.Write(append(buf, '}'))
	return err
}

// rotationsByRank lists the rotations of every rank: those of rank r, ascending, are
// rotations[starts[r]:starts[r+1]].
func rotationsByRank(s *schedule.Schedule) (starts, rotations []uint32) {
	starts = make([]uint32, s.Stakes().Len()+1)
	for rank, count := range s.CountRotations(nil) {
		starts[rank+1] = starts[rank] + count
	}
	next := slices.Clone(starts)
	rotations = make([]uint32, s.Rotations())
	for rotation, rank := range s.Ranks() {
		rotations[next[rank]] = uint32(rotation)
		next[rank]++
	}
	return starts, rotations
}

// votesByText returns the vote accounts of identities, or all, that have slots.
func votesByText(s *schedule.Schedule, starts []uint32, identities []schedule.Pubkey) []votedFor {
	var votes []votedFor
	for rank, e := range s.Stakes().All() {
		wanted := len(identities) == 0 || slices.Contains(identities, e.Node)
		if wanted && starts[rank+1] > starts[rank] {
			votes = append(votes, votedFor{e.Key.String(), rank})
		}
	}
	slices.SortFunc(votes, func(a, b votedFor) int { return cmp.Compare(a.text, b.text) })
	return votes
}
