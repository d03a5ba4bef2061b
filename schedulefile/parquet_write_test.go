package schedulefile

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/schedgen/schedgen/schedule"
)

// A libraryRow is a row as the library reads it: by names and logical types that
// it checks, independently of the reader of this package.
type libraryRow struct {
	Slot        int64      `parquet:"slot"`
	SlotIndex   int64      `parquet:"slot_index"`
	Rotation    int64      `parquet:"rotation"`
	Leader      string     `parquet:"leader"`
	VoteAccount *string    `parquet:"vote_account,optional"`
	Time        *time.Time `parquet:"time,optional,timestamp(millisecond)"`
}

func parquetBytes(t fataler, s *schedule.Schedule, o Options) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := WriteParquet(&out, s, o); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func libraryRows(t *testing.T, b []byte) []libraryRow {
	t.Helper()
	rows, err := parquet.Read[libraryRow](bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestWriteParquet(t *testing.T) {
	for _, keying := range []schedule.Keying{schedule.KeyedByVote, schedule.KeyedByIdentity} {
		s := small(t, keying)
		one, _ := s.Leader(5)
		for _, only := range [][]schedule.Pubkey{nil, {one}} {
			rows := libraryRows(t, parquetBytes(t, s, Options{TimeOf: clock, Identities: only}))
			n := 0
			for i := range s.Slots() {
				leader, _ := s.Leader(schedule.Index(i))
				if only != nil && leader != one {
					continue
				}
				if n == len(rows) {
					t.Fatalf("%v, %v: only %d rows", keying, only, n)
				}
				row := rows[n]
				n++
				slot := uint64(s.FirstSlot()) + i
				if row.Slot != int64(slot) || row.SlotIndex != int64(i) || row.Rotation != int64(i/4) || row.Leader != leader.String() {
					t.Errorf("%v: row %d: %+v", keying, n-1, row)
				}
				vote, ok := s.Vote(schedule.Index(i))
				if ok != (row.VoteAccount != nil) || ok && vote.String() != *row.VoteAccount {
					t.Errorf("%v: row %d: vote account %v, want %v", keying, n-1, row.VoteAccount, vote)
				}
				if row.Time == nil || !row.Time.Equal(clock(schedule.Slot(slot))) {
					t.Errorf("%v: row %d: time %v", keying, n-1, row.Time)
				}
			}
			if n != len(rows) {
				t.Errorf("%v, %v: %d rows, want %d", keying, only, len(rows), n)
			}
		}
	}
}

// The schema is what readers see: names in order, types, which may be null, and
// which have a dictionary.
func TestWriteParquetSchema(t *testing.T) {
	const want = `message schedule {
	required int64 slot (INT(64,true));
	required int64 slot_index (INT(64,true));
	required int64 rotation (INT(64,true));
	required binary leader (STRING);
	optional binary vote_account (STRING);
	optional int64 time (TIMESTAMP(isAdjustedToUTC=true,unit=MILLIS));
}`
	s := small(t, schedule.KeyedByVote)
	for _, o := range []Options{{}, {TimeOf: clock}} {
		b := parquetBytes(t, s, o)
		f, err := parquet.OpenFile(bytes.NewReader(b), int64(len(b)))
		if err != nil {
			t.Fatal(err)
		}
		if got := f.Schema().String(); got != want {
			t.Errorf("schema\n%s\nwant\n%s", got, want)
		}
		for i, column := range f.Metadata().RowGroups[0].Columns {
			if dict := column.MetaData.DictionaryPageOffset > 0; dict != (i == 3 || i == 4) {
				t.Errorf("column %d: dictionary %v", i, dict)
			}
			if codec := column.MetaData.Codec.String(); codec != "ZSTD" {
				t.Errorf("column %d: codec %s", i, codec)
			}
		}
	}
}

func TestWriteParquetMetadata(t *testing.T) {
	s := small(t, schedule.KeyedByVote)
	digest := string(bytes.TrimSpace(write(t, s, schedule.FormatDigest)))
	o := Options{
		Identities: []schedule.Pubkey{{1}},
		Metadata:   map[string]string{MetaVintage: "exact", MetaEpoch: "999", "note": "a, b"},
	}
	b := parquetBytes(t, s, o)
	f, err := parquet.OpenFile(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{
		MetaEpoch: "7", MetaFirstSlot: "998", MetaSlots: "22", MetaRepeat: "4", MetaKeyedBy: "vote", MetaDigest: digest,
		MetaFiltered: "true", MetaVintage: "exact", "note": "a, b",
	} {
		if got, ok := f.Lookup(key); !ok || got != want {
			t.Errorf("%s is %q, %v, want %q", key, got, ok, want)
		}
	}
	if got := f.Metadata().CreatedBy; got != createdBy {
		t.Errorf("created by %q", got)
	}
	if o.Metadata[MetaEpoch] != "999" {
		t.Error("the caller's metadata were changed")
	}
}

// The same schedule gives the same bytes.
func TestWriteParquetDeterministic(t *testing.T) {
	st := testStakes(t, 200, schedule.KeyedByVote)
	p := schedule.Params{Epoch: 5, Slots: 20_000}
	o := Options{TimeOf: clock, Metadata: map[string]string{"a": "1", "b": "2", "c": "3", "d": "4"}}
	first := parquetBytes(t, derive(t, st, p), o)
	for range 4 {
		if !bytes.Equal(first, parquetBytes(t, derive(t, st, p), o)) {
			t.Fatal("the bytes differ")
		}
	}
}

// The bytes are the same on every machine of either kind. A new release of the
// Parquet library or of its compression may change them: then take the new sums.
func TestWriteParquetSum(t *testing.T) {
	s := derive(t, testStakes(t, 50, schedule.KeyedByVote), schedule.Params{Epoch: 5, FirstSlot: 160, Slots: 5_000})
	sum := sha256.Sum256(parquetBytes(t, s, Options{TimeOf: clock}))
	want := []string{
		"dfaeb65115d564953f4c79589dde4b5a3007f3178e1811e859afb6dbc4681cdc", // with AVX2
		"84ff5cb569c60818df4db87331129094a06b81c51d82c379f50af9b2973f3c37",
	}
	if got := hex.EncodeToString(sum[:]); !slices.Contains(want, got) {
		t.Errorf("SHA-256 %s, want one of %s", got, want)
	}
}

// More slots than a row group holds.
func TestWriteParquetRowGroups(t *testing.T) {
	if testing.Short() || emulated() {
		t.Skip("half a million rows take long: not with -short or under emulation")
	}
	s := derive(t, testStakes(t, 3, schedule.KeyedByVote), schedule.Params{Slots: rowGroup + 5, FirstSlot: 1})
	b := parquetBytes(t, s, Options{})
	f, err := parquet.OpenFile(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(f.RowGroups()); n != 2 {
		t.Errorf("%d row groups, want 2", n)
	}
	checkSame(t, mustRead(t, b), s, true)
}

func TestWriteParquetErrors(t *testing.T) {
	st := testStakes(t, 300, schedule.KeyedByVote)
	var out bytes.Buffer
	late := derive(t, st, schedule.Params{FirstSlot: math.MaxInt64 - 3, Slots: 5})
	if err := WriteParquet(&out, late, Options{}); !errors.Is(err, ErrSlotRange) || out.Len() > 0 {
		t.Errorf("got %v and %d bytes", err, out.Len())
	}
	s := derive(t, st, schedule.Params{Slots: 40_000})
	size := len(parquetBytes(t, s, Options{}))
	for _, left := range []int{0, 3, size / 2, size - 1} {
		if err := WriteParquet(&limited{left: left}, s, Options{}); !errors.Is(err, errFull) {
			t.Errorf("after %d of %d bytes: %v", left, size, err)
		}
	}
	if err := WriteParquet(io.Discard, s, Options{}); err != nil {
		t.Error(err)
	}
}
