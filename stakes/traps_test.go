package stakes

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/csv"
	"github.com/schedgen/schedgen/stakes/json"
	"github.com/schedgen/schedgen/stakes/list"
)

// Mistakes that programs around leader schedules have made with stake lists, each
// with a test that the lists of this package do not lead to it.

// forms write a list in every form that takes any list.
var forms = map[string]func(t *testing.T, entries []schedule.Entry) string{
	"csv": func(t *testing.T, entries []schedule.Entry) string {
		var b strings.Builder
		if err := csv.Write(&b, entries, true); err != nil {
			t.Fatal(err)
		}
		return b.String()
	},
	"own form": func(t *testing.T, entries []schedule.Entry) string {
		var b strings.Builder
		if err := json.Write(&b, &list.List{Entries: entries, HasVotes: true}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	},
	"rows": func(_ *testing.T, entries []schedule.Entry) string {
		return rowsOf(entries, `{"voteAccountPubkey":%q,"identityPubkey":%q,"activatedStake":%d,"delinquent":false}`)
	},
	"reply": func(_ *testing.T, entries []schedule.Entry) string {
		half := len(entries) / 2
		const row = `{"activatedStake":%[3]d,"votePubkey":%[1]q,"nodePubkey":%[2]q,"epochCredits":[[899,1,0]],"lastVote":388799999}`
		return `{"result":{"current":` + rowsOf(entries[:half], row) + `,"delinquent":` + rowsOf(entries[half:], row) + "}}"
	},
}

func rowsOf(entries []schedule.Entry, row string) string {
	rows := make([]string, len(entries))
	for i, e := range entries {
		rows[i] = fmt.Sprintf(row, e.Key, e.Node, e.Stake)
	}
	return "[" + strings.Join(rows, ",") + "]"
}

// randomEntries share some identities and some stakes.
func randomEntries(rng *rand.Rand, n int) []schedule.Entry {
	entries := make([]schedule.Entry, n)
	for i := range entries {
		entries[i] = schedule.Entry{
			Key:   schedule.Pubkey{0: byte(i), 1: byte(i >> 8), 2: byte(i >> 16), 31: 1},
			Node:  schedule.Pubkey{0: byte(rng.IntN(n)), 31: 2},
			Stake: (1 + rng.Uint64N(50)) << 48,
		}
	}
	return entries
}

func open(t *testing.T, content string) *list.Set {
	t.Helper()
	set, err := Open(context.Background(), Stdin, Options{Stdin: strings.NewReader(content)})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func derive(t *testing.T, l *list.List, k schedule.Keying) *schedule.Schedule {
	t.Helper()
	stakes, err := schedule.NewStakes(l.Entries, k)
	if err != nil {
		t.Fatal(err)
	}
	s, err := schedule.Derive(stakes, schedule.Params{Epoch: 900, Slots: 4_096})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

var keyings = []schedule.Keying{schedule.KeyedByVote, schedule.KeyedByIdentity}

// A list has entries without stake, and they are drawn, or move the ranks.
func TestEntriesWithoutStakeChangeNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 0))
	entries := randomEntries(rng, 60)
	padded := append(randomEntries(rng, 90)[60:], entries...)
	for i := range 30 {
		padded[i].Stake = 0
	}
	for name, form := range forms {
		for _, k := range keyings {
			want := derive(t, &open(t, form(t, entries)).Lists[0], k).Digest()
			if got := derive(t, &open(t, form(t, padded)).Lists[0], k).Digest(); got != want {
				t.Errorf("%s, keyed by %v: another schedule with 30 entries without stake", name, k)
			}
		}
	}
}

// A map's order, another on each machine, decides the schedule.
func TestOrderOfRowsChangesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 0))
	entries := randomEntries(rng, 80)
	want := map[schedule.Keying][32]byte{}
	for _, k := range keyings {
		want[k] = derive(t, &list.List{Entries: entries}, k).Digest()
	}
	for range 5 {
		rng.Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
		for name, form := range forms {
			for _, k := range keyings {
				if got := derive(t, &open(t, form(t, entries)).Lists[0], k).Digest(); got != want[k] {
					t.Errorf("%s, keyed by %v: another schedule in another order", name, k)
				}
			}
		}
	}
}

// The schedule is drawn by identity where it should be by vote account: with the
// four equal stakes of mainnet-beta's genesis a quarter of the slots comes out right
// all the same.
func TestKeyingDecidesTies(t *testing.T) {
	path := filepath.Join("..", "..", "shared", "data", "genesis-mainnet-beta.bin")
	if _, err := os.Stat(path); err != nil {
		t.Skip("no ../shared/data/genesis-mainnet-beta.bin beside the repository: this check needs it")
	}
	set, err := Open(context.Background(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for epoch, want := range []int{108_740, 108_216} {
		epoch := uint64(epoch)
		l, err := set.For(epoch)
		if err != nil {
			t.Fatal(err)
		}
		var leaders [2][]schedule.Pubkey
		for i, k := range keyings {
			stakes, err := schedule.NewStakes(l.Entries, k)
			if err != nil {
				t.Fatal(err)
			}
			s, err := schedule.Derive(stakes, schedule.Params{Epoch: epoch, Slots: 432_000})
			if err != nil {
				t.Fatal(err)
			}
			for _, leader := range s.All() {
				leaders[i] = append(leaders[i], leader)
			}
		}
		same := 0
		for i, leader := range leaders[0] {
			if leader == leaders[1][i] {
				same++
			}
		}
		if same != want {
			t.Errorf("epoch %d: %d slots are the same by both keyings, want %d", epoch, same, want)
		}
	}
}

// A list longer than some array is cut short, or refused.
func TestLongLists(t *testing.T) {
	n := 100_000
	if os.Getenv("SCHEDGEN_TEST_EMULATED") != "" || testing.Short() {
		n = 5_000 // base58 takes long there
	}
	entries := randomEntries(rand.New(rand.NewPCG(33, 0)), n)
	if got := open(t, forms["csv"](t, entries)).Lists[0].Entries; !reflect.DeepEqual(got, entries) {
		t.Errorf("%d entries became %d", n, len(got))
	}
}

// A sum of stakes goes round 2^64. Each stake is read as it is, and the sum is
// refused.
func TestSumOfStakesOverflows(t *testing.T) {
	entries := randomEntries(rand.New(rand.NewPCG(40, 0)), 2)
	entries[0].Stake, entries[1].Stake = 1<<64-1, 1
	for name, form := range forms {
		l := open(t, form(t, entries)).Lists[0]
		if !reflect.DeepEqual(l.Entries, entries) {
			t.Errorf("%s: got %v", name, l.Entries)
		}
		for _, k := range keyings {
			if _, err := schedule.NewStakes(l.Entries, k); !errors.Is(err, schedule.ErrStakeOverflow) {
				t.Errorf("%s, keyed by %v: got %v", name, k, err)
			}
		}
	}
}

// Lamports go through a floating-point number, and the last digits of large stakes
// change.
func TestStakesAreExact(t *testing.T) {
	entries := randomEntries(rand.New(rand.NewPCG(53, 0)), 3)
	entries[0].Stake, entries[1].Stake, entries[2].Stake = 1<<53+1, 8_986_136_427_945_553, 1<<63+1
	for name, form := range forms {
		if got := open(t, form(t, entries)).Lists[0].Entries; !reflect.DeepEqual(got, entries) {
			t.Errorf("%s: got %v, want %v", name, got, entries)
		}
	}
}

// The stakes of the moment, in epoch 899, are taken for the schedule of that epoch.
func TestStakesOfTheMomentLeadTheNextEpoch(t *testing.T) {
	set := open(t, forms["reply"](t, randomEntries(rand.New(rand.NewPCG(11, 0)), 3)))
	if _, err := set.For(900); err != nil {
		t.Error(err)
	}
	var missing *list.EpochError
	if _, err := set.For(899); !errors.As(err, &missing) {
		t.Errorf("epoch 899: got %v", err)
	}
	if v := set.Lists[0].Provenance.Vintage; v != list.VintageApproximate {
		t.Errorf("vintage %s", v)
	}
}

// What an earlier source that failed has left behind gets into the next list.
func TestOpenAfterAFailure(t *testing.T) {
	for _, s := range sources(t) {
		read := func(content []byte) (*list.Set, error) {
			return Open(context.Background(), Stdin, Options{Stdin: bytes.NewReader(content)})
		}
		want, err := read(s.content)
		if err != nil {
			t.Fatal(err)
		}
		for _, other := range sources(t) {
			_, _ = read(other.content[:len(other.content)*2/3])
		}
		if got, err := read(s.content); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %v, %v", s.name, got, err)
		}
	}
}
