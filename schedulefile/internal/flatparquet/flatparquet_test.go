package flatparquet

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"runtime"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
)

// A testRow has a column of each kind and encoding.
type testRow struct {
	Plain    int64    `parquet:"plain,plain"`
	Dict     int64    `parquet:"dict,dict"`
	Delta    int64    `parquet:"delta,delta"`
	Unsigned uint64   `parquet:"unsigned,plain"`
	Small    int32    `parquet:"small,plain"`
	SmallU   uint32   `parquet:"small_unsigned,dict"`
	MayBe    *int64   `parquet:"may_be,optional,plain"`
	Text     string   `parquet:"text,plain"`
	TextDict string   `parquet:"text_dict,dict"`
	TextDlt  string   `parquet:"text_delta,delta"`
	TextLen  string   `parquet:"text_length"`
	OptText  *string  `parquet:"opt_text,optional,dict"`
	OptPlain *string  `parquet:"opt_plain,optional,plain"`
	Raw      [32]byte `parquet:"raw,plain"`
	Float    float64  `parquet:"float"`
	Nested   struct {
		A int64   `parquet:"a"`
		B []int64 `parquet:"b,list"`
	} `parquet:"nested"`
	Last int64 `parquet:"last,plain"`
}

func testRows(n int) []testRow {
	rows := make([]testRow, n)
	for i := range rows {
		r := &rows[i]
		r.Plain, r.Dict, r.Delta, r.Unsigned = int64(i)<<30, int64(i%7), int64(i)*int64(i)%10_007, math.MaxUint64-uint64(i)
		r.Small, r.SmallU, r.Last = int32(i), math.MaxUint32-uint32(i%3), int64(n-i)
		r.Text, r.TextDict = fmt.Sprint("t", i), fmt.Sprint("d", i%5)
		r.TextDlt, r.TextLen = fmt.Sprint("delta ", i*i), fmt.Sprint("length ", i*i)
		r.Raw[0], r.Raw[31] = byte(i), 1
		if i%3 != 0 {
			text, number := fmt.Sprint("o", i%4), int64(i)
			r.OptText, r.OptPlain, r.MayBe = &text, &text, &number
		}
		if i%50 < 20 {
			r.OptText = nil
		}
		r.Nested.B = []int64{1, 2}
	}
	return rows
}

func testFile(t testing.TB, rows []testRow, options ...parquet.WriterOption) []byte {
	t.Helper()
	var b bytes.Buffer
	w := parquet.NewGenericWriter[testRow](&b, options...)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func mustOpen(t testing.TB, b []byte) *File {
	t.Helper()
	f, err := Open(b)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// An interner numbers texts.
type interner struct {
	texts []string
	calls int
}

func (in *interner) number(text []byte) (uint32, error) {
	in.calls++
	in.texts = append(in.texts, string(text))
	return uint32(len(in.texts) - 1), nil
}

func (f *File) find(t testing.TB, name string) int {
	t.Helper()
	for i, c := range f.Columns {
		if c.Name == name {
			return i
		}
	}
	t.Fatalf("no column %s in %v", name, f.Columns)
	return -1
}

// checkNumbers compares a column of all groups with what want says of a row.
func checkNumbers(t testing.TB, f *File, name string, want func(i int) uint64) {
	t.Helper()
	i := 0
	for group := range f.Groups() {
		numbers, err := f.Numbers(group, f.find(t, name))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, got := range numbers {
			if got != want(i) {
				t.Fatalf("%s: row %d is %d, want %d", name, i, got, want(i))
			}
			i++
		}
	}
	if i != f.Rows {
		t.Fatalf("%s: %d rows, want %d", name, i, f.Rows)
	}
}

// checkTexts is checkNumbers for strings, nil where there is none.
func checkTexts(t testing.TB, f *File, name string, want func(i int) *string) {
	t.Helper()
	i := 0
	for group := range f.Groups() {
		var in interner
		numbers, err := f.Texts(group, f.find(t, name), in.number)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, n := range numbers {
			want := want(i)
			if (n == Null) != (want == nil) || want != nil && in.texts[n] != *want {
				t.Fatalf("%s: row %d is number %d of %q, want %v", name, i, n, in.texts, want)
			}
			i++
		}
	}
	if i != f.Rows {
		t.Fatalf("%s: %d rows, want %d", name, i, f.Rows)
	}
}

func checkFile(t testing.TB, f *File, rows []testRow) {
	t.Helper()
	if f.Rows != len(rows) {
		t.Fatalf("%d rows, want %d", f.Rows, len(rows))
	}
	checkNumbers(t, f, "plain", func(i int) uint64 { return uint64(rows[i].Plain) })
	checkNumbers(t, f, "dict", func(i int) uint64 { return uint64(rows[i].Dict) })
	checkNumbers(t, f, "delta", func(i int) uint64 { return uint64(rows[i].Delta) })
	checkNumbers(t, f, "unsigned", func(i int) uint64 { return rows[i].Unsigned })
	checkNumbers(t, f, "small", func(i int) uint64 { return uint64(rows[i].Small) })
	checkNumbers(t, f, "small_unsigned", func(i int) uint64 { return uint64(rows[i].SmallU) })
	checkNumbers(t, f, "last", func(i int) uint64 { return uint64(rows[i].Last) })
	checkTexts(t, f, "text", func(i int) *string { return &rows[i].Text })
	checkTexts(t, f, "text_dict", func(i int) *string { return &rows[i].TextDict })
	checkTexts(t, f, "text_delta", func(i int) *string { return &rows[i].TextDlt })
	checkTexts(t, f, "text_length", func(i int) *string { return &rows[i].TextLen })
	checkTexts(t, f, "opt_text", func(i int) *string { return rows[i].OptText })
	checkTexts(t, f, "opt_plain", func(i int) *string { return rows[i].OptPlain })
	checkTexts(t, f, "raw", func(i int) *string { raw := string(rows[i].Raw[:]); return &raw })
}

// What the library writes is read: every compression, both versions of pages,
// many pages and row groups, and none.
func TestFiles(t *testing.T) {
	for name, codec := range map[string]compress.Codec{
		"none": &parquet.Uncompressed, "snappy": &parquet.Snappy, "gzip": &parquet.Gzip, "zstd": &parquet.Zstd, "lz4": &parquet.Lz4Raw,
	} {
		for _, version := range []int{1, 2} {
			for _, n := range []int{0, 1, 8, 1000} {
				t.Run(fmt.Sprintf("%s, pages of version %d, %d rows", name, version, n), func(t *testing.T) {
					rows := testRows(n)
					options := []parquet.WriterOption{parquet.Compression(codec), parquet.DataPageVersion(version)}
					checkFile(t, mustOpen(t, testFile(t, rows, options...)), rows)
					options = append(options, parquet.PageBufferSize(700), parquet.MaxRowsPerRowGroup(300))
					checkFile(t, mustOpen(t, testFile(t, rows, options...)), rows)
				})
			}
		}
	}
}

// A dictionary's entry is numbered once, whatever the number of its rows.
func TestDictionaryOnce(t *testing.T) {
	f := mustOpen(t, testFile(t, testRows(1000)))
	var in interner
	if _, err := f.Texts(0, f.find(t, "text_dict"), in.number); err != nil || in.calls != 5 {
		t.Errorf("%d calls, %v", in.calls, err)
	}
}

func TestColumns(t *testing.T) {
	f := mustOpen(t, testFile(t, testRows(1)))
	for name, want := range map[string]Kind{
		"plain": Numbers, "small_unsigned": Numbers, "may_be": Numbers, "text": Texts, "opt_text": Texts, "raw": FixedRaw,
		"float": Other, "a": Other, "element": Other,
	} {
		if got := f.Columns[f.find(t, name)].Kind; got != want {
			t.Errorf("%s is of kind %d, want %d", name, got, want)
		}
	}
}

func TestLookup(t *testing.T) {
	f := mustOpen(t, testFile(t, nil, parquet.KeyValueMetadata("a", "1"), parquet.KeyValueMetadata("b", "")))
	for key, want := range map[string]string{"a": "1", "b": ""} {
		if got, ok := f.Lookup(key); !ok || got != want {
			t.Errorf("%s: %q, %v", key, got, ok)
		}
	}
	if _, ok := f.Lookup("c"); ok {
		t.Error("a key that is not there is found")
	}
}

// Values that are not of the kind that was asked for.
func TestWrongValues(t *testing.T) {
	rows := testRows(30)
	rows[7].Plain, rows[8].Small = -1, -5
	f := mustOpen(t, testFile(t, rows))
	refused := errors.New("refused")
	refuse := func([]byte) (uint32, error) { return 0, refused }
	for name, want := range map[string]error{
		"plain": ErrValue, "small": ErrValue, "may_be": ErrValue, "text": ErrValue, "float": ErrValue, "raw": ErrValue,
	} {
		if _, err := f.Numbers(0, f.find(t, name)); !errors.Is(err, want) {
			t.Errorf("numbers of %s: %v", name, err)
		}
	}
	for name, want := range map[string]error{
		"plain": ErrValue, "float": ErrValue, "text": refused, "text_dict": refused, "text_delta": refused, "text_length": refused, "opt_text": refused, "raw": refused,
	} {
		if _, err := f.Texts(0, f.find(t, name), refuse); !errors.Is(err, want) {
			t.Errorf("texts of %s: %v", name, err)
		}
	}
}

// readAll reads all columns that can be read.
func readAll(b []byte) error {
	f, err := Open(b)
	if err != nil {
		return err
	}
	var in interner
	var all []error
	for group := range f.Groups() {
		for i, c := range f.Columns {
			switch c.Kind {
			case Numbers:
				_, err = f.Numbers(group, i)
			case Texts, FixedRaw:
				_, err = f.Texts(group, i, in.number)
			default:
				err = nil
			}
			if !errors.Is(err, ErrValue) {
				all = append(all, err)
			}
		}
	}
	return errors.Join(all...)
}

func known(err error) bool {
	return err == nil || errors.Is(err, ErrDamaged) || errors.Is(err, ErrUnsupported) || errors.Is(err, ErrSize)
}

// A file that was cut is none, and one that was changed is read or refused, and
// takes no more memory than a file of its size may.
func TestDamage(t *testing.T) {
	rows := testRows(60)
	for _, version := range []int{1, 2} {
		good := testFile(t, rows, parquet.DataPageVersion(version), parquet.Compression(&parquet.Zstd))
		if err := readAll(good); err != nil {
			t.Fatal(err)
		}
		for n := range good {
			if err := readAll(good[:n]); !errors.Is(err, ErrDamaged) {
				t.Fatalf("%d bytes of %d: %v", n, len(good), err)
			}
		}
		step := 23
		if testing.Short() || os.Getenv("SCHEDGEN_TEST_EMULATED") == "1" {
			step = 171
		}
		b := bytes.Clone(good)
		var before, after runtime.MemStats
		for i := 0; i < len(b); i += step {
			for _, flip := range []byte{1, 0x80, 0xff} {
				b[i] ^= flip
				runtime.ReadMemStats(&before)
				err := readAll(b)
				runtime.ReadMemStats(&after)
				b[i] ^= flip
				if took := after.TotalAlloc - before.TotalAlloc; took > 256<<20 {
					t.Errorf("byte %d: %d bytes, %v", i, took, err)
				}
				if !known(err) {
					t.Errorf("byte %d: %v", i, err)
				}
			}
		}
	}
}

// FuzzOpen: any bytes are read or refused. With mend, the bytes are put between
// what makes the beginning and the end of a file.
func FuzzOpen(f *testing.F) {
	for _, version := range []int{1, 2} {
		for _, codec := range []compress.Codec{&parquet.Uncompressed, &parquet.Snappy, &parquet.Zstd, &parquet.Gzip, &parquet.Lz4Raw} {
			b := testFile(f, testRows(20), parquet.DataPageVersion(version), parquet.Compression(codec))
			f.Add(b, false)
			f.Add(b[4:len(b)-8], true)
		}
	}
	f.Add([]byte("PAR1"), false)
	f.Fuzz(func(t *testing.T, b []byte, mend bool) {
		if mend {
			n := min(len(b), 400) // of metadata
			b = append(append([]byte(magic), b...), byte(n), byte(n>>8), 0, 0)
			b = append(b, magic...)
		}
		if err := readAll(b); !known(err) {
			t.Fatal(err)
		}
	})
}
