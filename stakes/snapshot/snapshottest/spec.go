package snapshottest

import (
	"github.com/schedgen/schedgen/schedule"
)

// A Spec says what a manifest holds. Counts are of elements whose content nobody
// reads, made up from Seed.
type Spec struct {
	Slot, Epoch         uint64 // of the bank
	GenesisCreationTime int64  // seconds of the Unix epoch
	EpochSchedule       schedule.EpochSchedule
	Seed                uint64

	Blockhashes, Ancestors, HardForks int
	Bank                              Stakes // the bank's own stakes, of which only Votes, Delegations and History count
	UnusedAccounts                    int    // in each of the three lists that no release fills
	Storages, Roots                   int    // of the accounts database

	Old []Stakes // epoch stakes in the bank, as releases before 2.2 have them
	New []Stakes // epoch stakes after the accounts database

	AccountsHash schedule.Pubkey // of the accounts database
	// Extra is how many of the fields after the accounts database there are,
	// from 0 to AllExtra: releases add one now and then.
	Extra             int
	Incremental       *schedule.Pubkey // accounts hash of an incremental snapshot
	EpochAccountsHash *schedule.Pubkey
	Lattice           []byte // of 2,048 bytes, or none
	BlockID           *schedule.Pubkey
}

// The fields after the accounts database that Spec.Extra counts.
const (
	ExtraSignatureFee = iota + 1
	ExtraIncremental
	ExtraEpochAccountsHash // where the older layout ends
	ExtraEpochStakes       // Spec.New
	ExtraLattice
	AllExtra // with the block's id
)

// Stakes are the stakes that one epoch's schedule is made from.
type Stakes struct {
	Epoch       uint64 // whose schedule
	RecordedIn  uint64 // epoch in which they were recorded
	Tag         uint32 // of the enum in the newer layout: 0 is the only one
	Votes       []Vote
	Delegations int
	History     int
	Total       *uint64 // nil: the sum of Votes
	Nodes       []Node  // nil: those of Votes that have stake
}

// A Vote is a vote account with its stake.
type Vote struct {
	Key, Node       schedule.Pubkey
	Stake, Lamports uint64
	Data            []byte
	Owner           schedule.Pubkey
}

// A Node is an identity with its vote accounts, in the node map.
type Node struct {
	ID    schedule.Pubkey
	Votes []schedule.Pubkey
	Total uint64
}

// nodes returns the node map, in the order in which votes name identities.
func (s *Stakes) nodes() []Node {
	if s.Nodes != nil {
		return s.Nodes
	}
	var nodes []Node
	at := map[schedule.Pubkey]int{}
	for _, v := range s.Votes {
		if v.Stake == 0 {
			continue
		}
		i, ok := at[v.Node]
		if !ok {
			i = len(nodes)
			at[v.Node] = i
			nodes = append(nodes, Node{ID: v.Node})
		}
		nodes[i].Votes = append(nodes[i].Votes, v.Key)
		nodes[i].Total += v.Stake
	}
	return nodes
}

func (s *Stakes) total() uint64 {
	if s.Total != nil {
		return *s.Total
	}
	var sum uint64
	for _, v := range s.Votes {
		sum += v.Stake
	}
	return sum
}
