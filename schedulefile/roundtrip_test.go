package schedulefile

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedgen/schedgen/schedule"
)

// checkRoundTrip writes s in every format and reads it back.
func checkRoundTrip(t fataler, s *schedule.Schedule, only ...schedule.Pubkey) {
	t.Helper()
	for _, f := range formats(s, len(only) > 0) {
		if f == FormatParquet && uint64(s.FirstSlot())+s.Slots()-1 > math.MaxInt64 {
			continue
		}
		o, err := read(write(t, s, f, only...))
		if err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		if o.Source != "file" || o.Format != f && f != schedule.FormatJSONCompact {
			t.Fatalf("%s: read as %s from %s", f, o.Format, o.Source)
		}
		if f == schedule.FormatDigest {
			if sum, ok := o.Digest(); !ok || sum != s.Digest() || !o.DigestOnly() {
				t.Fatalf("digest %x, %v", sum, ok)
			}
			continue
		}
		checkKnows(t, o, s, f)
		checkSame(t, o, s, hasVotes(f), only...)
		if sum, ok := o.Digest(); len(only) == 0 && (!ok || sum != s.Digest()) {
			t.Fatalf("%s: digest %x, %v, want %x", f, sum, ok, s.Digest())
		}
	}
}

// checkKnows checks what o says of the epoch: no more than the format does.
func checkKnows(t fataler, o *Observed, s *schedule.Schedule, f schedule.Format) {
	t.Helper()
	epoch := f == schedule.FormatJSON || f == schedule.FormatJSONCompact || f == schedule.FormatEpochNew || f == FormatParquet
	if (o.Epoch != nil) != epoch || epoch && *o.Epoch != s.Epoch() {
		t.Fatalf("%s: epoch %v", f, o.Epoch)
	}
	if o.Slots > 0 && (o.FirstSlot != nil) != f.Absolute() {
		t.Fatalf("%s: first slot %v", f, o.FirstSlot)
	}
	start := f != schedule.FormatText && f != schedule.FormatJSON && f != schedule.FormatJSONCompact
	end := f == schedule.FormatEpochNew || f == FormatParquet
	if o.AtStart != start || o.AtEnd != end {
		t.Fatalf("%s: at start %v, at end %v", f, o.AtStart, o.AtEnd)
	}
}

func TestRoundTrip(t *testing.T) {
	for _, keying := range []schedule.Keying{schedule.KeyedByVote, schedule.KeyedByIdentity} {
		st := testStakes(t, 9, keying)
		for _, repeat := range []int{1, 2, 4, 8} {
			for _, slots := range []uint64{1, 3, 32, 75} {
				for _, first := range []schedule.Slot{0, 388_800_000, math.MaxInt64 - 74, schedule.Slot(math.MaxUint64 - slots + 1)} {
					name := fmt.Sprintf("%v repeat %d, %d slots from %d", keying, repeat, slots, first)
					t.Run(name, func(t *testing.T) {
						s := derive(t, st, schedule.Params{Epoch: 900, FirstSlot: first, Slots: slots, Repeat: repeat})
						checkRoundTrip(t, s)
						one, _ := s.Leader(0)
						checkRoundTrip(t, s, one)
						checkRoundTrip(t, s, one, st.Entry(0).Node)
						checkRoundTrip(t, s, schedule.Pubkey{1, 2, 3}) // leads no slot
					})
				}
			}
		}
	}
}

// Whatever the schedule is, it is read as it was written.
func TestRoundTripProperty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keying := rapid.SampledFrom([]schedule.Keying{schedule.KeyedByVote, schedule.KeyedByIdentity}).Draw(t, "keying")
		n := rapid.IntRange(1, 30).Draw(t, "entries")
		identity := rapid.Map(rapid.IntRange(0, n-1), func(i int) schedule.Pubkey { return schedule.Pubkey{1: 1, 31: byte(i)} })
		entries := make([]schedule.Entry, n)
		for i := range entries {
			entries[i] = schedule.Entry{
				Key: schedule.Pubkey{0: byte(i + 1)}, Node: identity.Draw(t, "node"), Stake: rapid.Uint64Range(1, 9).Draw(t, "stake"),
			}
		}
		st, err := schedule.NewStakes(entries, keying)
		if err != nil {
			t.Fatal(err)
		}
		s := derive(t, st, schedule.Params{
			Epoch:     rapid.Uint64().Draw(t, "epoch"),
			FirstSlot: schedule.Slot(rapid.Uint64Range(0, 1<<63).Draw(t, "first")),
			Slots:     rapid.Uint64Range(1, 300).Draw(t, "slots"),
			Repeat:    rapid.IntRange(1, 9).Draw(t, "repeat"),
		})
		checkRoundTrip(t, s, rapid.SliceOfN(identity, 0, 3).Draw(t, "only")...)
	})
}

// Lines, rows, entries and leaders may be in any order.
func TestAnyOrder(t *testing.T) {
	s := small(t, schedule.KeyedByVote)
	reversed := func(lines []string, from int) []byte {
		slices.Reverse(lines[from:])
		return []byte(join(lines))
	}
	checkSame(t, mustRead(t, reversed(split(write(t, s, schedule.FormatText)), 0)), s, false)
	checkSame(t, mustRead(t, reversed(split(write(t, s, schedule.FormatCSV)), 1)), s, true)

	result := map[schedule.Pubkey][]schedule.Index{}
	for key, indices := range s.Leaders() {
		result[key] = slices.Collect(indices)
		slices.Reverse(result[key])
	}
	for _, slots := range []uint64{0, s.Slots()} {
		o, err := FromRPC(result, slots)
		if err != nil {
			t.Fatal(err)
		}
		if o.AtEnd != (slots > 0) || o.Format != schedule.FormatRPC {
			t.Errorf("%+v", o)
		}
		checkSame(t, o, s, false)
	}
}

// Slots in descending order, of which each comes before all that are known.
func TestDescending(t *testing.T) {
	b := newBuilder()
	key := b.number(schedule.Pubkey{1})
	const slots = 100_000
	for slot := uint64(slots); slot > 0; slot-- {
		if err := b.add(slot, key, None); err != nil {
			t.Fatal(err)
		}
	}
	o := b.finish()
	if o.Slots != slots || o.Known() != slots || *o.FirstSlot != 1 || o.Partial {
		t.Errorf("%d slots, %d known, from %d", o.Slots, o.Known(), *o.FirstSlot)
	}
}
