package schedulefile

import (
	"bytes"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/schedgen/schedgen/schedule"
)

func libraryFile[R any](t testing.TB, rows []R, options ...parquet.WriterOption) []byte {
	t.Helper()
	var b bytes.Buffer
	w := parquet.NewGenericWriter[R](&b, options...)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// Tables of others: other names, types and compressions, and no metadata.
func TestParquetOfOthers(t *testing.T) {
	type signed struct {
		Leader string `parquet:"leader"`
		Slot   int32  `parquet:"slot"`
		Other  float64
	}
	type unsigned struct {
		Slot     uint64  `parquet:"Absolute Slot"`
		Identity *string `parquet:"identity_pubkey,optional"`
		Vote     *string `parquet:"vote_pubkey,optional,dict"`
	}
	type raw struct {
		Slot   uint32   `parquet:"slot"`
		Leader [32]byte `parquet:"leader"`
	}
	type indexed struct {
		Index  int64  `parquet:"slot_index"`
		Leader string `parquet:"leader,dict"`
	}
	a, b, v := textA, textB, textVote
	for name, in := range map[string][]byte{
		"signed":   libraryFile(t, []signed{{a, 10, 1}, {b, 11, 2}}, parquet.Compression(&parquet.Snappy)),
		"unsigned": libraryFile(t, []unsigned{{11, &b, nil}, {10, &a, &v}, {12, nil, nil}}, parquet.DataPageVersion(1)),
		"raw":      libraryFile(t, []raw{{10, key(t, a)}, {11, key(t, b)}}),
		"indexed":  libraryFile(t, []indexed{{1, b}, {0, a}}, parquet.Compression(&parquet.Gzip)),
	} {
		o, err := read(in)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if name == "indexed" {
			if o, err = o.Place(10, 2); err != nil {
				t.Fatal(err)
			}
		}
		leaders := []string{a, b}
		if name == "unsigned" {
			leaders = append(leaders, "")
		}
		checkLeaders(t, o, 10, leaders...)
		vote, ok := o.Vote(0)
		if known := name == "unsigned"; ok != known || known && vote != key(t, v) {
			t.Errorf("%s: vote account %v, %v", name, vote, ok)
		}
		if o.Format != FormatParquet || o.Epoch != nil {
			t.Errorf("%s: %+v", name, o)
		}
	}
}

func TestParquetErrors(t *testing.T) {
	type row struct {
		Slot   int64   `parquet:"slot"`
		Index  int64   `parquet:"slot_index"`
		Leader *string `parquet:"leader,optional"`
	}
	a, bad := textA, "abc"
	type noLeader struct {
		Slot int64 `parquet:"slot"`
	}
	type textSlot struct {
		Slot, Leader string
	}
	type list struct {
		Slot   int64    `parquet:"slot"`
		Leader []string `parquet:"leader"`
	}
	rows := []row{{10, 2, &a}, {11, 3, &a}}
	for _, c := range []struct {
		name string
		in   []byte
		want error
		says string
	}{
		{"no leader", libraryFile(t, []noLeader{{1}}), ErrHeader, "none is the leader"},
		{"leaders", libraryFile(t, []list{{1, nil}}), ErrHeader, "none is the leader"},
		{"slot is text", libraryFile(t, []textSlot{{"1", a}}), ErrFormat, "file: column Slot: "},
		{"negative", libraryFile(t, []row{{-1, 0, &a}}), ErrFormat, "column slot: not a schedule: bad value: -1 in row 0"},
		{"key", libraryFile(t, []row{{1, 0, &a}, {2, 1, &bad}}), schedule.ErrPubkeySize, "file: column leader: "},
		{"other epoch", libraryFile(t, []row{{1, 0, &a}, {2, 0, &a}}), ErrSlot, "row 2: bad slot: "},
		{"epoch", libraryFile(t, rows, parquet.KeyValueMetadata(MetaEpoch, "x")), ErrFormat, `metadata schedgen.epoch is "x"`},
		{"outside", libraryFile(t, rows, parquet.KeyValueMetadata(MetaFirstSlot, "8"), parquet.KeyValueMetadata(MetaSlots, "3")), ErrFit, "metadata: "},
		{"starts elsewhere", libraryFile(t, rows, parquet.KeyValueMetadata(MetaFirstSlot, "7"), parquet.KeyValueMetadata(MetaSlots, "32")), ErrFit, "metadata: "},
		{"bomb", libraryFile(t, rows, parquet.KeyValueMetadata(MetaFirstSlot, "8"), parquet.KeyValueMetadata(MetaSlots, "268435456")), ErrSpan, "metadata schedgen.slots: "},
		{"digest", libraryFile(t, []row{{10, 0, &a}}, parquet.KeyValueMetadata(MetaFirstSlot, "10"), parquet.KeyValueMetadata(MetaSlots, "1"), parquet.KeyValueMetadata(MetaDigest, "00")), ErrDigest, `its metadata say "00"`},
		{"cut", write(t, small(t, schedule.KeyedByVote), FormatParquet)[:1000], ErrFormat, "cut short"},
	} {
		o, err := read(c.in)
		checkError(t, c.name, o, err, c.want, c.says)
	}
}
