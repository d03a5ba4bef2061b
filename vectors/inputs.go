package vectors

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/big"
	"slices"

	"github.com/schedgen/schedgen/internal/splitmix"
	"github.com/schedgen/schedgen/schedule"
)

// generator says how a stake list follows from a SplitMix64 seed: an entry takes
// four outputs for its key and one for its stake.
type generator struct {
	Seed word `json:"seed"`
	N    int  `json:"n"`
	// Rule makes the stakes; or Stakes lists them, and the fifth outputs go unused.
	Rule   string `json:"rule"`
	Stakes []word `json:"stakes"`
	// Copies are appended: the key of an earlier entry with a stake of its own.
	Copies []struct {
		Of    int  `json:"of"`
		Stake word `json:"stake"`
	} `json:"copies"`
	// Nodes, when not 0: entry i is led by the key of entry i modulo Nodes.
	Nodes int `json:"nodes"`
	// KeyedByIdentity sums the stakes of each node.
	KeyedByIdentity bool `json:"keyed_by_identity"`
}

// entries makes the list. With Nodes, keys are vote accounts.
func (g generator) entries() ([]schedule.Entry, error) {
	var rule func(int, uint64) uint64
	if g.Rule != "" {
		var err error
		if rule, err = stakeRule(g.Rule); err != nil {
			return nil, err
		}
	} else if len(g.Stakes) != g.N {
		return nil, fmt.Errorf("%d stakes are listed, want %d", len(g.Stakes), g.N)
	}
	mix := splitmix.Source(g.Seed)
	list := make([]schedule.Entry, g.N)
	for i := range list {
		list[i].Key = mix.Key()
		if r := mix.Next(); rule != nil {
			list[i].Stake = rule(i, r)
		} else {
			list[i].Stake = uint64(g.Stakes[i])
		}
	}
	for _, c := range g.Copies {
		if c.Of < 0 || c.Of >= len(list) {
			return nil, fmt.Errorf("a copy of entry %d, of %d entries", c.Of, len(list))
		}
		list = append(list, schedule.Entry{Key: list[c.Of].Key, Stake: uint64(c.Stake)})
	}
	if g.Nodes > 0 {
		for i := range list {
			list[i].Node = list[i%g.Nodes].Key
		}
	}
	return list, nil
}

// leader returns who leads for an entry.
func leader(e schedule.Entry) schedule.Pubkey {
	if e.Node.IsZero() {
		return e.Key
	}
	return e.Node
}

// sumByNode is a plain sum of stakes by leader, in order of first appearance.
func sumByNode(list []schedule.Entry) []schedule.Entry {
	var sums []schedule.Entry
	at := make(map[schedule.Pubkey]int)
	for _, e := range list {
		node := leader(e)
		i, known := at[node]
		if !known {
			i = len(sums)
			at[node] = i
			sums = append(sums, schedule.Entry{Key: node})
		}
		sums[i].Stake += e.Stake
	}
	return sums
}

// sortedIndices returns positions in list by stake and then key, descending,
// exact repeats once.
func sortedIndices(list []schedule.Entry) []int {
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(list[b].Stake, list[a].Stake), list[b].Key.Compare(list[a].Key))
	})
	return slices.CompactFunc(order, func(a, b int) bool { return list[a] == list[b] })
}

// stakesAt returns the stakes of list at the given positions.
func stakesAt(list []schedule.Entry, at []int) []uint64 {
	stakes := make([]uint64, len(at))
	for rank, i := range at {
		stakes[rank] = list[i].Stake
	}
	return stakes
}

// inputHash is the SHA-256 over every key and stake.
func inputHash(list []schedule.Entry) bytes32 {
	h := sha256.New()
	for _, e := range list {
		h.Write(e.Key[:])
		h.Write(binary.LittleEndian.AppendUint64(nil, e.Stake))
	}
	return bytes32(h.Sum(nil))
}

// totalOf sums without overflow.
func totalOf(list []schedule.Entry) string {
	total := new(big.Int)
	for _, e := range list {
		total.Add(total, new(big.Int).SetUint64(e.Stake))
	}
	return total.String()
}
