package genesis

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/schedgen/schedgen/schedule"
)

func equal[T comparable](t *testing.T, what string, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func hashOf(f *file) []byte {
	sum := sha256.Sum256(f.bytes())
	return sum[:]
}

func wantError(t *testing.T, err, is error, text string) {
	t.Helper()
	var located *Error
	if !errors.As(err, &located) || !errors.Is(err, is) || !strings.Contains(err.Error(), text) || strings.ContainsAny(err.Error(), "\r\n") {
		t.Errorf("got %v, want an *Error of %v with %q", err, is, text)
	}
}

// emulated says that tests run on an emulated processor, where long ones shrink.
func emulated() bool { return os.Getenv("SCHEDGEN_TEST_EMULATED") == "1" }

func TestRead(t *testing.T) {
	f := small()
	target := uint64(5)
	for _, f.target = range []*uint64{nil, &target} {
		set, err := Read(bytes.NewReader(f.bytes()), "genesis.bin")
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "epochs", set.Epochs(), []uint64{0, 1})
		for i := range set.Lists {
			l := &set.Lists[i]
			equal(t, "entries", l.Entries, smallEntries)
			if p := &l.Provenance; !bytes.Equal(p.GenesisHash[:], hashOf(f)) || p.Cluster != "" || len(p.Notes) != 0 {
				t.Errorf("hash %v, cluster %q, notes %q", p.GenesisHash, p.Cluster, p.Notes)
			}
		}
		// A caller may change one list without changing the other.
		set.Lists[0].Entries[0].Stake = 0
		set.Lists[0].Accounts[0].Lamports = 0
		if l := set.Lists[1]; l.Entries[0].Stake == 0 || l.Accounts[0].Lamports == 0 {
			t.Error("the lists share memory")
		}
	}
}

// Which delegations count in epoch 0.
func TestActiveAtGenesis(t *testing.T) {
	for _, c := range []struct {
		activation, deactivation uint64
		counts                   bool
	}{
		{never, never, true},
		{never, 0, true}, // becomes inactive in epoch 0: still effective in it
		{never, 1, true},
		{0, never, false}, // becomes active in epoch 0: not effective in it
		{0, 0, false},
		{1, never, false},
		{math.MaxUint64 - 1, never, false},
	} {
		f := small()
		f.accounts[2] = stake(3, key(1), 70, c.activation, c.deactivation)
		set, err := Read(bytes.NewReader(f.bytes()), "g")
		if err != nil {
			t.Fatal(err)
		}
		want := smallEntries
		if !c.counts {
			want = smallEntries[1:]
		}
		equal(t, "entries", set.Lists[0].Entries, want)
	}
}

// What is left out, and whether a note says so.
func TestLeftOut(t *testing.T) {
	damage := func(a account, change func(a *account)) account { change(&a); return a }
	for name, c := range map[string]struct {
		extra account
		note  string
	}{
		"blank vote account": {
			damage(vote(50, key(9), false), func(a *account) { clear(a.data) }),
			"vote account " + key(50).String() + " is left out: vote account is not initialized",
		},
		"vote account of a future version": {
			damage(vote(50, key(9), false), func(a *account) { a.data[0] = 9 }), "unknown vote account version: tag 9",
		},
		"vote account of another program":  {damage(vote(50, key(9), false), func(a *account) { a.owner = key(8) }), ""},
		"vote account without balance":     {damage(vote(50, key(9), false), func(a *account) { a.lamports = 0 }), ""},
		"vote account without stake":       {vote(50, key(9), false), ""},
		"stake account of another program": {damage(stake(50, key(1), 5, never, never), func(a *account) { a.owner = key(8) }), ""},
		"stake account without balance":    {damage(stake(50, key(1), 5, never, never), func(a *account) { a.lamports = 0 }), ""},
		"stake account of no lamports":     {stake(50, key(1), 0, never, never), ""},
		"no delegation":                    {damage(stake(50, key(1), 5, never, never), func(a *account) { a.data[0] = 1 }), ""},
		"no known state": {
			damage(stake(50, key(1), 5, never, never), func(a *account) { a.data[0] = 4 }), "is left out: its state is 4, want 0 to 3",
		},
		"no state": {
			damage(stake(50, key(1), 5, never, never), func(a *account) { a.data = a.data[:3] }), "is left out: 3 bytes of data",
		},
		"half a delegation": {
			damage(stake(50, key(1), 5, never, never), func(a *account) { a.data = a.data[:195] }),
			"stake account " + key(50).String() + " is left out: 195 bytes of data, a delegation has 196",
		},
		"delegation to nobody": {
			stake(50, key(77), 5, never, never), "5 lamports do not count: they are delegated to " + key(77).String() + ", which is no vote account",
		},
	} {
		for _, pool := range []bool{false, true} {
			f := small()
			if pool {
				f.pools = append(f.pools, c.extra)
			} else {
				f.accounts = append(f.accounts, c.extra)
			}
			set, err := Read(bytes.NewReader(f.bytes()), "g")
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			l := set.Lists[1]
			equal(t, name, l.Entries, smallEntries)
			notes := strings.Join(l.Provenance.Notes, "; ")
			if len(l.Provenance.Notes) > 1 || (c.note == "") != (notes == "") || !strings.Contains(notes, c.note) {
				t.Errorf("%s: notes %q, want %q", name, notes, c.note)
			}
		}
	}
}

func TestManyNotes(t *testing.T) {
	f := small()
	for i := range uint32(1000) {
		a := smallVote(100+i, key(9))
		a.data = nil
		f.accounts = append(f.accounts, a)
	}
	set, err := Read(bytes.NewReader(f.bytes()), "g")
	if err != nil {
		t.Fatal(err)
	}
	notes := set.Lists[0].Provenance.Notes
	if len(notes) != 21 || notes[20] != "980 more notes of this kind" {
		t.Errorf("%d notes, the last %q", len(notes), notes[len(notes)-1])
	}
}

// Epochs whose schedules are fixed at slot 0.
func TestEpochs(t *testing.T) {
	for _, c := range []struct {
		slots, offset uint64
		warmup        bool
		last          uint64
		note          string
	}{
		{432_000, 432_000, false, 1, ""},
		{432_000, 432_000, true, 1, ""},
		{432_000, 431_999, false, 0, ""},
		{432_000, 0, true, 1, ""},
		{32, 3 * 32, false, 3, ""},
		{32, 7*32 + 31, false, 7, ""},
		{32, 8 * 32, false, 7, "the genesis fixes the schedules of epochs 0 to 8, here are the stakes of the first 8"},
		{32, math.MaxUint64, false, 7, "epochs 0 to 576460752303423487"},
		{1 << 63, 1, true, 1, ""},
	} {
		f := small()
		var err error
		if f.es, err = schedule.NewEpochSchedule(c.slots, c.offset, c.warmup); err != nil {
			t.Fatal(err)
		}
		set, err := Read(bytes.NewReader(f.bytes()), "g")
		if err != nil {
			t.Fatal(err)
		}
		p := &set.Latest().Provenance
		if uint64(len(set.Lists)) != c.last+1 || *p.Epoch != c.last || *p.EpochSchedule != f.es {
			t.Errorf("%+v: %d lists up to epoch %d, %+v", c, len(set.Lists), *p.Epoch, p.EpochSchedule)
		}
		if notes := strings.Join(p.Notes, "; "); (c.note == "") != (notes == "") || !strings.Contains(notes, c.note) {
			t.Errorf("%+v: notes %q", c, notes)
		}
	}
}

func TestClusterType(t *testing.T) {
	for kind, note := range []string{"it is for testnet", "it is for mainnet-beta", "it is for devnet", ""} {
		f := small()
		f.kind = uint32(kind)
		set, err := Read(bytes.NewReader(f.bytes()), "g")
		if err != nil {
			t.Fatal(err)
		}
		p := &set.Lists[0].Provenance
		notes := strings.Join(p.Notes, "; ")
		if p.Cluster != "" || (note == "") != (notes == "") || !strings.Contains(notes, note) {
			t.Errorf("type %d: cluster %q, notes %q", kind, p.Cluster, notes)
		}
		if note != "" && !strings.Contains(notes, p.GenesisHash.String()) {
			t.Errorf("type %d: notes %q, want the hash", kind, notes)
		}
	}
}

func TestReadErrors(t *testing.T) {
	tail := func(b []byte, fromEnd int, set byte) []byte { b[len(b)-fromEnd] = set; return b }
	for name, c := range map[string]struct {
		change func(f *file)
		bytes  func(b []byte) []byte
		is     error
		text   string
	}{
		"empty":       {bytes: func([]byte) []byte { return nil }, is: ErrTruncated, text: "g: byte 0: creation time: data ends early: 0 of 8 bytes"},
		"a byte more": {bytes: func(b []byte) []byte { return append(b, 0) }, is: ErrTrailing, text: "data goes on after its end"},
		"cluster type": {change: func(f *file) { f.kind = 4 }, is: ErrValue,
			text: "cluster type: impossible value: 4, want 0 to 3"},
		"executable": {bytes: func(b []byte) []byte { b[16+32+8+8+36+32] = 2; return b }, is: ErrValue,
			text: "g: byte 132: accounts[0].executable: impossible value: 2, a bool is 0 or 1"},
		"warmup": {bytes: func(b []byte) []byte { return tail(b, 21, 255) }, is: ErrValue,
			text: "epoch schedule.warmup: impossible value: 255"},
		"same address": {change: func(f *file) { f.accounts[1].key = key(1) }, is: ErrOrder,
			text: "accounts[1].address: accounts are not ascending by address: " + key(1).String() + " after " + key(1).String()},
		"order": {change: func(f *file) { f.accounts[4].key = key(3) }, is: ErrOrder, text: "accounts[4].address"},
		"order of pools": {change: func(f *file) { f.pools = append(f.pools, f.pools...) }, is: ErrOrder,
			text: "rewards pools[1].address"},
		"overflow": {change: func(f *file) { f.accounts[3] = stake(4, key(1), math.MaxUint64-69, never, never) },
			is: schedule.ErrStakeOverflow, text: "accounts[3].data: stake account " + key(4).String()},
		"no stake": {change: func(f *file) { f.accounts = f.accounts[:2] }, is: schedule.ErrNoStake,
			text: "no stake: no vote account has stake"},
		"nothing": {change: func(f *file) { f.accounts, f.pools, f.builtins = nil, nil, nil }, is: schedule.ErrNoStake},
		"no slots": {change: func(f *file) { f.es.SlotsPerEpoch = 0 }, is: ErrEpochSchedule,
			text: "epoch schedule: impossible epoch schedule: impossible number of slots"},
		"few slots":       {change: func(f *file) { f.es.SlotsPerEpoch = 31 }, is: schedule.ErrSlots},
		"warm-up of more": {change: func(f *file) { f.es.Warmup, f.es.SlotsPerEpoch = true, 1<<63+1 }, is: schedule.ErrSlots},
		"normal epoch": {change: func(f *file) { f.es.Warmup, f.es.FirstNormalEpoch, f.es.FirstNormalSlot = true, 13, 524_256 }, is: ErrEpochSchedule,
			text: "first normal epoch 13, slot 524256, want 14, 524256 for 432000 slots an epoch with warm-up true"},
		"normal slot": {change: func(f *file) { f.es.FirstNormalSlot = 1 }, is: ErrEpochSchedule},
	} {
		f := small()
		if c.change != nil {
			c.change(f)
		}
		b := f.bytes()
		if c.bytes != nil {
			b = c.bytes(b)
		}
		set, err := Read(bytes.NewReader(b), "g")
		t.Log(name)
		wantError(t, err, c.is, c.text)
		if set != nil {
			t.Errorf("%s: a set and an error", name)
		}
	}
	f := small()
	f.accounts[3] = stake(4, key(1), math.MaxUint64-70, never, never)
	if _, err := Read(bytes.NewReader(f.bytes()), "g"); err != nil {
		t.Errorf("the greatest sum of stakes: %v", err)
	}
}

// Where the error is that a stream ends: at the value that is cut off.
func TestEveryPrefix(t *testing.T) {
	data := small().bytes()
	for n := range data {
		_, err := Read(bytes.NewReader(data[:n]), "cut")
		var located *Error
		if !errors.As(err, &located) || !errors.Is(err, ErrTruncated) || located.What == "" ||
			located.Offset > int64(n) || located.Offset < int64(n)-200 {
			t.Errorf("%d bytes: %v", n, err)
		}
		_, err = Read(io.MultiReader(bytes.NewReader(data[:n]), brokenStream{}), "cut")
		if !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("%d bytes of a broken stream: %v", n, err)
		}
	}
}

type brokenStream struct{}

func (brokenStream) Read([]byte) (int, error) { return 0, io.ErrClosedPipe }

// Every bit of every byte matters to the hash, and none makes a panic.
func TestEveryBit(t *testing.T) {
	f := small()
	data, want := f.bytes(), hashOf(f)
	step := 1
	if emulated() || testing.Short() {
		step = 7
		t.Log("every seventh bit only: this run is short or emulated")
	}
	refused := 0
	for bit := 0; bit < 8*len(data); bit += step {
		data[bit/8] ^= 1 << (bit % 8)
		set, err := Read(bytes.NewReader(data), "bad")
		data[bit/8] ^= 1 << (bit % 8)
		if err != nil {
			wantError(t, err, err, "bad: byte ")
			refused++
			continue
		}
		if bytes.Equal(set.Latest().Provenance.GenesisHash[:], want) {
			t.Errorf("bit %d of byte %d does not change the hash", bit%8, bit/8)
		}
	}
	if refused < 500/step {
		t.Errorf("only %d of %d changes are refused", refused, 8*len(data)/step)
	}
}

// Lengths that lie are refused, and nothing is allocated by them.
func TestLyingLengths(t *testing.T) {
	e := small().encode()
	if len(e.lengths) != 10 {
		t.Fatalf("%d lengths, want 3 of lists, 6 of data, 1 of a name", len(e.lengths))
	}
	data := e.Bytes()
	for _, at := range e.lengths {
		was := binary.LittleEndian.Uint64(data[at:])
		for _, lie := range []uint64{was + 1, 1 << 20, 1 << 32, 1<<63 - 1, 1 << 63, math.MaxUint64} {
			binary.LittleEndian.PutUint64(data[at:], lie)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := Read(bytes.NewReader(data), "g")
			runtime.ReadMemStats(&after)
			wantError(t, err, err, "g: byte ")
			if got := after.TotalAlloc - before.TotalAlloc; got > 1<<20 {
				t.Errorf("length %d at byte %d: %d bytes allocated", lie, at, got)
			}
		}
		binary.LittleEndian.PutUint64(data[at:], was)
	}
}

func TestMatches(t *testing.T) {
	data := small().bytes()
	if !Matches(data) || !Matches(data[:16]) || Matches(data[:15]) {
		t.Error("a genesis is known by its first 16 bytes")
	}
	for _, other := range []string{"pubkey,stake\n1111,5\n", `{"jsonrpc":"2.0","result":`, "BZh91AY&SY\x00\x00\x00\x00\x00\x00", strings.Repeat("\x00", 20)} {
		if Matches([]byte(other)) {
			t.Errorf("%q is taken for a genesis", other)
		}
	}
}
