package compare

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/schedgen/schedgen/schedule"
	"pgregory.net/rapid"
)

func rngOf(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 99)) }

// TestExplainTail: the last slots are no whole rotation.
func TestExplainTail(t *testing.T) {
	c, r := caseOf(someEntries(rngOf(1), 90, likeACluster), schedule.KeyedByVote, 4_003)
	other := r.leaders()
	copy(other[4_000:], other[:3])
	wantExplained(t, mustExplain(t, c, listed{leaders: other}), MistakeTail, "whole rotation")
}

// TestExplainOtherStakes: the other side has the list of another epoch, or that
// and another mistake.
func TestExplainOtherStakes(t *testing.T) {
	for seed := range uint64(3) {
		now := someEntries(rngOf(seed), 90, likeACluster)
		before := slices.Clone(now[:80])
		for i := range before {
			before[i].Stake += uint64(i) * 1e12
		}
		c, r := caseOf(now, schedule.KeyedByVote, testSlots)
		c.Alternatives = []Alternative{{"of epoch 901", now[:70]}, {"of epoch 899", before}}
		r.entries = before
		wantExplained(t, mustExplain(t, c, listed{leaders: r.leaders()}), MistakeList, "the stakes of epoch 899")
		r.epoch--
		wantExplained(t, mustExplain(t, c, listed{leaders: r.leaders()}), MistakeList+"+"+MistakeEpoch, "of epoch 899 and the number of epoch 899")
		r.epoch++
		r.identity = true
		wantExplained(t, mustExplain(t, c, listed{leaders: r.leaders()}), MistakeList+"+"+MistakeIdentity, "899 and stakes added")
		r.epoch += 2
		r.entries = slices.Delete(slices.Clone(before), 5, 6)
		e := mustExplain(t, c, listed{leaders: r.leaders()})
		wantExplained(t, e, strings.Join([]string{MistakeList, MistakeIdentity, MistakeEpoch, MistakeMissing}, "+"), "missing")
	}
}

// TestExplainTwo: two mistakes at once.
func TestExplainTwo(t *testing.T) {
	c, r := caseOf(someEntries(rngOf(3), 90, likeACluster), schedule.KeyedByVote, testSlots)
	r.before = orTies(func(a, b schedule.Entry) bool { return a.Key.Compare(b.Key) < 0 })
	r.rounds = 8
	wantExplained(t, mustExplain(t, c, listed{leaders: r.leaders()}), MistakeTies+"+"+MistakeRounds, "keys and ChaCha of 8")
}

// TestExplainAdmission: SIMD-0357 admits 2,000 vote accounts at most, and none
// that ties with the one behind.
func TestExplainAdmission(t *testing.T) {
	entries := someEntries(rngOf(4), 2_300, likeACluster)
	c, r := caseOf(entries, schedule.KeyedByVote, testSlots)
	r.prepare = func(rows []schedule.Entry) []schedule.Entry {
		sorted := slices.Clone(rows)
		slices.SortFunc(sorted, func(a, b schedule.Entry) int {
			if a.Stake > b.Stake {
				return -1
			}
			return 1
		})
		var kept []schedule.Entry
		for _, e := range sorted[:2_000] {
			if e.Stake > sorted[2_000].Stake {
				kept = append(kept, e)
			}
		}
		return kept
	}
	wantExplained(t, mustExplain(t, c, listed{leaders: r.leaders()}), MistakeAdmission, "SIMD-0357")
}

// TestExplainMissing leaves out each entry of a list in turn.
func TestExplainMissing(t *testing.T) {
	entries := someEntries(rngOf(5), 24, likeACluster)
	for _, keying := range []schedule.Keying{schedule.KeyedByVote, schedule.KeyedByIdentity} {
		for i, out := range entries {
			if out.Stake == 0 {
				continue
			}
			c, r := caseOf(entries, keying, testSlots/3)
			r.entries = slices.Delete(slices.Clone(entries), i, i+1)
			e := mustExplain(t, c, listed{leaders: r.leaders()})
			wantExplained(t, e, MistakeMissing, "missing")
			got := slices.Concat(e.Hypotheses[0].Entries, e.Hypotheses[0].OneOf)
			found := slices.ContainsFunc(got, func(e Entry) bool {
				return e.Stake == out.Stake && (e.Key == out.Key || keying == schedule.KeyedByIdentity && e.Key == out.Node)
			})
			if !found {
				t.Errorf("keyed by %v: %v is missing, got %v", keying, out, got)
			}
		}
	}
}

// TestExplainMissingSome leaves out several entries that lead often, and these
// and one that leads seldom.
func TestExplainMissingSome(t *testing.T) {
	for seed := range uint64(4) {
		entries := someEntries(rngOf(seed), 90, likeACluster)
		sortRows(entries, byStakeAndKey)
		c, r := caseOf(entries, schedule.KeyedByVote, testSlots)
		var out []schedule.Entry // with identities of their own
		for i, alone := range alone(nodeNumbers(entries)) {
			if alone && (len(out) < 3 || len(out) < 4 && seed%2 == 1 && i > 70) {
				out = append(out, entries[i])
			}
		}
		r.entries = slices.DeleteFunc(slices.Clone(entries), func(e schedule.Entry) bool { return slices.Contains(out, e) })
		e := mustExplain(t, c, listed{leaders: r.leaders()})
		wantExplained(t, e, MistakeMissing, "entries missing that never lead")
		if got := e.Hypotheses[0].Entries; !slices.Equal(got, asEntries(out)) {
			t.Errorf("seed %d: got %v, want %v", seed, got, out)
		}
		if len(e.Absent) < 3 || e.Absent[0].Entry != Entry(out[0]) {
			t.Errorf("seed %d: absent %v", seed, e.Absent)
		}
	}
}

func nodeNumbers(entries []schedule.Entry) (of []int32) {
	ids := &numbers{of: map[schedule.Pubkey]int32{}}
	for i := range entries {
		of = append(of, ids.number(&entries[i].Node))
	}
	return of
}

// TestExplainShift moves the slots of the other side.
func TestExplainShift(t *testing.T) {
	c, r := caseOf(someEntries(rngOf(6), 90, likeACluster), schedule.KeyedByVote, 8_000)
	right := r.leaders()
	for _, by := range []int{1, -1, 4, 100, -101, 3_000, -3_777, 6_000} {
		moved := make([]schedule.Pubkey, len(right))
		turned := make([]schedule.Pubkey, len(right))
		for i := range right {
			if at := i + by; at >= 0 && at < len(right) {
				moved[i] = right[at]
			}
			turned[i] = right[mod(i+by, len(right))]
		}
		gap := func(i int) bool { return moved[i].IsZero() }
		e := mustExplain(t, c, listed{leaders: moved, gap: gap})
		wantExplained(t, e, MistakeShift, fmt.Sprintf("index %+d", by))
		if e.Hypotheses[0].Shift != int64(by) {
			t.Errorf("shift %d, want %d", e.Hypotheses[0].Shift, by)
		}
		e = mustExplain(t, c, listed{leaders: turned})
		wantExplained(t, e, MistakeRotated, "other end")
		if got := mod(int(e.Hypotheses[0].Shift), len(right)); got != mod(by, len(right)) {
			t.Errorf("turned by %d, want %d", got, by)
		}
	}
	// The same by slot numbers that are wrong by 100.
	first := c.Params.FirstSlot + 100
	c.Other = Side{Name: "other", Leaders: listed{leaders: right}, FirstSlot: &first}
	e := mustExplainSide(t, c)
	wantExplained(t, e, MistakeShift, "index -100")
	if e.Alignment.Offset != 100 {
		t.Errorf("offset %d, want 100", e.Alignment.Offset)
	}
}

// TestExplainSlotNumbers: indices in the place of absolute slots.
func TestExplainSlotNumbers(t *testing.T) {
	c, r := caseOf(someEntries(rngOf(7), 90, likeACluster), schedule.KeyedByVote, testSlots)
	for first, text := range map[schedule.Slot]string{0: "counts slots from 0", 432_000: "share no slot"} {
		c.Other = Side{Name: "other", Leaders: listed{leaders: r.leaders()}, FirstSlot: &first}
		wantExplained(t, mustExplainSide(t, c), MistakeNumbers, text)
	}
}

// TestExplainIdentities: some vote accounts have other identities.
func TestExplainIdentities(t *testing.T) {
	for seed := range uint64(3) {
		rng := rngOf(seed)
		entries := someEntries(rng, 90, likeACluster)
		c, r := caseOf(entries, schedule.KeyedByVote, testSlots)
		changed := map[schedule.Pubkey]schedule.Pubkey{}
		sorted := slices.Clone(entries)
		sortRows(sorted, byStakeAndKey)
		for i := range 7 {
			changed[sorted[i*3].Key] = someKey(rng)
		}
		changed[sorted[1].Key] = sorted[2].Node // to one that is in the list
		r.leader = func(e schedule.Entry) schedule.Pubkey {
			if to, ok := changed[e.Key]; ok {
				return to
			}
			return e.Node
		}
		e := mustExplain(t, c, listed{leaders: r.leaders()})
		wantExplained(t, e, MistakeNodes, "8 vote accounts")
		for _, got := range e.Hypotheses[0].Identities {
			if want := changed[got.Key]; got.To == nil || *got.To != want || got.Slots == 0 {
				t.Errorf("%v: got %v, want %v", got.Key, got.To, want)
			}
		}
	}
}

// TestExplainNothing: schedules that have nothing to do with each other are not
// explained.
func TestExplainNothing(t *testing.T) {
	for seed := range uint64(8) {
		rng := rngOf(seed)
		c, r := caseOf(someEntries(rng, 90, likeACluster), schedule.KeyedByVote, testSlots)
		c.Alternatives = []Alternative{{"of epoch 899", someEntries(rng, 60, likeACluster)}}
		switch seed % 4 {
		case 0:
			r.epoch = 12_345
		case 1:
			r.entries = someEntries(rng, 90, likeACluster)
		case 2: // strangers and acquaintances
			r.entries = slices.Concat(c.Entries[:40], someEntries(rng, 50, likeACluster))
			r.epoch = 7
		case 3:
			r.entries = someEntries(rng, 2, likeACluster)
		}
		e := mustExplain(t, c, listed{leaders: r.leaders()})
		if got := names(e); len(got) > 0 || e.Exact() || e.Equal || e.Weak || e.Drift != nil {
			t.Errorf("seed %d: explained by %q: %v", seed, got, e)
		}
	}
}

// TestExplainDrift: all stakes are a little greater.
func TestExplainDrift(t *testing.T) {
	entries := someEntries(rngOf(8), 90, likeACluster)
	c, r := caseOf(entries, schedule.KeyedByVote, testSlots)
	r.entries = slices.Clone(entries)
	for i, e := range r.entries {
		r.entries[i].Stake += e.Stake / 10_000 * (e.Stake % 4) // ties stay ties
	}
	e := mustExplain(t, c, listed{leaders: r.leaders()})
	if len(names(e)) > 0 || e.Drift == nil || e.Drift.Follow*10 < e.Drift.Rotations*9 || len(e.Drift.Mistakes) > 0 {
		t.Fatalf("%v: %+v", e, e.Drift)
	}
	if !strings.Contains(e.String(), "stakes differ somewhat") {
		t.Errorf("text %q", e)
	}
	r.identity = true
	e = mustExplain(t, c, listed{leaders: r.leaders()})
	if e.Drift == nil || len(e.Drift.Mistakes) != 1 || e.Drift.Mistakes[0].Name != MistakeIdentity {
		t.Fatalf("%v: %+v", e, e.Drift)
	}
}

// TestExplainNearest: a mistake that gives the other side but for some slots is
// named as the nearest.
func TestExplainNearest(t *testing.T) {
	c, r := caseOf(someEntries(rngOf(14), 90, likeACluster), schedule.KeyedByVote, testSlots)
	r.rounds = 8
	other := r.leaders()
	for i := 1_001; i < len(other); i += 400 {
		other[i] = key('x')
	}
	e := mustExplain(t, c, listed{leaders: other})
	if len(names(e)) > 0 || len(e.Hypotheses) != 1 || e.Hypotheses[0].Mistakes[0].Name != MistakeRounds || *e.Hypotheses[0].First != 1_001 {
		t.Fatalf("%v: %+v", e, e.Hypotheses)
	}
	want := "no known mistake explains it; the nearest: with ChaCha of 8 rounds, not 20, 5987 of 6000 slots agree, the first that does not is slot index 1001"
	if got := e.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	asIs := e.AsIs.String()
	if !strings.HasPrefix(asIs, "as it is, ") || !strings.HasSuffix(asIs, "of 6000 slots agree, the first that does not is slot index 0") {
		t.Errorf("as it is: %q", asIs)
	}
}

// TestExplainPartial: the other side has the slots of one identity alone, or the
// first slots alone, or every other rotation.
func TestExplainPartial(t *testing.T) {
	heavy(t)
	entries := someEntries(rngOf(9), 90, likeACluster)
	sorted := slices.Clone(entries)
	sortRows(sorted, byStakeAndKey)
	for _, m := range mistakeTests {
		if m.change != nil || m.shape(rngOf(0), 0) < 1e12 || strings.Contains(m.text, "word") || strings.Contains(m.text, "low end") {
			continue // made for other lists
		}
		c, r := caseOf(entries, m.keying, 16_000)
		right := r.leaders()
		m.mistake(&r)
		wrong := r.leaders()
		node := sorted[3].Node
		if m.name == MistakeVotesShown {
			node = sorted[3].Key
		}
		c.Other = Side{Name: "other", Only: []schedule.Pubkey{node}, Leaders: listed{leaders: wrong, gap: func(i int) bool { return wrong[i] != node }}}
		if m.name == MistakeTies {
			continue // shows late
		}
		wantAmong(t, mustExplainSide(t, c), m)
		c.Other = Side{Name: "other", Leaders: listed{leaders: wrong[:600]}}
		if !slices.Equal(wrong[:600], right[:600]) {
			wantAmong(t, mustExplainSide(t, c), m)
		}
		c.Other.Leaders = listed{leaders: wrong, gap: func(i int) bool { return i/8%2 == 0 }}
		wantAmong(t, mustExplainSide(t, c), m)
	}
}

// wantAmong checks that a mistake is one of those that are exact: of few slots
// several may be.
func wantAmong(t *testing.T, e *Explanation, m mistakeTest) {
	t.Helper()
	if e.Weak || e.Equal || !slices.Contains(names(e), m.name) {
		t.Errorf("%s, %s: exact: %q; %v", m.name, m.text, names(e), e)
	}
}

// TestExplainWeak: of a few slots nothing can be told.
func TestExplainWeak(t *testing.T) {
	c, r := caseOf(someEntries(rngOf(10), 90, likeACluster), schedule.KeyedByVote, testSlots)
	r.rounds = 8
	e := mustExplain(t, c, listed{leaders: r.leaders()[:20]})
	if !e.Weak || e.Exact() || len(e.Hypotheses) > 0 || !strings.Contains(e.String(), "too few") {
		t.Errorf("%v: %+v", e, e)
	}
	e = mustExplain(t, c, listed{})
	if e.AsIs.Compared != 0 || e.Equal || e.Exact() || e.String() != "no slot could be compared" {
		t.Errorf("no slots: %v", e)
	}
}

// TestExplainUnlisted: leaders that the list does not have are named.
func TestExplainUnlisted(t *testing.T) {
	rng := rngOf(11)
	entries := someEntries(rng, 90, likeACluster)
	c, r := caseOf(entries, schedule.KeyedByVote, testSlots)
	more := someEntries(rng, 3, likeACluster)
	more[0].Stake, more[1].Stake, more[2].Stake = 4e15, 3e16, 1e16
	r.entries = slices.Concat(entries, more)
	e := mustExplain(t, c, listed{leaders: r.leaders()})
	if len(e.Unlisted) != 3 || e.Unlisted[0].Key != more[1].Node || e.Unlisted[1].Key != more[2].Node {
		t.Fatalf("unlisted %v", e.Unlisted)
	}
	if got := float64(e.Unlisted[0].Stake); got < 2.5e16 || got > 3.5e16 {
		t.Errorf("estimated stake %g, want about 3e16", got)
	}
}

func TestExplainStops(t *testing.T) {
	c, r := caseOf(someEntries(rngOf(12), 90, likeACluster), schedule.KeyedByVote, testSlots)
	r.epoch = 1
	c.Other = Side{Name: "other", Leaders: listed{leaders: r.leaders()}}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Explain(ctx, c); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}

func TestExplainErrors(t *testing.T) {
	entries := someEntries(rngOf(13), 9, likeACluster)
	good, r := caseOf(entries, schedule.KeyedByVote, 40)
	good.Other = Side{Name: "other", Leaders: listed{leaders: r.leaders()}}
	digest := [32]byte{}
	for name, c := range map[string]struct {
		change func(*Case)
		want   error
	}{
		"no stake":    {func(c *Case) { c.Entries = nil }, schedule.ErrNoStake},
		"no slots":    {func(c *Case) { c.Params.Slots = 0 }, schedule.ErrSlots},
		"no repeat":   {func(c *Case) { c.Params.Repeat = -1 }, schedule.ErrRepeat},
		"bad list":    {func(c *Case) { c.Alternatives = []Alternative{{Name: "of nobody"}} }, schedule.ErrNoStake},
		"no side":     {func(c *Case) { c.Other = Side{} }, ErrNoLeaders},
		"digest only": {func(c *Case) { c.Other = Side{Digest: &digest} }, ErrDigestOnly},
		"keying":      {func(c *Case) { c.Keying = 9 }, schedule.ErrKeying},
	} {
		bad := good
		c.change(&bad)
		if _, err := Explain(context.Background(), bad); !errors.Is(err, c.want) {
			t.Errorf("%s: got %v, want %v", name, err, c.want)
		}
	}
}

// TestExplainAnything: whatever the other side is, what is said of it is
// consistent.
func TestExplainAnything(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rngOf(rapid.Uint64().Draw(t, "seed"))
		shape := rapid.SampledFrom([]stakeShape{likeACluster, small, huge}).Draw(t, "shape")
		keying := rapid.SampledFrom([]schedule.Keying{schedule.KeyedByVote, schedule.KeyedByIdentity}).Draw(t, "keying")
		entries := someEntries(rng, rapid.IntRange(1, 20).Draw(t, "entries"), shape)
		c, r := caseOf(entries, keying, rapid.IntRange(1, 400).Draw(t, "slots"))
		c.Params.Repeat = rapid.IntRange(1, 9).Draw(t, "repeat")
		c.Params.Epoch = rapid.SampledFrom([]uint64{0, 1, 900, 1<<64 - 1}).Draw(t, "epoch")
		r.epoch, r.repeat = c.Params.Epoch, rapid.IntRange(1, 9).Draw(t, "their repeat")
		r.slots = rapid.IntRange(0, 400).Draw(t, "their slots")
		r.entries = entries[:rapid.IntRange(1, len(entries)).Draw(t, "their entries")]
		if len(r.rows()) == 0 {
			r.entries = []schedule.Entry{{Key: someKey(rng), Node: someKey(rng), Stake: 1}}
		}
		other := listed{leaders: r.leaders()}
		if density := rapid.IntRange(1, 5).Draw(t, "gaps"); density > 1 {
			other.gap = func(i int) bool { return i%density == 0 }
		}
		c.Other = Side{Name: "other", Leaders: other}
		if rapid.Bool().Draw(t, "limited") {
			c.Other.Only = []schedule.Pubkey{entries[0].Node}
			if inner := other.gap; len(other.leaders) > 0 {
				other.gap = func(i int) bool { return other.leaders[i] != entries[0].Node || inner != nil && inner(i) }
				c.Other.Leaders = other
			}
		}
		if rapid.Bool().Draw(t, "numbered") {
			c.Other = at(c.Other, c.Params.FirstSlot+schedule.Slot(rapid.IntRange(-50, 50).Draw(t, "first")))
		}
		e, err := Explain(context.Background(), c)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range append(e.Hypotheses, e.AsIs) {
			if h.Exact && (h.Equal != h.Compared || h.First != nil || h.Compared == 0) || h.Equal > h.Compared || !h.Exact && h.First == nil && h.Compared > 0 {
				t.Fatalf("%+v", h)
			}
		}
		if e.Equal != (e.AsIs.Exact && !e.Alignment.OtherSlots) || e.Exact() && e.Equal || e.String() == "" {
			t.Fatalf("%v: %+v", e, e)
		}
		if _, err := json.Marshal(e); err != nil {
			t.Fatal(err)
		}
	})
}
