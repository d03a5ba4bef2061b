package schedule

import (
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedgen/schedgen/internal/cpu"
	"github.com/schedgen/schedgen/internal/cpu/cputest"
)

// One Deriver, and one schedule derived into, give for one list after another
// what the reference gives for each, and change no result of before.
func TestDeriverReference(t *testing.T) {
	cputest.Each(t, func(t *testing.T, b cpu.Backend) {
		rapid.Check(t, func(t *rapid.T) {
			var d Deriver
			var into Schedule
			type result struct {
				s    *Schedule
				st   *Stakes
				want refSchedule
			}
			var results []result
			for range rapid.IntRange(1, 4).Draw(t, "lists") {
				entries, keying := drawEntries(t), drawKeying(t)
				st, err := d.Stakes(entries, keying)
				if err != nil {
					t.Fatal(err)
				}
				for range rapid.IntRange(1, 3).Draw(t, "epochs") {
					p := drawParams(t)
					p.Backend = rapid.SampledFrom([]string{string(b), ""}).Draw(t, "backend")
					want := refDerive(entries, keying, p)
					s, err := d.Derive(st, p)
					if err != nil {
						t.Fatal(err)
					}
					results = append(results, result{s, st, want})
					if err := d.DeriveInto(&into, st, p); err != nil {
						t.Fatal(err)
					}
					wantSame(t, &into, s)
					whole, err := d.DeriveEntries(entries, keying, p)
					if err != nil || whole.Digest() != s.Digest() {
						t.Fatalf("DeriveEntries gives another schedule, %v", err)
					}
				}
			}
			for _, r := range results {
				if got := expand(r.s); !slices.Equal(got, r.want.leaders()) {
					t.Fatalf("got %v, want %v", got, r.want.leaders())
				}
				for rank, e := range r.st.All() {
					if w := r.want.entries[rank]; e != (Entry{w.key, w.node, w.stake}) {
						t.Fatalf("rank %d: got %v, want %v", rank, e, w)
					}
				}
			}
		})
	})
}

// wantSame compares everything that can be asked of two schedules.
func wantSame(t *rapid.T, got, want *Schedule) {
	if got.Epoch() != want.Epoch() || got.FirstSlot() != want.FirstSlot() || got.Slots() != want.Slots() ||
		got.Repeat() != want.Repeat() || got.Stakes() != want.Stakes() || !slices.Equal(expand(got), expand(want)) {
		t.Fatalf("got epoch %d, %d slots from %d in rotations of %d; want epoch %d, %d, %d, %d; or other leaders",
			got.Epoch(), got.Slots(), got.FirstSlot(), got.Repeat(), want.Epoch(), want.Slots(), want.FirstSlot(), want.Repeat())
	}
	var leaders []Pubkey
	for leader, indices := range got.Leaders() {
		leaders = append(leaders, leader)
		if !slices.Equal(slices.Collect(indices), slices.Collect(want.indices(want.rotationsOf(&leader)))) {
			t.Fatalf("other slots of %v", leader)
		}
	}
	for leader := range want.Leaders() {
		if len(leaders) == 0 || leaders[0] != leader {
			t.Fatalf("%v is missing", leader)
		}
		leaders = leaders[1:]
	}
	if len(leaders) > 0 {
		t.Fatalf("%v lead nothing", leaders)
	}
}

// A Deriver keeps no list of its caller, and knows anew for each whether
// identities need memory of their own.
func TestDeriverForgets(t *testing.T) {
	var d Deriver
	for _, node := range []Pubkey{{}, testKey(9), {}} {
		st, err := d.Stakes([]Entry{{Key: testKey(1), Node: node, Stake: 1}}, KeyedByVote)
		if err != nil {
			t.Fatal(err)
		}
		if shared := &st.keys[0] == &st.nodes[0]; shared != node.IsZero() {
			t.Errorf("node %v: identities share memory with keys: %v", node, shared)
		}
		if d.lists.entries != nil {
			t.Error("the caller's list is kept")
		}
	}
}

// A schedule derived into can change between ranks of 16 and of 32 bits.
func TestDeriveIntoOtherWidth(t *testing.T) {
	long := make([]Entry, 1<<16+1)
	for i := range long {
		long[i] = Entry{Key: testKey(i), Stake: 1 + uint64(i%3)}
	}
	var d Deriver
	var into Schedule
	for _, n := range []int{3, len(long), 5, len(long)} {
		st, p := mustStakes(t, long[:n], KeyedByVote), Params{Epoch: uint64(n), Slots: 4000}
		if err := d.DeriveInto(&into, st, p); err != nil {
			t.Fatal(err)
		}
		if into.Digest() != mustDerive(t, st, p).Digest() {
			t.Errorf("%d entries: another schedule", n)
		}
	}
}

// After an error both the schedule and the Deriver are as they were.
func TestDeriverErrors(t *testing.T) {
	var d Deriver
	entries := []Entry{{Key: testKey(1), Stake: 1}, {Key: testKey(2), Stake: 2}}
	st, p := mustStakes(t, entries, KeyedByVote), Params{Epoch: 7, Slots: 400}
	want := mustDerive(t, st, p).Digest()
	var s Schedule
	if err := d.DeriveInto(&s, st, p); err != nil {
		t.Fatal(err)
	}
	for name, bad := range map[string]func() error{
		"no list":  func() error { return d.DeriveInto(&s, nil, p) },
		"no slots": func() error { return d.DeriveInto(&s, st, Params{}) },
		"repeat":   func() error { return d.DeriveInto(&s, st, Params{Slots: 4, Repeat: -1}) },
		"backend":  func() error { return d.DeriveInto(&s, st, Params{Epoch: 9, Slots: 4, Backend: "abacus"}) },
		"duplicate": func() error {
			_, err := d.Stakes(append(entries, Entry{Key: testKey(1), Stake: 3}), KeyedByVote)
			return err
		},
		"no stake": func() error { _, err := d.DeriveEntries(entries[:0], KeyedByVote, p); return err },
	} {
		if bad() == nil {
			t.Errorf("%s: no error", name)
		}
		if s.Epoch() != 7 || s.Digest() != want {
			t.Errorf("%s: the schedule has changed", name)
		}
		if again, err := d.DeriveEntries(entries, KeyedByVote, p); err != nil || again.Digest() != want {
			t.Errorf("%s: the next derivation gives %v, or another schedule", name, err)
		}
	}
}

func TestParamsCheck(t *testing.T) {
	for _, p := range []Params{{Slots: 1}, {Epoch: 1, Slots: 4 * MaxRotations}, {Slots: 9, Repeat: 2, Backend: "generic"}} {
		if err := p.Check(); err != nil {
			t.Errorf("%+v: %v", p, err)
		}
	}
	if err := (Params{}).Check(); !errors.Is(err, ErrSlots) {
		t.Errorf("no slots: %v", err)
	}
	if err := (Params{Slots: 1, Repeat: -1}).Check(); !errors.Is(err, ErrRepeat) {
		t.Errorf("repeat: %v", err)
	}
	if err := (Params{Slots: 1, Backend: "abacus"}).Check(); err == nil || !strings.Contains(err.Error(), "abacus") {
		t.Errorf("backend: %v", err)
	}
}

// Once it has seen a list, a Deriver allocates its results, and a sampling table
// for a list that is new to it.
func TestDeriverAllocations(t *testing.T) {
	const n, slots = 1500, 432_000
	var d Deriver
	entries, p := mainnetLike(n), Params{Epoch: 1, Slots: slots}
	st := mustStakes(t, entries, KeyedByVote)
	var into Schedule
	for _, c := range []struct {
		name  string
		most  float64 // allocations
		bytes uint64
		run   func() error
	}{
		{"Stakes", 4, 72*n + 10_000, func() error { _, err := d.Stakes(entries, KeyedByVote); return err }},
		{"Stakes by identity", 3, 40*n + 10_000, func() error { _, err := d.Stakes(entries, KeyedByIdentity); return err }},
		{"Derive", 2, slots/4*2 + 10_000, func() error { p.Epoch++; _, err := d.Derive(st, p); return err }},
		{"DeriveEntries", 6, 72*n + slots/4*2 + 20_000, func() error { p.Epoch++; _, err := d.DeriveEntries(entries, KeyedByVote, p); return err }},
		{"DeriveInto", 0, 1000, func() error { p.Epoch++; return d.DeriveInto(&into, st, p) }},
	} {
		var err error
		run := func() { err = errors.Join(err, c.run()) }
		if got := testing.AllocsPerRun(5, run); got > c.most {
			t.Errorf("%s: %v allocations, want %v", c.name, got, c.most)
		}
		if got := bytesPerRun(5, run); got > c.bytes {
			t.Errorf("%s: %d bytes, want at most %d", c.name, got, c.bytes)
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// bytesPerRun is testing.AllocsPerRun for bytes.
func bytesPerRun(runs uint64, f func()) uint64 {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	f()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range runs {
		f()
	}
	runtime.ReadMemStats(&after)
	return (after.TotalAlloc - before.TotalAlloc) / runs
}
