package main

import (
	"bytes"
	"cmp"
	"math/bits"
	"slices"

	"github.com/schedgen/schedgen/internal/splitmix"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/csv"
)

const (
	seed         = 20_240_101
	voteAccounts = 1_400

	// Stake at position i of n falls as scale/(i+flat) * ((n-i)/n)^2: close to
	// a power law at the top, and down to less than a SOL at the end. The two
	// are set for a total of 400 million SOL and a top of 2 to 3 %.
	scale = 126_000_000_000_000_000 // lamports
	flat  = 12
)

// Comment lines above the header.
const comment = `# A made-up stake list in the shape of mainnet-beta's. No key here belongs to
# anybody and no stake is real; stakes/example/gen makes them from a fixed seed.
`

// generate returns the list. It computes in integers only, so that every
// machine makes the same bytes.
func generate() ([]byte, error) {
	rng := splitmix.Source(seed)
	entries := make([]schedule.Entry, voteAccounts)
	for i := range entries {
		entries[i] = schedule.Entry{Key: rng.Key(), Node: rng.Key(), Stake: stake(uint64(i), rng.Next())}
	}
	// Stakes that tie: pairs, and a row of five such as one delegator makes.
	for _, i := range []int{40, 333, 700, 1_200} {
		entries[i+1].Stake = entries[i].Stake
	}
	for i := 900; i < 905; i++ {
		entries[i].Stake = 50_000_000_000_000
	}
	// Identities that lead for a second, smaller vote account.
	for _, i := range []int{7, 60, 145, 410, 777, 1_010} {
		entries[i+300].Node = entries[i].Node
	}
	slices.SortStableFunc(entries, func(a, b schedule.Entry) int { return cmp.Compare(b.Stake, a.Stake) })

	var out bytes.Buffer
	out.WriteString(comment)
	err := csv.Write(&out, entries, true)
	return out.Bytes(), err
}

// stake returns the stake at position i: that of the curve, less up to an
// eighth by the random number r.
func stake(i, r uint64) uint64 {
	left := voteAccounts - i
	stake := mulDiv(scale/(i+flat), left*left, voteAccounts*voteAccounts)
	return stake - mulDiv(stake/8, r>>32, 1<<32)
}

// mulDiv returns a*b/c for b <= c, without loss in between.
func mulDiv(a, b, c uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	quotient, _ := bits.Div64(hi, lo, c)
	return quotient
}
