package schedule

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Ranks follow (stake, key) descending, zero stakes are out, and a node that is
// not given is the key.
func TestNewStakesOrder(t *testing.T) {
	in := []Entry{
		{Key: Pubkey{1}, Stake: 5},
		{Key: Pubkey{2}, Node: Pubkey{9}, Stake: 7},
		{Key: Pubkey{3}, Stake: 0},
		{Key: Pubkey{0x80}, Stake: 5},
		{Key: Pubkey{4}, Stake: 1 << 63},
		{Key: Pubkey{1, 1}, Stake: 5},
		{Key: Pubkey{2}, Node: Pubkey{9}, Stake: 7}, // repeated
	}
	before := slices.Clone(in)
	st := mustStakes(t, in, KeyedByVote)
	want := []Entry{
		{Pubkey{4}, Pubkey{4}, 1 << 63},
		{Pubkey{2}, Pubkey{9}, 7},
		{Pubkey{0x80}, Pubkey{0x80}, 5},
		{Pubkey{1, 1}, Pubkey{1, 1}, 5},
		{Pubkey{1}, Pubkey{1}, 5},
	}
	var got []Entry
	for rank, e := range st.All() {
		if rank != len(got) || e != st.Entry(rank) {
			t.Errorf("All yields %d, %v; Entry is %v", rank, e, st.Entry(rank))
		}
		got = append(got, e)
	}
	equalSlices(t, "entries", got, want)
	equalSlices(t, "the caller's list", in, before)
	if st.Len() != 5 || st.Total() != 1<<63+22 || st.Keying() != KeyedByVote || st.Identities() != 5 {
		t.Errorf("got %d entries, total %d, keying %v, %d identities", st.Len(), st.Total(), st.Keying(), st.Identities())
	}
	for i := range in {
		in[i] = Entry{}
	}
	w := st.Weights()
	equalSlices(t, "weights", w, []uint64{1 << 63, 7, 5, 5, 5})
	w[0] = 0
	if st.Entry(0) != want[0] || st.Weights()[0] != 1<<63 {
		t.Error("stakes share memory with the caller")
	}
	for _, rank := range []int{-1, 5, math.MaxInt} {
		if st.Entry(rank) != (Entry{}) {
			t.Errorf("Entry(%d) is %v", rank, st.Entry(rank))
		}
	}
}

func TestNewStakesByIdentity(t *testing.T) {
	st := mustStakes(t, []Entry{
		{Key: Pubkey{1}, Node: Pubkey{9}, Stake: 5},
		{Key: Pubkey{2}, Node: Pubkey{8}, Stake: 7},
		{Key: Pubkey{3}, Node: Pubkey{9}, Stake: 4},
		{Key: Pubkey{4}, Node: Pubkey{7}, Stake: 0},
		{Key: Pubkey{9}, Stake: 1},
		{Key: Pubkey{3}, Node: Pubkey{9}, Stake: 4}, // repeated: counts once
	}, KeyedByIdentity)
	equalSlices(t, "weights", st.Weights(), []uint64{10, 7})
	if st.Entry(0) != (Entry{Pubkey{9}, Pubkey{9}, 10}) || st.Entry(1) != (Entry{Pubkey{8}, Pubkey{8}, 7}) || st.Identities() != 2 {
		t.Errorf("got %v, %v", st.Entry(0), st.Entry(1))
	}
}

func TestIdentities(t *testing.T) {
	st := mustStakes(t, []Entry{
		{Key: Pubkey{1}, Node: Pubkey{9}, Stake: 5},
		{Key: Pubkey{2}, Node: Pubkey{8}, Stake: 7},
		{Key: Pubkey{3}, Node: Pubkey{9}, Stake: 5},
	}, KeyedByVote)
	if st.Len() != 3 || st.Identities() != 2 {
		t.Errorf("got %d entries of %d identities", st.Len(), st.Identities())
	}
}

func TestNewStakesErrors(t *testing.T) {
	a, b := testKey(1), testKey(2)
	const most = math.MaxUint64
	for _, c := range []struct {
		name    string
		entries []Entry
		keying  Keying
		is      error
		says    []string
	}{
		{"nil", nil, KeyedByVote, ErrNoStake, []string{"none of 0 entries"}},
		{"all zero", []Entry{{Key: a}, {Key: b}}, KeyedByVote, ErrNoStake, []string{"none of 2 entries"}},
		{"all zero, by identity", []Entry{{Key: a}, {Key: b}}, KeyedByIdentity, ErrNoStake, nil},
		{"another stake", []Entry{{Key: a, Stake: 3}, {Key: b, Stake: 1}, {Key: a, Stake: 4}}, KeyedByVote, ErrDuplicateKey,
			[]string{a.String(), " 3 ", " 4 "}},
		{"another identity", []Entry{{Key: a, Stake: 3}, {Key: a, Node: b, Stake: 3}}, KeyedByVote, ErrDuplicateKey,
			[]string{a.String(), b.String()}},
		{"one vote account, two identities", []Entry{{Key: a, Node: a, Stake: 3}, {Key: a, Node: b, Stake: 3}}, KeyedByIdentity, ErrDuplicateKey, nil},
		{"sum", []Entry{{Key: a, Stake: most}, {Key: b, Stake: 1}}, KeyedByVote, ErrStakeOverflow,
			[]string{b.String(), "18446744073709551615", "adds 1"}},
		{"sum of identities", []Entry{{Key: a, Stake: most}, {Key: b, Stake: 1}}, KeyedByIdentity, ErrStakeOverflow, []string{b.String()}},
		{"sum of one identity", []Entry{{Key: a, Node: testKey(3), Stake: most}, {Key: b, Node: testKey(3), Stake: 2}}, KeyedByIdentity, ErrStakeOverflow,
			[]string{testKey(3).String(), b.String(), "adds 2"}},
		{"keying", []Entry{{Key: a, Stake: 3}}, 7, ErrKeying, []string{"Keying(7)", "vote", "identity"}},
	} {
		st, err := NewStakes(c.entries, c.keying)
		if !errors.Is(err, c.is) || st != nil {
			t.Errorf("%s: got %v, %v, want %v", c.name, st, err, c.is)
			continue
		}
		for _, part := range c.says {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %q does not say %q", c.name, err, part)
			}
		}
	}
	// A zero stake is no second entry of its key, and the greatest sum is fine.
	if st := mustStakes(t, []Entry{{Key: a, Stake: most}, {Key: a, Node: b}}, KeyedByVote); st.Total() != most {
		t.Errorf("total is %d", st.Total())
	}
}

func TestCheckCount(t *testing.T) {
	if err := checkCount(MaxEntries); err != nil {
		t.Error(err)
	}
	if err := checkCount(MaxEntries + 1); !errors.Is(err, ErrTooManyEntries) || !strings.Contains(err.Error(), "4294967295, at most 4294967294") {
		t.Errorf("got %v", err)
	}
}

func TestKeyingText(t *testing.T) {
	for _, k := range []Keying{KeyedByVote, KeyedByIdentity} {
		if got, err := ParseKeying(k.String()); err != nil || got != k {
			t.Errorf("%v: got %v, %v", k, got, err)
		}
	}
	if _, err := ParseKeying("Vote"); !errors.Is(err, ErrKeying) || !strings.Contains(err.Error(), `"Vote"`) {
		t.Errorf("got %v", err)
	}
}

// Stakes are what the reference makes of the list, whatever the order of the
// list, and with rows of zero stake and repeated rows mixed in.
func TestNewStakesReference(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		entries, keying := drawEntries(t), drawKeying(t)
		want := refEntries(entries, keying)

		mixed := slices.Clone(entries)
		for i := range rapid.IntRange(0, 5).Draw(t, "zeros") {
			mixed = append(mixed, Entry{Key: testKey(i), Node: testKey(3000 + i)})
		}
		mixed = append(mixed, rapid.SliceOfN(rapid.SampledFrom(entries), 0, 5).Draw(t, "repeated")...)
		mixed = rapid.Permutation(mixed).Draw(t, "mixed")

		st := mustStakes(t, mixed, keying)
		if st.Len() != len(want) {
			t.Fatalf("got %d entries, want %d", st.Len(), len(want))
		}
		var total uint64
		nodes := map[Pubkey]bool{}
		for rank, e := range st.All() {
			if w := want[rank]; e != (Entry{w.key, w.node, w.stake}) {
				t.Fatalf("rank %d: got %v, want %v", rank, e, w)
			}
			total += e.Stake
			nodes[e.Node] = true
			if at, ok := st.rankOfKey(&e.Key); !ok || at != rank {
				t.Fatalf("rank %d is found at %d, %v", rank, at, ok)
			}
		}
		if st.Total() != total || st.Identities() != len(nodes) {
			t.Fatalf("got total %d and %d identities, want %d and %d", st.Total(), st.Identities(), total, len(nodes))
		}
	})
}

// Keys that agree in all but a few bits are told apart, in lists of any length.
func TestKeyTable(t *testing.T) {
	for _, n := range []int{0, 1, 2, 4, 5, 100, 5000} {
		keys := make([]Pubkey, n)
		for i := range keys {
			keys[i] = testKey(i)
		}
		table := newKeyTable(n, func(i uint32) *Pubkey { return &keys[i] })
		for i := range keys {
			if at, added := table.insert(&keys[i], uint32(i)); !added || at != uint32(i) {
				t.Fatalf("%d keys: insert %d gives %d, %v", n, i, at, added)
			}
			if at, added := table.insert(&keys[i/2], uint32(i)); added || at != uint32(i/2) {
				t.Fatalf("%d keys: insert of key %d once more gives %d, %v", n, i/2, at, added)
			}
		}
		for i := range n + 10 {
			k := testKey(i)
			if at, ok := table.find(&k); ok != (i < n) || ok && at != uint32(i) {
				t.Fatalf("%d keys: find %d gives %d, %v", n, i, at, ok)
			}
		}
	}
	var none keyTable
	if _, ok := none.find(&Pubkey{}); ok {
		t.Error("found in the zero table")
	}
}
