package splice

import (
	"bytes"
	stdgzip "compress/gzip"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	kgzip "github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"
)

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		for len(s) > 0 { // in pieces, as a formatter writes
			n := min(len(s), 10_000)
			if _, err := io.WriteString(w, s[:n]); err != nil {
				return err
			}
			s = s[n:]
		}
		return nil
	}
}

func mustMake(t testing.TB, enc Encoding, o Options, s string) *Block {
	t.Helper()
	b, err := Make(enc, o, text(s))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// decodeGzip reads exactly one member that is the whole stream.
func decodeGzip(stream []byte) (string, error) {
	in := bytes.NewReader(stream)
	r, err := stdgzip.NewReader(in)
	if err != nil {
		return "", err
	}
	r.Multistream(false)
	out, err := io.ReadAll(r)
	if err != nil {
		return "", err
	}
	if in.Len() > 0 {
		return "", fmt.Errorf("%d bytes after the member", in.Len())
	}
	other, err := kgzip.NewReader(bytes.NewReader(stream))
	if err != nil {
		return "", err
	}
	again, err := io.ReadAll(other)
	if err != nil || !bytes.Equal(out, again) {
		return "", fmt.Errorf("another reader differs: %w", err)
	}
	return string(out), nil
}

func decodeZstd(stream []byte) (string, error) {
	r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(MaxWindow))
	if err != nil {
		return "", err
	}
	defer r.Close()
	out, err := r.DecodeAll(stream, nil)
	return string(out), err
}

func decode(enc Encoding, stream []byte) (string, error) {
	switch enc {
	case Gzip:
		return decodeGzip(stream)
	case Zstd:
		return decodeZstd(stream)
	}
	return string(stream), nil
}

// samples are texts of every size that a format treats in another way.
func samples() []string {
	rng := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 140_000)
	for i := range noise {
		noise[i] = byte(rng.Uint32())
	}
	var numbers strings.Builder
	for n := 0; n < 60_000; n += 1 + rng.IntN(9) {
		fmt.Fprintf(&numbers, "%d,%d,%d,%d,", n, n+1, n+2, n+3)
	}
	return []string{
		"", "a", "abcabcabc", strings.Repeat("x", maxStored), strings.Repeat("y", maxStored+1),
		strings.Repeat("z", zstdRaw), strings.Repeat("z", 2*zstdRaw+5), string(noise), numbers.String(),
	}
}

// Whatever parts there are, their stream decodes to their texts in order.
func TestJoin(t *testing.T) {
	all := samples()
	for _, enc := range Encodings() {
		t.Run(enc.String(), func(t *testing.T) {
			var blocks []*Block
			for i, s := range all {
				blocks = append(blocks, mustMake(t, enc, Options{Near: i%2 == 0}, s))
			}
			rapid.Check(t, func(t *rapid.T) {
				var parts []Part
				var want strings.Builder
				for range rapid.IntRange(0, 4).Draw(t, "parts") {
					i := rapid.IntRange(0, len(all)-1).Draw(t, "text")
					if rapid.Bool().Draw(t, "block") {
						parts = append(parts, blocks[i])
					} else {
						parts = append(parts, Literal(all[i]))
					}
					want.WriteString(all[i])
				}
				joined, err := Join(enc, parts...)
				if err != nil {
					t.Fatal(err)
				}
				checkText(t, enc, joined, want.String())
			})
		})
	}
}

func checkText(t rapid.TB, enc Encoding, joined *Text, want string) {
	t.Helper()
	var out bytes.Buffer
	n, err := joined.WriteTo(&out)
	if err != nil || n != joined.Len() || int64(out.Len()) != n || joined.Plain() != int64(len(want)) {
		t.Fatalf("wrote %d, %v of %d bytes, plain %d of %d", n, err, joined.Len(), joined.Plain(), len(want))
	}
	if !bytes.Equal(out.Bytes(), joined.Bytes()) {
		t.Fatal("Bytes are not what WriteTo writes")
	}
	got, err := decode(enc, out.Bytes())
	if err != nil || got != want {
		t.Fatalf("decoded %d bytes, %v, want %d", len(got), err, len(want))
	}
}

// A block's bytes are shared, not copied, and two texts may hold one block.
func TestJoinShares(t *testing.T) {
	for _, enc := range Encodings() {
		b := mustMake(t, enc, Options{}, samples()[7])
		for _, id := range []Literal{"1", "a longer one"} {
			joined, err := Join(enc, Literal("before"), b, id)
			if err != nil {
				t.Fatal(err)
			}
			shared := false
			for _, piece := range joined.pieces {
				shared = shared || &piece[0] == &b.pieces[0][0]
			}
			if !shared {
				t.Errorf("%v: the block was copied", enc)
			}
			checkText(t, enc, joined, "before"+samples()[7]+string(id))
		}
	}
}

// Zstd frames hold one block each, since a second one would refer to the offsets
// of the first.
func TestZstdFrames(t *testing.T) {
	b := mustMake(t, Zstd, Options{}, samples()[8])
	for blocks := range 4 {
		parts := []Part{Literal("[")}
		for range blocks {
			parts = append(parts, b, Literal(","))
		}
		joined, err := Join(Zstd, parts...)
		if err != nil {
			t.Fatal(err)
		}
		if got := bytes.Count(joined.Bytes(), []byte(zstdMagic)); got != max(blocks, 1) {
			t.Errorf("%d frames for %d blocks", got, blocks)
		}
	}
}

func TestErrors(t *testing.T) {
	broken := errors.New("broken")
	for _, enc := range Encodings() {
		_, err := Make(enc, Options{}, func(w io.Writer) error {
			io.WriteString(w, "half")
			return broken
		})
		if err != broken {
			t.Errorf("%v: got %v", enc, err)
		}
		other := mustMake(t, (enc+1)%3, Options{}, "x")
		if _, err := Join(enc, Literal("a"), other); !errors.Is(err, ErrEncoding) {
			t.Errorf("%v with %v: got %v", enc, other.Encoding(), err)
		}
		if _, err := Join(enc, (*Block)(nil)); !errors.Is(err, ErrEncoding) {
			t.Errorf("%v with nil: got %v", enc, err)
		}
	}
	if _, err := Make(9, Options{}, text("")); err == nil {
		t.Error("made a block of no encoding")
	}
	if _, err := Join(9); err == nil {
		t.Error("joined in no encoding")
	}
	joined, err := Join(Identity, Literal("abc"))
	if err != nil {
		t.Fatal(err)
	}
	if n, err := joined.WriteTo(failing{broken}); n != 2 || err != broken {
		t.Errorf("got %d, %v", n, err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 2, f.err }

func TestChecksums(t *testing.T) {
	for _, a := range samples() {
		for _, b := range samples() {
			want := crc32.ChecksumIEEE([]byte(a + b))
			got := crcMul(crcShift(int64(len(b))), crc32.ChecksumIEEE([]byte(a))) ^ crc32.ChecksumIEEE([]byte(b))
			if got != want {
				t.Fatalf("%d and %d bytes: got %08x, want %08x", len(a), len(b), got, want)
			}
		}
	}
}

// A large text is held once, in memory of its size.
func TestSize(t *testing.T) {
	for _, enc := range Encodings() {
		for _, s := range append(samples(), strings.Repeat(samples()[7], 9)) {
			b := mustMake(t, enc, Options{}, s)
			joined, err := Join(enc, b)
			if err != nil {
				t.Fatal(err)
			}
			if low, high := joined.Len()-64, joined.Len()+joined.Len()/8+64; b.Size() < low || b.Size() > high {
				t.Errorf("%v of %d bytes: takes %d, the stream has %d", enc, len(s), b.Size(), joined.Len())
			}
			checkText(t, enc, joined, s)
		}
	}
}

// A text that a client of HTTP could not decode with the window it must have is
// not made.
func TestZstdWindow(t *testing.T) {
	if testing.Short() || os.Getenv("SCHEDGEN_TEST_EMULATED") == "1" {
		t.Skip("a long text; -short or under emulation")
	}
	far := samples()[7] + strings.Repeat("-", MaxWindow+100) + samples()[7]
	joined, err := Join(Zstd, mustMake(t, Zstd, Options{}, far))
	if err != nil {
		t.Fatal(err)
	}
	checkText(t, Zstd, joined, far) // decodes with MaxWindow
}

func FuzzZstdBlocks(f *testing.F) {
	f.Add([]byte(zstdMagic))
	f.Add([]byte(zstdMagic + "\xe0\x01\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00"))
	joined, err := Join(Zstd, Literal("abc"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(joined.Bytes())
	f.Fuzz(func(t *testing.T, frame []byte) {
		blocks, _, err := zstdBlocks(frame)
		if err == nil && len(blocks) > len(frame) {
			t.Errorf("%d bytes of blocks in %d", len(blocks), len(frame))
		}
	})
}
