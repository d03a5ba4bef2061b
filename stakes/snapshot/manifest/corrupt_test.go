package manifest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"os"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/schedgen/schedgen/internal/bincode"
	"github.com/schedgen/schedgen/stakes/snapshot/snapshottest"
)

// step is how many bytes to go from one that is tried to the next.
func step(t *testing.T) int {
	if os.Getenv("SCHEDGEN_TEST_EMULATED") == "1" || testing.Short() {
		t.Log("only every 13th byte: the tests are short or run in an emulator")
		return 13
	}
	return 1
}

var layouts = []snapshottest.Layout{snapshottest.Old, snapshottest.New}

func read(data []byte) (*Manifest, error) {
	return Read(bytes.NewReader(data), int64(len(data)))
}

func mustRead(t *testing.T, data []byte) *Manifest {
	t.Helper()
	m, err := read(data)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// located checks that an error says where in a manifest of some size it is.
func located(t *testing.T, err error, size int) *bincode.Error {
	t.Helper()
	var e *bincode.Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, want a *bincode.Error", err)
	}
	if e.Offset < 0 || e.Offset > int64(size) || strings.ContainsAny(err.Error(), "\r\n") {
		t.Fatalf("%q of a manifest of %d bytes", err, size)
	}
	return e
}

// A manifest may end before any of the fields that releases have added, and
// nowhere else.
func TestTruncatedAtEveryOffset(t *testing.T) {
	step := step(t)
	for _, layout := range layouts {
		spec := snapshottest.Small(layout)
		data := spec.Manifest()
		ends := map[int]*Manifest{}
		for extra := range spec.Extra {
			shorter := spec
			shorter.Extra = extra
			end := shorter.Manifest()
			if !bytes.HasPrefix(data, end) {
				t.Fatalf("%s: with %d extra fields the manifest is another", layout, extra)
			}
			ends[len(end)] = mustRead(t, end)
		}
		for size := 0; size < len(data); size += step {
			m, err := read(data[:size])
			if want, ok := ends[size]; ok {
				if err != nil || !reflect.DeepEqual(m, want) {
					t.Errorf("%s: %d bytes, where it may end: %+v, %v", layout, size, m, err)
				}
				continue
			}
			if e := located(t, err, size); !errors.Is(err, bincode.ErrTruncated) && !errors.Is(err, bincode.ErrLength) {
				t.Fatalf("%s: %d of %d bytes: %v", layout, size, len(data), e)
			}
			if size%4 != 0 {
				continue
			}
			// Without knowing the size, too, it is the end that is wrong.
			if _, err := Read(bytes.NewReader(data[:size]), -1); !errors.Is(err, bincode.ErrTruncated) {
				t.Fatalf("%s: %d of %d bytes of an unknown size: %v", layout, size, len(data), err)
			}
		}
	}
}

// With any byte changed a manifest is read or refused. It is refused for what
// rules the bytes behind it, for slots that disagree, and for what is there twice;
// all other bytes are free.
func TestEveryByteFlipped(t *testing.T) {
	step := step(t)
	for _, layout := range layouts {
		spec := snapshottest.Small(layout)
		data := spec.Manifest()
		rules := make([]snapshottest.Kind, len(data))
		for _, m := range spec.Marks() {
			size := map[snapshottest.Kind]int64{snapshottest.Length: 8, snapshottest.Option: 1, snapshottest.Bool: 1, snapshottest.Enum: 4}[m.Kind]
			for i := range size {
				rules[m.Offset+i] = m.Kind
			}
		}
		for i := 0; i < len(data); i += step {
			flips := []byte{0xff, 0x01}
			if rules[i] == "" {
				flips = flips[:1]
			}
			for _, flip := range flips {
				data[i] ^= flip
				_, err := read(data)
				data[i] ^= flip
				if err != nil {
					located(t, err, len(data))
				}
				switch kind := rules[i]; {
				case kind == "" && err != nil && !errors.Is(err, ErrSlot) && !errors.Is(err, ErrDuplicate):
					t.Fatalf("%s: byte %d ^ %#x: %v", layout, i, flip, err)
				case kind != "" && kind != snapshottest.Length && flip == 0xff && err == nil:
					t.Fatalf("%s: byte %d, of a tag, ^ %#x: no error", layout, i, flip)
				}
			}
		}
	}
}

// Lengths that lie are refused, and cost no memory to find out.
func TestEveryLengthBombed(t *testing.T) {
	const most = 4 << 20 // bytes, over the buffer
	for _, layout := range layouts {
		spec := snapshottest.Small(layout)
		data := spec.Manifest()
		for _, m := range spec.Marks() {
			if m.Kind != snapshottest.Length {
				continue
			}
			field := data[m.Offset : m.Offset+8]
			n := binary.LittleEndian.Uint64(field)
			for _, lie := range []uint64{math.MaxUint64, math.MaxInt64, 1 << 40, 1 << 32, n + 1} {
				binary.LittleEndian.PutUint64(field, lie)
				for _, size := range []int64{int64(len(data)), -1} {
					var before, after runtime.MemStats
					runtime.ReadMemStats(&before)
					_, err := Read(bytes.NewReader(data), size)
					runtime.ReadMemStats(&after)
					if err != nil {
						located(t, err, len(data))
					}
					if lie > n+1 && err == nil {
						t.Errorf("%s: %s of %d: no error", layout, m.Field, lie)
					}
					if used := after.TotalAlloc - before.TotalAlloc; used > most {
						t.Errorf("%s: %s of %d: %d bytes allocated", layout, m.Field, lie, used)
					}
				}
			}
			binary.LittleEndian.PutUint64(field, n)
		}
		mustRead(t, data) // all is as it was
	}
}

// A list as long as the whole file could just be, and of the wrong kind.
func TestWhatIsBeyondAnyManifest(t *testing.T) {
	vote := func(number uint64) snapshottest.Vote {
		v := snapshottest.NewVote(number, snapshottest.VoteV3, [32]byte{1}, 1)
		v.Data = v.Data[:200]
		return v
	}
	for _, c := range []struct {
		name string
		spec func(*snapshottest.Spec)
		want error
		says string
	}{
		{"epoch twice in the new list", func(s *snapshottest.Spec) { s.New[2].Epoch = s.New[0].Epoch }, ErrDuplicate, "versioned_epoch_stakes[2].epoch: there twice: epoch 900"},
		{"vote account twice", func(s *snapshottest.Spec) { s.New[1].Votes = append(s.New[1].Votes, s.New[1].Votes[0]) }, ErrDuplicate, "versioned_epoch_stakes[1].vote_accounts[3].key"},
		{"tag", func(s *snapshottest.Spec) { s.New[0].Tag = 1 }, ErrLayout, "versioned_epoch_stakes[0].version: unknown layout: epoch stakes of version 1, want 0"},
		{"too many epochs", func(s *snapshottest.Spec) {
			s.New = nil
			for i := range uint64(MaxEpochs + 1) {
				s.New = append(s.New, snapshottest.Stakes{Epoch: i, Votes: []snapshottest.Vote{vote(i)}})
			}
		}, ErrLimit, "65 epochs, at most 64"},
		{"data too long", func(s *snapshottest.Spec) { s.Bank.Votes[0].Data = make([]byte, MaxData+1) }, ErrLimit, "stakes.vote_accounts[0].data"},
	} {
		t.Run(c.name, func(t *testing.T) {
			spec := snapshottest.Small(snapshottest.New)
			c.spec(&spec)
			data := spec.Manifest()
			_, err := read(data)
			located(t, err, len(data))
			if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want %v with %q", err, c.want, c.says)
			}
		})
	}
}

// Slots of the bank and the accounts database that disagree.
func TestSlotsDisagree(t *testing.T) {
	a, b := snapshottest.Small(snapshottest.New), snapshottest.Small(snapshottest.New)
	b.Slot++
	one, other := a.Manifest(), b.Manifest()
	found := false
	for i := range one {
		if one[i] == other[i] {
			continue
		}
		changed := bytes.Clone(one)
		changed[i] = other[i]
		if _, err := read(changed); errors.Is(err, ErrSlot) {
			found = true
		} else if err != nil {
			t.Errorf("byte %d: %v", i, err)
		}
	}
	if !found {
		t.Error("no slot that disagrees is found")
	}
}

func TestSurplus(t *testing.T) {
	spec := snapshottest.Small(snapshottest.New)
	spec.Extra, spec.BlockID = snapshottest.AllExtra, &spec.AccountsHash
	data := spec.Manifest()
	if mustRead(t, data).Surplus {
		t.Error("a whole manifest has surplus")
	}
	if !mustRead(t, append(data, 0)).Surplus {
		t.Error("a byte more is not noticed")
	}
}
