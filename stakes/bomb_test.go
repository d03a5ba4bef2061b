package stakes

import (
	"archive/tar"
	"bytes"
	"compress/bzip2"
	"context"
	"encoding/hex"
	"errors"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/schedgen/schedgen/stakes/snapshot"
)

// A little data that unpacks to hundreds of MB of a first member that claims to be
// of 1 TiB is refused, and not unpacked to the end.
func TestOpenBomb(t *testing.T) {
	if os.Getenv("SCHEDGEN_TEST_EMULATED") != "" || testing.Short() {
		t.Skip("SCHEDGEN_TEST_EMULATED or -short is set: unpacking hundreds of MB takes long there")
	}
	var header bytes.Buffer
	w := tar.NewWriter(&header)
	if err := w.WriteHeader(&tar.Header{Name: "bomb", Size: 1 << 40, Format: tar.FormatGNU}); err != nil {
		t.Fatal(err)
	}
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer encoder.Close()
	const zeros = 45_000_000 // in each part of a bomb
	// bzip2 of the same, which nothing here can write.
	unhex := func(s string) []byte {
		b, err := hex.DecodeString(s)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	bzHeader := unhex("425a68393141592653594fbb7500000020dbc0e88040006780000470029e0040000400200054500d006469ea0d13d53d4f421ea3099fcbd776013aace9cb02b35051ee6440482194c52a7c68519beb28a00ab3e2ee48a70a1209f76ea000")
	bzZeros := unhex("425a6839314159265359c901b6c80158ab4020c00010000008200030cc0529a65248526c5492149e2ee48a70a12192036d90")
	if plain, err := io.ReadAll(bzip2.NewReader(bytes.NewReader(bzHeader))); err != nil || len(plain) != header.Len() {
		t.Fatalf("a header of %d bytes, %v", len(plain), err)
	}
	const parts = 1000
	for name, bomb := range map[string][]byte{
		"zstd":  append(encoder.EncodeAll(header.Bytes(), nil), bytes.Repeat(encoder.EncodeAll(make([]byte, zeros), nil), parts)...),
		"bzip2": append(bzHeader, bytes.Repeat(bzZeros, parts)...),
	} {
		t.Run(name, func(t *testing.T) {
			if len(bomb) > parts*zeros/5000 {
				t.Fatalf("a bomb of %d bytes", len(bomb))
			}
			r := bytes.NewReader(bomb)
			_, err := Open(context.Background(), "-", Options{Stdin: r})
			if !errors.Is(err, snapshot.ErrLimit) || !strings.Contains(err.Error(), "bytes of content each") {
				t.Errorf("got %v", err)
			}
		})
	}
}

// What is asked for to find out what an archive is of is bounded, too.
func TestProbeIsBounded(t *testing.T) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	if err := w.WriteHeader(&tar.Header{Name: "bomb", Size: 2 * maxUnpacked, Format: tar.FormatGNU}); err != nil {
		t.Fatal(err)
	}
	zeros := &zeroReader{}
	if holdsGenesis(io.MultiReader(&b, zeros)) {
		t.Error("a genesis")
	}
	if zeros.n > maxUnpacked+1<<20 {
		t.Errorf("%d bytes read", zeros.n)
	}
}

type zeroReader struct{ n int64 }

func (z *zeroReader) Read(b []byte) (int, error) {
	clear(b)
	z.n += int64(len(b))
	return len(b), nil
}
