package compare

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/bits"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/schedgen/schedgen/chacha20rng"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/wsample"
)

// epoch454 returns the stake list and the parameters of mainnet-beta's epoch 454,
// or skips the test where the list is not at hand.
func epoch454(t testing.TB) ([]schedule.Entry, schedule.Params) {
	t.Helper()
	const name = "epoch-454-stakes.csv"
	b, err := os.ReadFile(filepath.Join("..", "..", "shared", "data", name))
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no ../shared/data/%s beside the repository: this check needs it", name)
	}
	if err != nil {
		t.Fatal(err)
	}
	var entries []schedule.Entry
	lines := bufio.NewScanner(strings.NewReader(string(b)))
	lines.Scan() // header
	for lines.Scan() {
		key, amount, _ := strings.Cut(lines.Text(), ",")
		stake, err := strconv.ParseUint(amount, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		p, err := schedule.ParsePubkey(key)
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, schedule.Entry{Key: p, Stake: stake})
	}
	return entries, schedule.Params{Epoch: 454, FirstSlot: 196_128_000, Slots: 432_000}
}

func mustDerive(t testing.TB, entries []schedule.Entry, k schedule.Keying, p schedule.Params) *schedule.Schedule {
	t.Helper()
	st, err := schedule.NewStakes(entries, k)
	if err != nil {
		t.Fatal(err)
	}
	s, err := schedule.Derive(st, p)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestFiguresOfEpoch454 checks what each mistake does to the schedule of an epoch
// that really happened: the first wrong slot (-1: none) and how many slots of
// 432,000 stay right.
func TestFiguresOfEpoch454(t *testing.T) {
	entries, p := epoch454(t)
	s := mustDerive(t, entries, schedule.KeyedByIdentity, p)
	x, err := newExaminer(Case{Entries: entries, Keying: schedule.KeyedByIdentity, Params: p, Other: Derived("epoch 454", s)})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name         string
		make         func(*way)
		first, equal int
	}{
		{"none", func(*way) {}, -1, 432_000},
		{"at least", func(y *way) { y.atLeast = true }, -1, 432_000},
		{"no rejection", func(y *way) { y.roll = rollAll }, 41_092, 43_056},
		{"low end rejected", func(y *way) { y.roll = rollLowEnd }, 10_876, 94_264},
		{"shift zone", func(y *way) { y.roll = rollShift }, 0, 2_192},
		{"remainder", func(y *way) { y.roll = rollRemainder }, 0, 2_384},
		{"total off by one", func(y *way) { y.extra = 1 }, 41_092, 153_972},
		{"ties ascending", func(y *way) { y.order = tiesAscending }, 316, 420_640},
		{"big-endian seed", func(y *way) { y.seed = bigEndian32 }, 0, 2_196},
		{"halves exchanged", func(y *way) { y.swapped = true }, 0, 2_312},
		{"8 rounds", func(y *way) { y.rounds = rounds8 }, 0, 2_212},
		{"12 rounds", func(y *way) { y.rounds = rounds12 }, 0, 2_296},
	} {
		y := x.right
		c.make(&y)
		if s, ok := x.run(y, toEnd); !ok || s.first != c.first || s.equal != c.equal {
			t.Errorf("%s: first wrong slot %d, %d equal; want %d, %d", c.name, s.first, s.equal, c.first, c.equal)
		}
	}
	d, _ := x.drawer(x.right)
	d, _ = d.without(len(entries) - 1)
	if s, _ := x.follow(&d, x.right.slotting, toEnd); s.first != 6_252 || s.equal != 26_684 {
		t.Errorf("smallest dropped: first wrong slot %d, %d equal; want 6252, 26684", s.first, s.equal)
	}
}

// heavy skips a test that takes seconds.
func heavy(t testing.TB) {
	t.Helper()
	if testing.Short() || raceDetector || os.Getenv("SCHEDGEN_TEST_EMULATED") != "" {
		t.Skip("derives an epoch of a cluster some hundred times: not with -short, under the race detector, or on an emulated processor")
	}
}

// drawn returns leaders of 432,000 slots, four for every rank drawn.
func drawn(sorted []schedule.Entry, rank func(rotation int) int) []schedule.Pubkey {
	var leaders []schedule.Pubkey
	for r := range 108_000 {
		leaders = append(leaders, slices.Repeat([]schedule.Pubkey{sorted[rank(r)].Key}, 4)...)
	}
	return leaders
}

// TestExplainEpoch454 explains wrong schedules of an epoch that really happened.
// They are made with packages schedule, chacha20rng and wsample.
func TestExplainEpoch454(t *testing.T) {
	entries, p := epoch454(t)
	heavy(t)
	const keying = schedule.KeyedByIdentity
	s := mustDerive(t, entries, keying, p)
	sorted, weights := make([]schedule.Entry, 0, len(entries)), s.Stakes().Weights()
	for _, e := range s.Stakes().All() {
		sorted = append(sorted, e)
	}
	table, err := wsample.NewTable(weights)
	if err != nil {
		t.Fatal(err)
	}
	seed := [32]byte{0: 454 & 0xff, 1: 454 >> 8}
	total := table.Total()
	rolls := func(next func() uint64) []schedule.Pubkey {
		return drawn(sorted, func(int) int { return table.Map(next()) })
	}
	shift, words, plus := chacha20rng.New(seed), chacha20rng.New(seed), chacha20rng.New(seed)
	ascending := slices.Clone(sorted)
	slices.SortFunc(ascending, func(a, b schedule.Entry) int {
		return cmp.Or(cmp.Compare(b.Stake, a.Stake), a.Key.Compare(b.Key))
	})
	ranks := make([]int, 0, s.Rotations())
	for _, rank := range s.Ranks() {
		ranks = append(ranks, rank)
	}
	for _, c := range []struct {
		name, text   string
		other        Leaders
		first, equal int
	}{
		{MistakeMissing, "one entry missing, of which 64 or more may be it", // 128 tie, and lead nowhere
			mustDerive(t, sorted[:3372], keying, p), 6_252, 26_684},
		{MistakeTies, "ascending", listed{leaders: drawn(ascending, func(r int) int { return ranks[r] })}, 316, 420_640},
		{MistakeZone, "shift", listed{leaders: rolls(func() uint64 { return shift.Roll(chacha20rng.Shift(total)) })}, 0, 2_192},
		{MistakeZone, "no word", listed{leaders: rolls(func() uint64 {
			high, _ := bits.Mul64(words.Uint64(), total)
			return high
		})}, 41_092, 43_056},
		{MistakeTotal, "more", listed{leaders: rolls(func() uint64 { return plus.Roll(chacha20rng.Modulo(total + 1)) })}, 41_092, 153_972},
	} {
		t.Run(c.name+" "+c.text, func(t *testing.T) {
			e := mustExplain(t, Case{Entries: entries, Keying: keying, Params: p}, c.other)
			wantExplained(t, e, c.name, c.text)
			if first := *e.AsIs.First; first != schedule.Index(c.first) || e.AsIs.Equal != uint64(c.equal) {
				t.Errorf("as it is: first wrong slot %d, %d equal; want %d, %d", first, e.AsIs.Equal, c.first, c.equal)
			}
		})
	}
}

// BenchmarkExplain explains a schedule in which one entry is missing, and looks
// for what there is not.
func BenchmarkExplain(b *testing.B) {
	for _, n := range []int{1500, 3373} {
		entries := someEntries(rngOf(1), n, likeACluster)
		p := schedule.Params{Epoch: 900, Slots: 432_000}
		other := p
		other.Epoch = 1
		for name, s := range map[string]*schedule.Schedule{
			"missing": mustDerive(b, entries[1:], schedule.KeyedByVote, p),
			"nothing": mustDerive(b, entries, schedule.KeyedByVote, other),
		} {
			c := Case{Entries: entries, Keying: schedule.KeyedByVote, Params: p, Other: Side{Name: "other", Leaders: s}}
			b.Run(fmt.Sprintf("%s/validators=%d", name, n), func(b *testing.B) {
				for b.Loop() {
					if _, err := Explain(context.Background(), c); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
