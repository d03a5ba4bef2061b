package main

import (
	"bytes"
	"testing"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/csv"
	"github.com/schedgen/schedgen/stakes/example"
)

func TestListIsGenerated(t *testing.T) {
	want, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(example.CSV(), want) {
		t.Error("stakes/example/example.csv is not what the generator makes; run go generate ./stakes/example")
	}
}

// The list has what makes it a useful example.
func TestListShape(t *testing.T) {
	entries, hasVotes, err := csv.Read(bytes.NewReader(example.CSV()), "example.csv")
	if err != nil || !hasVotes || len(entries) != voteAccounts {
		t.Fatalf("%d entries, votes %v, %v", len(entries), hasVotes, err)
	}
	stakes, err := schedule.NewStakes(entries, schedule.KeyedByVote)
	if err != nil {
		t.Fatal(err)
	}
	const sol = 1_000_000_000
	if total := stakes.Total() / sol; total < 390_000_000 || total > 410_000_000 {
		t.Errorf("total of %d SOL", total)
	}
	if top := stakes.Entry(0).Stake; top < stakes.Total()/50 || top > stakes.Total()/30 {
		t.Errorf("largest stake of %d SOL", top/sol)
	}
	if last := stakes.Entry(voteAccounts - 1).Stake; last > sol {
		t.Errorf("smallest stake of %d SOL", last/sol)
	}
	ties, identities := 0, map[schedule.Pubkey]int{}
	for rank, entry := range stakes.All() {
		identities[entry.Node]++
		if rank > 0 && stakes.Entry(rank-1).Stake == entry.Stake {
			ties++
		}
	}
	if ties != 8 {
		t.Errorf("%d ties, want 8", ties)
	}
	if doubles := voteAccounts - len(identities); doubles != 6 {
		t.Errorf("%d identities with two vote accounts, want 6", doubles)
	}
}
