package schedule

import (
	"math/bits"
	"testing"

	"pgregory.net/rapid"
)

// stakesOfKinds draws stakes that are alike, far apart, or both.
var stakesOfKinds = rapid.Custom(func(t *rapid.T) []uint64 {
	stake := rapid.SampledFrom([]*rapid.Generator[uint64]{
		rapid.Uint64Min(1),
		rapid.Uint64Range(1, 3),
		rapid.Uint64Range(1<<40, 1<<40+5000),
		rapid.Uint64Range(1<<64-100, 1<<64-1),
		rapid.Map(rapid.IntRange(0, 63), func(n int) uint64 { return 1 << n }),
		rapid.Map(rapid.IntRange(1, 64), func(n int) uint64 { return ^uint64(0) >> (64 - n) }),
	}).Draw(t, "kind")
	return rapid.SliceOfN(stake, 0, 300).Draw(t, "stakes")
})

// Codes never rise where stakes fall, and rows come out by code, those of one code
// as they went in.
func TestSortByCode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		stakes := stakesOfKinds.Draw(t, "list")
		rows := make([]row, len(stakes))
		for i, s := range stakes {
			rows[i] = row{stake: s, entry: uint32(i)}
		}
		sorted, other := sortByCode(rows, make([]row, len(rows)))
		if len(other) != len(rows) || len(sorted) != len(rows) || len(rows) > 0 && &other[0] == &sorted[0] {
			t.Fatal("the slices are not those that were given")
		}
		seen := make([]bool, len(stakes))
		for i, r := range sorted {
			if seen[r.entry] || r.stake != stakes[r.entry] || r.code >= 1<<codeBits {
				t.Fatalf("row %d is %+v", i, r)
			}
			seen[r.entry] = true
			if i == 0 {
				continue
			}
			before := sorted[i-1]
			switch {
			case r.code < before.code,
				r.code == before.code && r.entry < before.entry,
				r.code > before.code && r.stake >= before.stake,
				r.stake == before.stake && r.code != before.code:
				t.Fatalf("%+v comes before %+v", before, r)
			}
		}
	})
}

func TestMagnitude(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Uint64().Draw(t, "a"), rapid.Uint64().Draw(t, "b")
		if rapid.Bool().Draw(t, "near") {
			b = a + 1
		}
		if a > b {
			a, b = b, a
		}
		if magnitude(a) > magnitude(b) || b>>57 == 0 && a != b && magnitude(a) == magnitude(b) {
			t.Fatalf("magnitude of %d is %d, of %d %d", a, magnitude(a), b, magnitude(b))
		}
	})
}

// Lists whose stakes codes tell apart, or do not, come out sorted.
func TestNewStakesSorts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var entries []Entry
		var total uint64
		for i, stake := range stakesOfKinds.Draw(t, "list") {
			if sum, carry := bits.Add64(total, stake, 0); carry == 0 {
				total = sum
				entries = append(entries, Entry{Key: testKey(i * 7919 % 300), Stake: stake})
			}
		}
		if len(entries) == 0 {
			return
		}
		st := mustStakes(t, entries, KeyedByVote)
		for rank, want := range refEntries(entries, KeyedByVote) {
			if e := st.Entry(rank); e.Key != want.key || e.Stake != want.stake {
				t.Fatalf("rank %d: got %v, want %v", rank, e, want)
			}
		}
	})
}
