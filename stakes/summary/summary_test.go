package summary

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
)

func key(n byte) schedule.Pubkey { return schedule.Pubkey{n} }

func entry(vote, node byte, stake uint64) schedule.Entry {
	return schedule.Entry{Key: key(vote), Node: key(node), Stake: stake}
}

func TestOf(t *testing.T) {
	for _, c := range []struct {
		name    string
		entries []schedule.Entry
		want    Summary
	}{
		{"one", []schedule.Entry{entry(1, 9, 5)},
			Summary{Entries: 1, Identities: 1, Total: 5, Largest: Holder{key(9), 5}, Nakamoto: 1}},
		{"two accounts of one identity", []schedule.Entry{entry(1, 9, 5), entry(2, 9, 5), entry(3, 8, 7), entry(4, 7, 0)},
			Summary{Entries: 3, ZeroStakes: 1, Identities: 2, Total: 17, Largest: Holder{key(9), 10}, Nakamoto: 1, Ties: 2, TieGroups: 1}},
		{"exactly a third is not enough", []schedule.Entry{entry(1, 1, 10), entry(2, 2, 10), entry(3, 3, 10)},
			Summary{Entries: 3, Identities: 3, Total: 30, Largest: Holder{key(3), 10}, Nakamoto: 2, Ties: 3, TieGroups: 1}},
		{"two groups of ties", []schedule.Entry{entry(1, 1, 10), entry(2, 2, 10), entry(3, 3, 4), entry(4, 4, 4), entry(5, 5, 3)},
			Summary{Entries: 5, Identities: 5, Total: 31, Largest: Holder{key(2), 10}, Nakamoto: 2, Ties: 4, TieGroups: 2}},
		{"the largest sum", []schedule.Entry{entry(1, 1, math.MaxUint64-1), entry(2, 2, 1)},
			Summary{Entries: 2, Identities: 2, Total: math.MaxUint64, Largest: Holder{key(1), math.MaxUint64 - 1}, Nakamoto: 1}},
	} {
		got, err := Of(&list.List{Entries: c.entries, HasVotes: true})
		if err != nil || got != c.want {
			t.Errorf("%s: got %+v, %v, want %+v", c.name, got, err, c.want)
		}
	}
}

func TestOfErrors(t *testing.T) {
	if _, err := Of(&list.List{Entries: []schedule.Entry{entry(1, 1, 0)}}); !errors.Is(err, schedule.ErrNoStake) {
		t.Errorf("got %v", err)
	}
	twice := []schedule.Entry{entry(1, 1, 1), entry(1, 1, 2)}
	if _, err := Of(&list.List{Entries: twice, HasVotes: true}); !errors.Is(err, schedule.ErrDuplicateKey) {
		t.Errorf("got %v", err)
	}
}

// The coefficient by definition: no smaller number of identities has over a
// third, which the largest ones would have first.
func TestNakamotoIsLeast(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n := 1 + r.IntN(12)
		entries := make([]schedule.Entry, n)
		for i := range entries {
			entries[i] = entry(byte(i), byte(i), 1+r.Uint64N(100))
		}
		got, err := Of(&list.List{Entries: entries, HasVotes: true})
		if err != nil {
			t.Fatal(err)
		}
		least := n
		for set := range 1 << n {
			sum, size := uint64(0), 0
			for i := range n {
				if set>>i&1 == 1 {
					sum += entries[i].Stake
					size++
				}
			}
			if 3*sum > got.Total {
				least = min(least, size)
			}
		}
		if got.Nakamoto != least {
			t.Fatalf("%v: got %d, want %d", entries, got.Nakamoto, least)
		}
	}
}
