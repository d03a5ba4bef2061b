package admission

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
)

const sol = 1_000_000_000

func keyOf(i int) schedule.Pubkey {
	return schedule.Pubkey{0: 1, 1: byte(i >> 16), 2: byte(i >> 8), 3: byte(i)}
}

// listOf has vote accounts of these stakes, all of them with what they need.
func listOf(stakes ...uint64) *list.List {
	l := &list.List{HasVotes: true, Provenance: list.Provenance{Source: "x", Vintage: list.VintageApproximate}}
	for i, stake := range stakes {
		l.Entries = append(l.Entries, schedule.Entry{Key: keyOf(i), Node: keyOf(i + 1<<20), Stake: stake})
		l.Accounts = append(l.Accounts, list.Account{Lamports: sol, BLS: true})
	}
	return l
}

// ascending are n stakes, none the same.
func ascending(n int) []uint64 {
	stakes := make([]uint64, n)
	for i := range stakes {
		stakes[i] = uint64(i+1) * sol
	}
	return stakes
}

func TestRules(t *testing.T) {
	for _, r := range Rules() {
		if got, err := ParseRule(string(r)); err != nil || got != r {
			t.Errorf("%s: %v, %v", r, got, err)
		}
	}
	_, err := ParseRule("top-200")
	if !errors.Is(err, ErrRule) || !strings.Contains(err.Error(), "auto, none, top-2000") {
		t.Errorf("got %v", err)
	}
}

// The gates are the first slots of epochs 1006 and 979, whose stakes lead the
// epoch after.
func TestFirstEpoch(t *testing.T) {
	for cluster, want := range map[string]uint64{"mainnet-beta": 1007, "testnet": 980} {
		if got, known := FirstEpoch(cluster); got != want || !known {
			t.Errorf("%s: %d, %v, want %d", cluster, got, known, want)
		}
		es, err := schedule.ClusterSchedule(cluster)
		if err != nil {
			t.Fatal(err)
		}
		if epoch, index := es.EpochOf(gates[cluster]); epoch != want-1 || index != 0 {
			t.Errorf("%s: the gate is index %d of epoch %d", cluster, index, epoch)
		}
	}
	for _, cluster := range []string{"devnet", "", "mainnet"} {
		if epoch, known := FirstEpoch(cluster); known || epoch != 0 {
			t.Errorf("%q: %d is known", cluster, epoch)
		}
	}
}

func TestApplies(t *testing.T) {
	for _, c := range []struct {
		rule    Rule
		cluster string
		epoch   uint64
		want    bool
	}{
		{Auto, "mainnet-beta", 1006, false},
		{Auto, "mainnet-beta", 1007, true},
		{Auto, "testnet", 979, false},
		{Auto, "testnet", 980, true},
		{Auto, "devnet", 1 << 40, false},
		{Auto, "", 1 << 40, false},
		{Top2000, "mainnet-beta", 0, true},
		{Top2000, "", 0, true},
		{None, "mainnet-beta", 1 << 40, false},
		{"", "mainnet-beta", 1 << 40, false},
	} {
		if got := Applies(c.rule, c.cluster, c.epoch); got != c.want {
			t.Errorf("%s of %q, epoch %d: %v", c.rule, c.cluster, c.epoch, got)
		}
	}
}

func TestRentMinimum(t *testing.T) {
	if RentMinimum != 27_074_400 {
		t.Errorf("%d lamports", uint64(RentMinimum))
	}
}

func TestEligible(t *testing.T) {
	l := listOf(5, 0, 7, 8, 9, 0)
	l.Accounts[2].BLS = false
	l.Accounts[3].Lamports = RentMinimum - 1
	l.Accounts[4].Lamports = RentMinimum
	l.Accounts[5] = list.Account{} // one reason is told, the first
	before := *l
	before.Entries, before.Accounts = slices.Clone(l.Entries), slices.Clone(l.Accounts)

	got, report := Apply(l, Options{})
	if !reflect.DeepEqual(*l, before) {
		t.Error("the list was changed")
	}
	if want := []schedule.Entry{l.Entries[0], l.Entries[4]}; !slices.Equal(got.Entries, want) {
		t.Errorf("got %v, want %v", got.Entries, want)
	}
	if want := []list.Account{l.Accounts[0], l.Accounts[4]}; !slices.Equal(got.Accounts, want) {
		t.Errorf("got accounts %v, want %v", got.Accounts, want)
	}
	if !got.HasVotes || !reflect.DeepEqual(got.Provenance, l.Provenance) {
		t.Errorf("got %+v", got)
	}
	want := Report{Rule: Auto, State: Applied, Listed: 6, Admitted: 2, Left: []Left{
		{keyOf(1), 0, NoStake}, {keyOf(2), 7, NoBLS}, {keyOf(3), 8, LowBalance}, {keyOf(5), 0, NoStake},
	}}
	if !reflect.DeepEqual(report, want) {
		t.Errorf("report %+v, want %+v", report, want)
	}
	if got, want := report.String(), "admission (SIMD-0357): 2 of 6 vote accounts; left out: 2 no stake, 1 no BLS key, 1 low balance"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestMinimumBalance(t *testing.T) {
	l := listOf(5, 6, 7)
	l.Accounts[0].Lamports, l.Accounts[1].Lamports, l.Accounts[2].Lamports = 1, 1_627_074_399, 1_627_074_400
	for _, c := range []struct {
		o        Options
		admitted int
	}{
		{Options{Minimum: 1}, 3},
		{Options{Minimum: 2}, 2},
		{Options{}, 2},
		{Options{Burn: 1_600_000_000}, 1},
		{Options{Minimum: 1, Burn: 1<<64 - 1}, 0},
	} {
		if got, report := Apply(l, c.o); len(got.Entries) != c.admitted || report.Admitted != c.admitted {
			t.Errorf("%+v: %d admitted, want %d", c.o, len(got.Entries), c.admitted)
		}
	}
}

// Of more than 2,000 those stay whose stake is over that of the 2,001st.
func TestCut(t *testing.T) {
	tied := ascending(2_003) // the 4 smallest of the top are made the same as the next
	for i := range 6 {
		tied[i] = 6 * sol
	}
	allTied := slices.Repeat([]uint64{7}, 2_001)
	unable := listOf(ascending(2_001)...)
	unable.Accounts[2_000].BLS = false // the largest does not count among the 2,000
	rows := listOf(ascending(2_000)...)
	rows.Entries, rows.Accounts = append(rows.Entries, rows.Entries[0]), append(rows.Accounts, rows.Accounts[0])
	for _, c := range []struct {
		name     string
		l        *list.List
		admitted int
		floor    uint64
	}{
		{"2000", listOf(ascending(2_000)...), 2_000, 0},
		{"2001", listOf(ascending(2_001)...), 2_000, sol},
		{"2500", listOf(ascending(2_500)...), 2_000, 500 * sol},
		{"zeros do not count", listOf(append(ascending(2_000), 0, 0)...), 2_000, 0},
		{"no tie over the border", listOf(append(ascending(2_000), sol/2)...), 2_000, sol / 2},
		{"tie over the border", listOf(append(ascending(2_000), sol)...), 1_999, sol},
		{"tie of six", listOf(tied...), 1_997, 6 * sol},
		{"all tied", listOf(allTied...), 0, 7},
		{"one of them without BLS key", unable, 2_000, 0},
		{"a row twice", rows, 2_001, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, r := range []Rule{Auto, Top2000} {
				got, report := Apply(c.l, Options{Rule: r})
				if len(got.Entries) != c.admitted || report.Admitted != c.admitted || report.Floor != c.floor || report.State != Applied {
					t.Errorf("%s: %d admitted, report %v, floor %d, want %d, %d", r, len(got.Entries), report, report.Floor, c.admitted, c.floor)
				}
				for _, e := range got.Entries {
					if e.Stake <= c.floor {
						t.Errorf("%s: %d lamports admitted", r, e.Stake)
					}
				}
				if left := report.Count(OutsideTop); left > 0 && !strings.Contains(report.String(), fmt.Sprintf("%d outside the top 2000 (at most %d lamports)", left, c.floor)) {
					t.Errorf("%s: %q", r, report)
				}
			}
		})
	}
}

// What is done when it is not asked for, not known, or would change what the
// network has done already.
func TestStates(t *testing.T) {
	many := listOf(ascending(2_001)...)
	untold := *many
	untold.Accounts = nil
	uneven := *many
	uneven.Accounts = uneven.Accounts[:1]
	exact := *many
	exact.Provenance.Vintage = list.VintageExact
	nodes := *many
	nodes.HasVotes = false
	few := listOf(1, 2)
	fewUntold := *few
	fewUntold.Accounts = nil
	for _, c := range []struct {
		name  string
		l     *list.List
		rule  Rule
		state State
		left  int
		says  string
	}{
		{"none", many, None, NotAsked, 0, ""},
		{"no rule there is", many, "top-3", NotAsked, 0, ""},
		{"nobody left out", few, Auto, Applied, 0, ""},
		{"untold", &untold, Auto, Untold, 0, "the source does not tell BLS keys and balances; the list is taken as it is"},
		{"untold, forced", &untold, Top2000, StakesOnly, 1, "2000 of 2001 vote accounts; left out: 1 outside the top 2000 (at most 1000000000 lamports); BLS keys and balances are not told and were not checked"},
		{"few untold, forced", &fewUntold, Top2000, StakesOnly, 0, "2 of 2 vote accounts; BLS keys and balances are not told and were not checked"},
		{"not for every entry", &uneven, Auto, Untold, 0, "as it is"},
		{"exact", &exact, Auto, AlreadyAdmitted, 0, ""},
		{"exact, forced", &exact, Top2000, Applied, 1, "2000 of 2001"},
		{"identities", &nodes, Auto, ByIdentity, 0, "the list has identities"},
		{"identities, forced", &nodes, Top2000, ByIdentity, 0, "the list has identities"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, report := Apply(c.l, Options{Rule: c.rule})
			if report.State != c.state || len(report.Left) != c.left || report.Listed != len(c.l.Entries) || report.Admitted != len(got.Entries) {
				t.Errorf("report %+v", report)
			}
			if c.left == 0 && got != c.l {
				t.Error("got another list")
			}
			text := report.String()
			if !strings.Contains(text, c.says) || strings.Contains(text, "\n") || c.says == "" && text != "" {
				t.Errorf("got %q, want %q", text, c.says)
			}
		})
	}
	if text := (Report{}).String(); text != "" {
		t.Errorf("no report says %q", text)
	}
}

// Provenance of the result can be added to without changing that of the list.
func TestNotesAreNotShared(t *testing.T) {
	l := listOf(0, 1)
	l.Provenance.Notes = append(make([]string, 0, 8), "one")
	got, _ := Apply(l, Options{})
	got.Provenance.Note("two")
	if notes := l.Provenance.Notes[:2]; notes[1] != "" {
		t.Errorf("notes %q", notes)
	}
}

// What was admitted is admitted again, and the order of a list does not matter.
func TestIdempotent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		n := rapid.IntRange(1_900, 2_200).Draw(t, "entries")
		different := rapid.Uint64Range(1, 3_000).Draw(t, "different stakes")
		l := listOf()
		for i := range n {
			l.Entries = append(l.Entries, schedule.Entry{Key: keyOf(i), Node: keyOf(i), Stake: rng.Uint64N(different)})
			l.Accounts = append(l.Accounts, list.Account{Lamports: RentMinimum - 1 + rng.Uint64N(50), BLS: rng.IntN(50) > 0})
		}
		if rapid.Bool().Draw(t, "untold") {
			l.Accounts = nil
		}
		o := Options{Rule: Top2000}
		once, report := Apply(l, o)
		if report.Admitted+len(report.Left) != n || report.Admitted > MaxValidators {
			t.Fatalf("%d admitted, %d not, of %d", report.Admitted, len(report.Left), n)
		}
		twice, again := Apply(once, o)
		if twice != once || len(again.Left) > 0 || again.Floor != 0 {
			t.Fatalf("%v, and again %v", report, again)
		}

		shuffled := &list.List{HasVotes: true}
		for _, i := range rng.Perm(n) {
			shuffled.Entries = append(shuffled.Entries, l.Entries[i])
			if l.Accounts != nil {
				shuffled.Accounts = append(shuffled.Accounts, l.Accounts[i])
			}
		}
		other, otherReport := Apply(shuffled, o)
		sort := func(entries []schedule.Entry) []schedule.Entry {
			entries = slices.Clone(entries)
			slices.SortFunc(entries, func(a, b schedule.Entry) int { return a.Key.Compare(b.Key) })
			return entries
		}
		if !slices.Equal(sort(other.Entries), sort(once.Entries)) || otherReport.Floor != report.Floor {
			t.Fatalf("in another order %v, want %v", otherReport, report)
		}
	})
}
