package flatparquet

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/parquet-go/parquet-go/encoding/delta"
	"github.com/parquet-go/parquet-go/encoding/rle"
)

// Numbers of every width, in lengths around those of groups and blocks, come back
// as the library wrote them.
func TestRuns(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for width := range 33 {
		for _, n := range []int{0, 1, 7, 8, 9, 100, 513} {
			want := make([]uint32, n)
			for i := range want {
				if random.IntN(20) > 0 && i > 0 && i%200 < 100 {
					want[i] = want[i-1] // a run
					continue
				}
				want[i] = uint32(random.Uint64() & (1<<width - 1))
			}
			signed := make([]int32, n)
			for i, v := range want {
				signed[i] = int32(v)
			}
			b, err := (&rle.Encoding{BitWidth: width}).EncodeInt32(nil, signed)
			if err != nil {
				t.Fatal(err)
			}
			got, err := runs(b, uint(width), n)
			if err != nil || !slices.Equal(got, want) {
				t.Fatalf("width %d, %d numbers: got %v, %v, want %v", width, n, got, err, want)
			}
			for cut := 0; cut < len(b); cut += 1 + n/40 {
				if got, err := runs(b[:cut], uint(width), n); err == nil && !slices.Equal(got, want) {
					t.Fatalf("width %d, %d numbers, %d bytes of %d: got %v", width, n, cut, len(b), got)
				}
			}
		}
	}
}

func TestDeltas(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for width := range 65 {
		for _, n := range []int{0, 1, 2, 31, 32, 33, 128, 129, 130, 1000} {
			want := make([]int64, n)
			for i := range want {
				step := random.Int64()<<1 | random.Int64N(2)
				if width < 64 {
					step &= 1<<width - 1
				}
				if i > 0 {
					want[i] = want[i-1]
				}
				want[i] += step
			}
			b, err := (&delta.BinaryPackedEncoding{}).EncodeInt64(nil, want)
			if err != nil {
				t.Fatal(err)
			}
			got, rest, err := deltas(append(b, "rest"...), n)
			if err != nil || !slices.Equal(got, want) || n > 0 && string(rest) != "rest" {
				t.Fatalf("width %d, %d numbers: got %v, %q, %v, want %v", width, n, got, rest, err, want)
			}
			for cut := 0; cut < len(b); cut += 1 + n/10 {
				if got, _, err := deltas(b[:cut], n); err == nil && !slices.Equal(got, want) {
					t.Fatalf("width %d, %d numbers, %d bytes of %d: got %v", width, n, cut, len(b), got)
				}
			}
		}
	}
}

// Lengths that a page states and does not have.
func TestLyingLengths(t *testing.T) {
	for name, b := range map[string][]byte{
		"run without value":   {4, 0},
		"endless run":         {0xfe, 0xff, 0xff, 0xff, 0x0f},
		"groups without bits": {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 1},
		"number too long":     {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1},
		"empty runs":          {0, 1, 0, 1, 0, 1},
		"nothing":             nil,
	} {
		if got, err := runs(b, 9, 20); err == nil {
			t.Errorf("%s: %v", name, got)
		}
	}
	if got, err := runs([]byte{0xfe, 0xff, 0xff, 0xff, 0x0f, 5}, 3, 20); err != nil || len(got) != 20 || got[19] != 5 {
		t.Errorf("a run that is longer than the page: %v, %v", got, err)
	}
	for name, b := range map[string][]byte{
		"no block":     {0, 4, 20, 0},
		"no parts":     {128, 1, 0, 20, 0},
		"great block":  {0xff, 0xff, 0xff, 0xff, 0x0f, 1, 20, 0},
		"other total":  {128, 1, 4, 21, 0},
		"great total":  {128, 1, 4, 0xff, 0xff, 0xff, 0xff, 0x7f, 0},
		"odd parts":    {128, 1, 3, 20, 0},
		"small parts":  {128, 1, 32, 20, 0},
		"great width":  append([]byte{128, 1, 4, 20, 0, 0, 65, 0, 0, 0}, make([]byte, 1000)...),
		"no widths":    {128, 1, 4, 20, 0, 0, 1},
		"no least":     {128, 1, 4, 20, 0},
		"no first":     {128, 1, 4, 20},
		"no numbers":   {128, 1, 4, 20, 0, 0, 7, 7, 7, 7, 1, 2, 3},
		"empty":        nil,
		"only a block": {128, 1},
	} {
		if got, _, err := deltas(b, 20); err == nil {
			t.Errorf("%s: %v", name, got)
		}
	}
}
