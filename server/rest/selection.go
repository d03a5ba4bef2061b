package rest

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/schedulefile"
	"github.com/schedgen/schedgen/server/epochs"
	"github.com/schedgen/schedgen/slotclock"
	"github.com/schedgen/schedgen/stakes/list"
)

const (
	// mostIdentities is how many leaders an answer can be limited to.
	mostIdentities = 1000
	// mostRange is how many slots a part of an epoch may have.
	mostRange = 1 << 20
)

// A selection is what of a schedule is asked for.
type selection struct {
	identities  []schedule.Pubkey     // ascending, each once; none: all
	first, last schedule.Index        // of the range
	ranged      bool                  // otherwise it is all slots
	columns     []schedulefile.Column // of CSV; none: those of schedule.FormatCSV
	clock       slotclock.Clock       // for the times among the columns
}

// whole reports whether nothing is left out.
func (s *selection) whole() bool { return len(s.identities) == 0 && !s.ranged && len(s.columns) == 0 }

// tag is a name for the selection, the same for the same one; "" for the whole.
func (s *selection) tag() string {
	if s.whole() {
		return ""
	}
	sum := sha256.New()
	var numbers [16]byte
	if s.ranged {
		binary.LittleEndian.PutUint64(numbers[:], uint64(s.first))
		binary.LittleEndian.PutUint64(numbers[8:], uint64(s.last)+1) // 0 stands for all slots
	}
	sum.Write(numbers[:])
	for _, column := range s.columns {
		sum.Write([]byte(column + ","))
	}
	for _, identity := range s.identities {
		sum.Write(identity[:])
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// selection reads what the query limits a schedule to.
func (c *call) selection(e *epochs.Epoch, kind epochs.Kind) (selection, error) {
	var s selection
	if len(c.query) == 0 {
		return s, nil
	}
	for _, read := range []func(*selection, *epochs.Epoch, epochs.Kind) error{c.identities, c.slots, c.columns} {
		if err := read(&s, e, kind); err != nil {
			return s, err
		}
	}
	if s.ranged && len(s.columns) > 0 {
		return s, badf("columns", "columns are of the whole epoch, they do not go together with from and to")
	}
	return s, nil
}

func (c *call) identities(s *selection, e *epochs.Epoch, kind epochs.Kind) error {
	given := c.query["identity"]
	switch {
	case len(given) == 0:
		return nil
	case len(given) > mostIdentities:
		return badf("identity", "%d identities, want at most %d", len(given), mostIdentities)
	case kind == epochs.Kind(schedule.FormatEpochNew), kind == epochs.Kind(schedule.FormatDigest):
		return badf("identity", "format %s covers every leader and takes no identity", kind)
	}
	for _, text := range given {
		identity, err := parseKey("identity", text)
		if err != nil {
			return err
		}
		s.identities = append(s.identities, identity)
	}
	slices.SortFunc(s.identities, schedule.Pubkey.Compare)
	s.identities = slices.Compact(s.identities)
	return checkIdentities(e.List(), s.identities)
}

// checkIdentities finds vote accounts that were given for identities. An identity
// that leads nothing is no error.
func checkIdentities(l *list.List, identities []schedule.Pubkey) error {
	voters := map[schedule.Pubkey]schedule.Pubkey{} // of identities that are vote accounts
	leads := map[schedule.Pubkey]bool{}
	for _, entry := range l.Entries {
		node := nodeOf(entry)
		if _, ok := slices.BinarySearchFunc(identities, node, schedule.Pubkey.Compare); ok {
			leads[node] = true
		}
		if _, ok := slices.BinarySearchFunc(identities, entry.Key, schedule.Pubkey.Compare); ok {
			voters[entry.Key] = node
		}
	}
	for _, identity := range identities {
		if node, ok := voters[identity]; ok && !leads[identity] {
			return badf("identity", "%v is a vote account, its identity in this epoch is %v", identity, node)
		}
	}
	return nil
}

// nodeOf returns the identity of an entry.
func nodeOf(e schedule.Entry) schedule.Pubkey {
	if e.Node.IsZero() {
		return e.Key
	}
	return e.Node
}

// slots reads from and to, which are absolute and both in the epoch.
func (c *call) slots(s *selection, e *epochs.Epoch, kind epochs.Kind) error {
	sched := e.Schedule()
	first := sched.FirstSlot()
	last := first + schedule.Slot(sched.Slots()-1)
	from, hasFrom, err := c.number("from", uint64(first), uint64(last))
	if err != nil {
		return err
	}
	to, hasTo, err := c.number("to", uint64(first), uint64(last))
	if err != nil || !hasFrom && !hasTo {
		return err
	}
	if !hasFrom {
		from = uint64(first)
	}
	if !hasTo {
		to = uint64(last)
	}
	switch f := schedule.Format(kind); {
	case f != schedule.FormatText && f != schedule.FormatJSON && f != schedule.FormatJSONCompact &&
		f != schedule.FormatRPC && f != schedule.FormatCSV:
		return badf("from", "format %s covers the whole epoch; text, json, json-compact, rpc and csv take from and to", kind)
	case from > to:
		return badf("to", "to is slot %d, before from, which is %d", to, from)
	case from == uint64(first) && to == uint64(last):
		return nil
	case to-from >= mostRange:
		return badf("to", "%d slots are more than %d, which a part of an epoch may have", to-from+1, mostRange)
	}
	s.ranged, s.first, s.last = true, schedule.Index(from-uint64(first)), schedule.Index(to-uint64(first))
	return nil
}

func (c *call) columns(s *selection, _ *epochs.Epoch, kind epochs.Kind) error {
	if !c.query.Has("columns") {
		return nil
	}
	if kind != epochs.Kind(schedule.FormatCSV) {
		return badf("columns", "format %s has no columns, csv has", kind)
	}
	columns, err := schedulefile.ParseColumns(c.query.Get("columns"))
	if err != nil {
		var names []string
		for _, column := range schedulefile.Columns() {
			names = append(names, string(column))
		}
		return badf("columns", "columns are %q, want some of %s, each once, or all", shorten(c.query.Get("columns")), strings.Join(names, ","))
	}
	if !slices.Equal(columns, schedulefile.DefaultColumns()) {
		s.columns = columns
	}
	return nil
}

// write prints the selection. It fails of itself only before it writes.
func (s *selection) write(w io.Writer, e *epochs.Epoch, kind epochs.Kind) error {
	sched := e.Schedule()
	switch {
	case len(s.columns) > 0:
		return schedulefile.WriteCSV(w, sched, s.columns, schedulefile.Options{Identities: s.identities, TimeOf: s.timeOf()})
	case s.ranged:
		return s.writeRange(w, sched, schedule.Format(kind))
	case kind == epochs.Parquet:
		p := e.Provenance()
		tidy(&p)
		return schedulefile.WriteParquet(w, sched, schedulefile.Options{Identities: s.identities, Metadata: map[string]string{
			schedulefile.MetaSource: p.Source, schedulefile.MetaVintage: string(p.Vintage), schedulefile.MetaReason: p.Reason,
		}})
	case kind == epochs.RPCByVote:
		if err := epochs.WriteRPC(w, sched, true, s.identities...); err != nil {
			return err
		}
		_, err := io.WriteString(w, "\n")
		return err
	}
	return sched.Write(w, schedule.Format(kind), s.identities...)
}

// timeOf returns the times that the clock tells.
func (s *selection) timeOf() func(schedule.Slot) time.Time {
	if s.clock.PerSlot <= 0 {
		return nil
	}
	return func(slot schedule.Slot) time.Time {
		e := s.clock.TimeOf(slot)
		if e.Capped || e.Band == math.MaxInt64 {
			return time.Time{}
		}
		return e.Time
	}
}
