package main

import (
	"bufio"
	"errors"
	"io"
	"math/bits"
	"slices"
	"strconv"

	"github.com/schedgen/schedgen/batch"
	"github.com/schedgen/schedgen/schedule"
)

// The values of --counts.
const (
	countsTotal   = "total"
	countsByEpoch = "epoch"
)

// A counter prints counts of validators.
type counter struct {
	w    io.Writer
	only []schedule.Pubkey // identities to print; none: all

	list *schedule.Stakes // whose texts these are
	rows []string         // identity,vote_account,stake by rank; "" where not to print
}

func (*counter) options() batch.Options { return batch.Options{Want: batch.Counts} }

// describe makes rows those of a stake list. The vote account is empty where
// stakes are keyed by identity.
func (c *counter) describe(st *schedule.Stakes) {
	if c.list == st {
		return
	}
	c.list, c.rows = st, make([]string, st.Len())
	for rank, e := range st.All() {
		if len(c.only) > 0 && !slices.Contains(c.only, e.Node) {
			continue
		}
		vote := ""
		if st.Keying() == schedule.KeyedByVote {
			vote = e.Key.String()
		}
		c.rows[rank] = e.Node.String() + "," + vote + "," + strconv.FormatUint(e.Stake, 10)
	}
}

// countsPerEpoch prints the counts of every epoch.
type countsPerEpoch struct {
	counter
	some bool // the header was written
	buf  []byte
}

func (*countsPerEpoch) finish() error { return nil }

func (c *countsPerEpoch) add(r *batch.Result) error {
	c.describe(r.Stakes)
	c.buf = c.buf[:0]
	if !c.some {
		c.buf = append(c.buf, "epoch,identity,vote_account,stake,rotations,slots\n"...)
		c.some = true
	}
	for rank, text := range c.rows {
		if text == "" {
			continue
		}
		c.buf = strconv.AppendUint(c.buf, r.Params.Epoch, 10)
		c.buf = append(append(c.buf, ','), text...)
		c.buf = appendCounts(c.buf, uint64(r.Counts[rank]), r.Slots(rank))
	}
	_, err := c.w.Write(c.buf)
	return err
}

// appendCounts appends the fields behind those of a validator.
func appendCounts(b []byte, counts ...uint64) []byte {
	for _, n := range counts {
		b = strconv.AppendUint(append(b, ','), n, 10)
	}
	return append(b, '\n')
}

// totals adds counts up and prints the sums in the end: those of one stake list
// after those of another, since there may be one of each keying.
type totals struct {
	counter
	sums []*sum
}

// A sum is what was counted with one stake list.
type sum struct {
	list             *schedule.Stakes
	epochs           uint64
	rotations, slots []uint64 // by rank
}

func (t *totals) add(r *batch.Result) error {
	if n := len(t.sums); n == 0 || t.sums[n-1].list != r.Stakes {
		n := r.Stakes.Len()
		t.sums = append(t.sums, &sum{list: r.Stakes, rotations: make([]uint64, n), slots: make([]uint64, n)})
	}
	s := t.sums[len(t.sums)-1]
	s.epochs++
	for rank, count := range r.Counts {
		var carry uint64
		s.rotations[rank] += uint64(count)
		if s.slots[rank], carry = bits.Add64(s.slots[rank], r.Slots(rank), 0); carry != 0 {
			return errors.New("--counts: a validator leads more than 18446744073709551615 slots, take fewer epochs")
		}
	}
	return nil
}

func (t *totals) finish() error {
	w := bufio.NewWriter(t.w)
	w.WriteString("identity,vote_account,stake,epochs,rotations,slots\n")
	for _, s := range t.sums {
		t.describe(s.list)
		for rank, text := range t.rows {
			if text != "" {
				w.WriteString(text)
				w.Write(appendCounts(w.AvailableBuffer(), s.epochs, s.rotations[rank], s.slots[rank]))
			}
		}
	}
	return w.Flush()
}
