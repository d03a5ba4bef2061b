package compare

import (
	"context"
	"encoding/binary"
	"fmt"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/schedgen/schedgen/schedule"
)

const testSlots = 6_000

// A mistakeTest makes another side by a recipe with one mistake.
type mistakeTest struct {
	name    string // of the mistake
	text    string // part of its text
	shape   stakeShape
	keying  schedule.Keying
	mistake func(*recipe)
	change  func([]schedule.Entry) []schedule.Entry // of the list, before both
}

func descending(a, b schedule.Entry) bool { return a.Stake > b.Stake }

func orTies(less func(a, b schedule.Entry) bool) func(a, b schedule.Entry) bool {
	return func(a, b schedule.Entry) bool {
		return descending(a, b) || a.Stake == b.Stake && less(a, b)
	}
}

var mistakeTests = []mistakeTest{
	{MistakeIdentity, "by identity", likeACluster, schedule.KeyedByVote, func(r *recipe) { r.identity = true }, nil},
	{MistakeVote, "by vote account", likeACluster, schedule.KeyedByIdentity, func(r *recipe) { r.identity = false }, nil},
	{MistakeEpoch, "epoch 899 in the place of 900", likeACluster, schedule.KeyedByVote, func(r *recipe) { r.epoch-- }, nil},
	{MistakeEpoch, "epoch 902 in the place of 900", likeACluster, schedule.KeyedByVote, func(r *recipe) { r.epoch += 2 }, nil},
	{MistakeTies, "ascending order of keys", likeACluster, schedule.KeyedByVote, func(r *recipe) {
		r.before = orTies(func(a, b schedule.Entry) bool { return a.Key.Compare(b.Key) < 0 })
	}, nil},
	{MistakeTies, "order of the list", likeACluster, schedule.KeyedByVote, func(r *recipe) { r.before = descending }, nil},
	{MistakeTies, "order of identities", likeACluster, schedule.KeyedByVote, func(r *recipe) {
		r.before = orTies(func(a, b schedule.Entry) bool { return a.Node.Compare(b.Node) > 0 })
	}, nil},
	{MistakeTies, "base58 text", likeACluster, schedule.KeyedByVote, func(r *recipe) {
		r.before = orTies(func(a, b schedule.Entry) bool { return a.Key.String() > b.Key.String() })
	}, func(list []schedule.Entry) []schedule.Entry {
		// A key with leading zeros has a shorter text, which may sort otherwise.
		list[0].Key[0], list[0].Key[1], list[1].Key[0] = 0, 1, 40
		list[0].Stake, list[1].Stake = 1e15, 1e15
		return list
	}},
	{MistakeOrder, "not sorted", likeACluster, schedule.KeyedByVote, func(r *recipe) {
		r.before = func(a, b schedule.Entry) bool { return false }
	}, nil},
	{MistakeOrder, "stakes sorted in ascending", likeACluster, schedule.KeyedByVote, func(r *recipe) {
		r.before = func(a, b schedule.Entry) bool {
			return a.Stake < b.Stake || a.Stake == b.Stake && a.Key.Compare(b.Key) < 0
		}
	}, nil},
	{MistakeOrder, "by ascending key", likeACluster, schedule.KeyedByVote, func(r *recipe) {
		r.before = func(a, b schedule.Entry) bool { return a.Key.Compare(b.Key) < 0 }
	}, nil},
	{MistakeOrder, "by descending key", likeACluster, schedule.KeyedByVote, func(r *recipe) {
		r.before = func(a, b schedule.Entry) bool { return a.Key.Compare(b.Key) > 0 }
	}, nil},
	{MistakeDuplicates, "repeated", likeACluster, schedule.KeyedByVote, func(r *recipe) { r.repeats = true },
		func(list []schedule.Entry) []schedule.Entry { return append(list, list[3], list[8]) }},
	{MistakeOverwritten, "last vote account", likeACluster, schedule.KeyedByIdentity, func(r *recipe) {
		r.join = func(_, more uint64) uint64 { return more }
	}, nil},
	{MistakeOverwritten, "first vote account", likeACluster, schedule.KeyedByIdentity, func(r *recipe) {
		r.join = func(sum, _ uint64) uint64 { return sum }
	}, nil},
	{MistakeVotesShown, "in the place", likeACluster, schedule.KeyedByVote, func(r *recipe) {
		r.leader = func(e schedule.Entry) schedule.Pubkey { return e.Key }
	}, nil},
	{MistakeZone, "(shift)", likeACluster, schedule.KeyedByVote, func(r *recipe) {
		r.roll = func(next func() *big.Int, total *big.Int) *big.Int {
			zone := new(big.Int).Lsh(total, uint(64-total.BitLen()))
			return rejecting(next, total, func(low *big.Int) bool { return low.Cmp(zone) >= 0 })
		}
	}, nil},
	{MistakeZone, "low end", huge, schedule.KeyedByVote, func(r *recipe) {
		r.roll = func(next func() *big.Int, total *big.Int) *big.Int {
			rest := new(big.Int).Mod(twoTo64, total)
			return rejecting(next, total, func(low *big.Int) bool { return low.Cmp(rest) < 0 })
		}
	}, nil},
	{MistakeZone, "no word", huge, schedule.KeyedByVote, func(r *recipe) {
		r.roll = func(next func() *big.Int, total *big.Int) *big.Int {
			return rejecting(next, total, func(*big.Int) bool { return false })
		}
	}, nil},
	{MistakeZone, "second word", huge, schedule.KeyedByVote, func(r *recipe) {
		r.roll = func(next func() *big.Int, total *big.Int) *big.Int {
			high, low := new(big.Int).DivMod(new(big.Int).Mul(next(), total), twoTo64, new(big.Int))
			if low.Cmp(new(big.Int).Sub(twoTo64, total)) > 0 {
				more := new(big.Int).Div(new(big.Int).Mul(next(), total), twoTo64)
				if more.Add(more, low).Cmp(twoTo64) >= 0 {
					high.Add(high, big.NewInt(1))
				}
			}
			return high
		}
	}, nil},
	{MistakeRemainder, "divided", likeACluster, schedule.KeyedByVote, func(r *recipe) {
		r.roll = func(next func() *big.Int, total *big.Int) *big.Int { return new(big.Int).Mod(next(), total) }
	}, nil},
	{MistakeAtLeast, ">=", small, schedule.KeyedByVote, func(r *recipe) { r.atLeast = true }, nil},
	{MistakeTotal, "lamport more", small, schedule.KeyedByVote, func(r *recipe) { r.extra = 1 }, nil},
	{MistakeTotal, "lamport less", small, schedule.KeyedByVote, func(r *recipe) { r.extra = -1 }, nil},
	{MistakeSeed, "first 8 bytes", likeACluster, schedule.KeyedByVote, func(r *recipe) {
		r.seed = func(epoch uint64) (s [32]byte) {
			binary.BigEndian.PutUint64(s[:], epoch)
			return s
		}
	}, nil},
	{MistakeSeed, "32 bytes", likeACluster, schedule.KeyedByVote, func(r *recipe) {
		r.seed = func(epoch uint64) (s [32]byte) {
			new(big.Int).SetUint64(epoch).FillBytes(s[:])
			return s
		}
	}, nil},
	{MistakeRounds, "8 rounds", likeACluster, schedule.KeyedByVote, func(r *recipe) { r.rounds = 8 }, nil},
	{MistakeRounds, "12 rounds", likeACluster, schedule.KeyedByVote, func(r *recipe) { r.rounds = 12 }, nil},
	{MistakeHalves, "halves", likeACluster, schedule.KeyedByVote, func(r *recipe) {
		r.word = func(w uint64) uint64 { return bits.RotateLeft64(w, 32) }
	}, nil},
	{MistakeRepeat, "8 consecutive", likeACluster, schedule.KeyedByVote, func(r *recipe) { r.repeat = 8 }, nil},
	{MistakeRepeat, "1 consecutive", likeACluster, schedule.KeyedByVote, func(r *recipe) { r.repeat = 1 }, nil},
}

// rejecting draws until a low half is not rejected.
func rejecting(next func() *big.Int, total *big.Int, reject func(low *big.Int) bool) *big.Int {
	for {
		high, low := new(big.Int).DivMod(new(big.Int).Mul(next(), total), twoTo64, new(big.Int))
		if !reject(low) {
			return high
		}
	}
}

func caseOf(entries []schedule.Entry, k schedule.Keying, slots int) (Case, recipe) {
	p := schedule.Params{Epoch: 900, FirstSlot: 388_800_000, Slots: uint64(slots)}
	r := recipe{entries: entries, identity: k == schedule.KeyedByIdentity, epoch: 900, slots: slots, repeat: 4}
	return Case{Entries: entries, Keying: k, Params: p}, r
}

func mustExplain(t testing.TB, c Case, other Leaders) *Explanation {
	t.Helper()
	c.Other = Side{Name: "other", Leaders: other}
	return mustExplainSide(t, c)
}

func mustExplainSide(t testing.TB, c Case) *Explanation {
	t.Helper()
	e, err := Explain(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// names returns the mistakes of all exact hypotheses.
func names(e *Explanation) (all []string) {
	for _, h := range e.Hypotheses {
		var of []string
		for _, m := range h.Mistakes {
			of = append(of, m.Name)
		}
		if h.Exact {
			all = append(all, strings.Join(of, "+"))
		}
	}
	return all
}

// wantExplained checks that one hypothesis alone is exact, and which.
func wantExplained(t testing.TB, e *Explanation, name, text string) {
	t.Helper()
	if got := names(e); !slices.Equal(got, []string{name}) || !e.Exact() || e.Equal {
		t.Fatalf("exact: %q, want %s alone; %v", got, name, e)
	}
	if got := e.Hypotheses[0].Text(); !strings.Contains(got, text) {
		t.Errorf("text %q, want it to contain %q", got, text)
	}
}

// TestExplainNamesTheMistake makes the other side with one mistake each.
func TestExplainNamesTheMistake(t *testing.T) {
	for i, m := range mistakeTests {
		t.Run(fmt.Sprintf("%s/%s", m.name, m.text), func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(3) {
				entries := someEntries(rand.New(rand.NewPCG(seed, uint64(i))), 90, m.shape)
				if m.change != nil {
					entries = m.change(entries)
				}
				c, r := caseOf(entries, m.keying, testSlots)
				right := r.leaders()
				if e := mustExplain(t, c, listed{leaders: right}); !e.Equal || len(e.Hypotheses) > 0 {
					t.Fatalf("the right schedule is explained by %q: %v", names(e), e)
				}
				m.mistake(&r)
				wrong := r.leaders()
				if slices.Equal(right, wrong) {
					t.Fatalf("seed %d: the mistake changes nothing", seed)
				}
				wantExplained(t, mustExplain(t, c, listed{leaders: wrong}), m.name, m.text)
			}
		})
	}
}
