package compare

import (
	"encoding/json"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/schedgen/schedgen/schedule"
)

func entry(keyLetter, node byte, stake uint64) schedule.Entry {
	e := schedule.Entry{Key: key(keyLetter), Stake: stake}
	if node != 0 {
		e.Node = key(node)
	}
	return e
}

func TestStakes(t *testing.T) {
	const most = 1<<64 - 1
	a := []schedule.Entry{
		entry('1', 'a', 100), entry('2', 'b', 50), entry('3', 'c', 50), entry('4', 'd', 7), entry('5', 'e', 0), entry('6', 'f', most), entry('2', 'b', 50),
	}
	b := []schedule.Entry{
		entry('4', 'd', 7), entry('1', 'a', 90), entry('2', 'x', 50), entry('7', 'g', most), entry('3', 'y', 52), entry('5', 'z', 0),
	}
	d := Stakes(a, b, schedule.KeyedByVote)
	type change struct {
		key   byte
		kind  ChangeKind
		by    string
		nodes [2]bool
	}
	want := []change{
		{'6', Lost, "-18446744073709551615", [2]bool{true, false}}, {'7', Gained, "18446744073709551615", [2]bool{false, true}},
		{'1', StakeChanged, "-10", [2]bool{true, true}}, {'3', StakeAndNode, "2", [2]bool{true, true}}, {'2', NodeChanged, "0", [2]bool{true, true}},
	}
	if len(d.Changes) != len(want) {
		t.Fatalf("%d changes, want %d: %+v", len(d.Changes), len(want), d.Changes)
	}
	for i, w := range want {
		got := d.Changes[i]
		if got.Key != key(w.key) || got.Kind != w.kind || got.Change.String() != w.by || [2]bool{got.NodeA != nil, got.NodeB != nil} != w.nodes {
			t.Errorf("change %d: got %+v, want %+v", i, got, w)
		}
	}
	if d.Same != 1 || d.Counts[Lost] != 1 || d.Counts[NodeChanged] != 1 || d.Equal() {
		t.Errorf("same %d, counts %v", d.Same, d.Counts)
	}
	if a := d.A; a.Entries != 5 || a.Zero != 1 || a.Repeated != 1 || a.Identities != 5 || a.Ties != 2 || a.Total.String() != "18446744073709551822" {
		t.Errorf("A: %+v", a)
	}
	if b := d.B; b.Entries != 5 || b.Zero != 1 || b.Repeated != 0 || b.Identities != 5 || b.Ties != 0 {
		t.Errorf("B: %+v", b)
	}
	if d.Change.String() != "-8" {
		t.Errorf("total changes by %v, want -8", d.Change)
	}
	text, err := json.Marshal(d)
	if err != nil || !strings.Contains(string(text), `"change":-18446744073709551615`) || !strings.Contains(string(text), `"keyedBy":"vote"`) {
		t.Errorf("JSON %s, %v", text, err)
	}
}

// TestStakesByIdentity adds up vote accounts, as the older form of schedules does.
func TestStakesByIdentity(t *testing.T) {
	votes := []schedule.Entry{entry('1', 'a', 60), entry('2', 'a', 40), entry('3', 'b', 9), entry('4', 'b', 1)}
	identities := []schedule.Entry{entry('b', 0, 10), entry('a', 0, 100)}
	if d := Stakes(votes, identities, schedule.KeyedByIdentity); !d.Equal() || d.Same != 2 || d.A.Entries != 2 || d.KeyedBy != "identity" {
		t.Errorf("%+v", d)
	}
	if d := Stakes(votes, identities, schedule.KeyedByVote); d.Counts[Lost] != 4 || d.Counts[Gained] != 2 {
		t.Errorf("counts %v", d.Counts)
	}
}

// TestStakesOfBadLists: one key with two stakes makes no schedule.
func TestStakesOfBadLists(t *testing.T) {
	bad := []schedule.Entry{entry('1', 'a', 1<<63), entry('1', 'a', 1<<63+1)}
	d := Stakes(bad, nil, schedule.KeyedByVote)
	if len(d.Changes) != 1 || d.Changes[0].Kind != DuplicatedKey || d.A.Total.String() != "18446744073709551617" {
		t.Errorf("%+v", d)
	}
	if d := Stakes(nil, nil, schedule.KeyedByVote); !d.Equal() || d.A.Total.Sign() != 0 {
		t.Errorf("%+v", d)
	}
}

// TestStakesEqualMeansSameList: lists in another order, with entries that change
// nothing, are equal; any change shows, with the difference of the totals.
func TestStakesEqualMeansSameList(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		a := someEntries(rng, 40, likeACluster)
		b := slices.Clone(a)
		rng.Shuffle(len(b), func(i, j int) { b[i], b[j] = b[j], b[i] })
		changed := slices.Clone(b)
		changed[1].Stake += 2
		changed[2].Stake += 3
		b = append(b, b[0], entry('q', 'r', 0))
		for _, keying := range []schedule.Keying{schedule.KeyedByVote, schedule.KeyedByIdentity} {
			if d := Stakes(a, b, keying); !d.Equal() || d.Change.Sign() != 0 {
				t.Fatalf("equal lists differ: %+v", d.Changes)
			}
			d := Stakes(a, changed, keying)
			sum := new(big.Int)
			for _, c := range d.Changes {
				sum.Add(sum, c.Change)
			}
			if d.Equal() || sum.Cmp(d.Change) != 0 || d.Change.Int64() != 5 {
				t.Fatalf("changes add up to %v, total %v, want 5", sum, d.Change)
			}
		}
	}
}
