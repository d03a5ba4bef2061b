package schedulefile

import (
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"math"
	"strconv"

	"github.com/parquet-go/parquet-go"

	"github.com/schedgen/schedgen/schedule"
)

// Keys of the metadata that WriteParquet writes by itself.
const (
	MetaEpoch     = "schedgen.epoch"
	MetaFirstSlot = "schedgen.first_slot"
	MetaSlots     = "schedgen.slots"    // of the whole epoch
	MetaRepeat    = "schedgen.repeat"   // slots of a rotation
	MetaKeyedBy   = "schedgen.keyed_by" // vote or identity
	MetaDigest    = "schedgen.digest"   // of the whole schedule, in hexadecimal
	MetaFiltered  = "schedgen.filtered" // true when only the slots of some identities are there
)

// Keys for what callers know, see Options.Metadata.
const (
	MetaProgram = "schedgen.program" // name and version
	MetaSource  = "schedgen.source"  // of the stakes
	MetaVintage = "schedgen.vintage" // of the stakes: exact, approximate or unknown
	MetaReason  = "schedgen.reason"  // of the vintage
	MetaClock   = "schedgen.clock"   // what the times follow from
)

const (
	// rowGroup is how many rows are gathered in memory: more than an epoch of the
	// public clusters has, so that each key is stored once.
	rowGroup = 1 << 19
	rowBatch = 1 << 10 // rows that are handed to the encoder at a time
)

// createdBy is in the form that readers expect. It does not change with the
// program's version, so that the bytes of a file do not.
const createdBy = "schedgen version 1 (build 0)"

// A parquetRow is a row of a file. All numbers are int64, which
// every reader has, and whose differences are what they look like.
type parquetRow struct {
	Slot        int64  `parquet:"slot,delta"`
	SlotIndex   int64  `parquet:"slot_index,delta"`
	Rotation    int64  `parquet:"rotation,delta"`
	Leader      string `parquet:"leader,dict"`
	VoteAccount string `parquet:"vote_account,optional,dict"`
	Time        int64  `parquet:"time,optional,timestamp(millisecond),delta"` // 0 is null
}

// WriteParquet writes a schedule as a Parquet file: the columns of [Columns], of
// which vote_account may be null, and so may time, a UTC timestamp in milliseconds.
// Strings have a dictionary, pages are compressed with zstd.
//
// The metadata of the file are o.Metadata and those of MetaEpoch and the keys
// beside it, which take precedence. The same schedule and options give the same
// bytes on processors with AVX2, and the same on all others: the library's encoder
// finds fewer runs with AVX2. Memory is bounded by that of 524,288 rows, compressed.
//
// The error is an ErrSlotRange, after which nothing was written, or one of w.
func WriteParquet(w io.Writer, s *schedule.Schedule, o Options) error {
	if last := uint64(s.FirstSlot()) + s.Slots() - 1; last > math.MaxInt64 {
		return fmt.Errorf("epoch %d: %w: %d is the last", s.Epoch(), ErrSlotRange, last)
	}
	options := []parquet.WriterOption{
		parquet.NewSchema("schedule", parquet.SchemaOf(new(parquetRow))),
		parquet.Compression(&parquet.Zstd),
		parquet.MaxRowsPerRowGroup(rowGroup),
		&parquet.WriterConfig{CreatedBy: createdBy},
	}
	for key, value := range metadata(s, &o) {
		options = append(options, parquet.KeyValueMetadata(key, value))
	}
	writer := parquet.NewGenericWriter[parquetRow](w, options...)
	rows := make([]parquetRow, 0, rowBatch)
	err := eachRow(s, newFilter(o.Identities), func(r *row) error {
		if len(rows) == rowBatch {
			if _, err := writer.Write(rows); err != nil {
				return err
			}
			rows = rows[:0]
		}
		rows = append(rows, newParquetRow(r, &o))
		return nil
	})
	if err != nil {
		return err
	}
	if _, err := writer.Write(rows); err != nil {
		return err
	}
	return writer.Close()
}

func newParquetRow(r *row, o *Options) parquetRow {
	made := parquetRow{
		Slot: int64(r.slot), SlotIndex: int64(r.index), Rotation: int64(r.rotation),
		Leader: r.leader, VoteAccount: r.vote,
	}
	if t, ok := o.timeOf(r.slot); ok {
		made.Time = t.UnixMilli()
	}
	return made
}

func metadata(s *schedule.Schedule, o *Options) map[string]string {
	digest := s.Digest()
	all := maps.Clone(o.Metadata)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, map[string]string{
		MetaEpoch:     strconv.FormatUint(s.Epoch(), 10),
		MetaFirstSlot: strconv.FormatUint(uint64(s.FirstSlot()), 10),
		MetaSlots:     strconv.FormatUint(s.Slots(), 10),
		MetaRepeat:    strconv.Itoa(s.Repeat()),
		MetaKeyedBy:   s.Stakes().Keying().String(),
		MetaDigest:    hex.EncodeToString(digest[:]),
		MetaFiltered:  strconv.FormatBool(len(o.Identities) > 0),
	})
	return all
}
