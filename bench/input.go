package main

import (
	"encoding/hex"
	"fmt"

	"github.com/schedgen/schedgen/internal/splitmix"
	"github.com/schedgen/schedgen/schedule"
)

// epoch is the epoch of every measurement; any other takes as long.
const epoch = 800

const (
	rotations = 108_000
	slots     = 4 * rotations
)

// input is an unsorted stake list of mainnet's shape.
type input struct {
	n       int
	entries []schedule.Entry
	stakes  *schedule.Stakes
	weights []uint64 // by rank
	file    string   // where the Rust peer reads it
}

// newInput makes n entries whose stakes fall off as a power law, shuffled.
func newInput(n int) *input {
	g := splitmix.Source(8)
	in := &input{n: n, entries: make([]schedule.Entry, n)}
	for i := range in.entries {
		e := &in.entries[i]
		e.Key = g.Key()
		base := 77_000_000_000_000_000 / uint64(i+10)
		e.Stake = base + g.Next()%(base/16+1)
	}
	for i := n - 1; i > 0; i-- {
		j := g.Next() % uint64(i+1)
		in.entries[i], in.entries[j] = in.entries[j], in.entries[i]
	}
	stakes, err := schedule.NewStakes(in.entries, schedule.KeyedByVote)
	if err != nil {
		panic(err) // the list is made above and has no fault
	}
	in.stakes, in.weights = stakes, stakes.Weights()
	return in
}

// params returns the epoch on a backend.
func params(backend string) schedule.Params {
	return schedule.Params{Epoch: epoch, Slots: slots, Backend: backend}
}

// sameDigest compares the schedule of every backend and peer: what is not the
// same need not be measured.
func sameDigest(in *input, rust *peer) error {
	digests := map[string]string{}
	for _, backend := range backends() {
		s, err := schedule.Derive(in.stakes, params(backend))
		if err != nil {
			return err
		}
		digest := s.Digest()
		digests[backend] = hex.EncodeToString(digest[:])
	}
	digests["x/crypto and sort.Search"] = searchDigest(in)
	if rust != nil {
		if err := rust.load(in); err != nil {
			return err
		}
		digest, err := rust.ask(fmt.Sprintf("digest %d", epoch))
		if err != nil {
			return err
		}
		digests["the Rust peer"] = digest
	}
	want := digests[backends()[len(backends())-1]]
	for who, digest := range digests {
		if digest != want {
			return fmt.Errorf("%d validators: %s derives %s, the generic backend %s", in.n, who, digest, want)
		}
	}
	return nil
}
