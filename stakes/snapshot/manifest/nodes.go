package manifest

import (
	"fmt"

	"github.com/schedgen/schedgen/schedule"
)

// nodes reads the map from identities to their vote accounts, which follows from
// the vote accounts, and notes where it does not.
func (p *parser) nodes(s *EpochStakes, seen map[schedule.Pubkey]staked) {
	r := p.r
	n := r.Len(minNode, "nodes")
	unlisted := len(s.Entries)
	for i := uint64(0); i < n && r.Err() == nil; i++ {
		r.EnterAt("nodes", i)
		unlisted -= p.node(s, seen)
		r.Leave()
	}
	if unlisted > 0 && r.Err() == nil {
		s.Nodes.add(func() string { return fmt.Sprintf("%d vote accounts with stake are of no identity", unlisted) })
	}
}

// node reads an identity with its vote accounts and returns how many of those
// have stake.
func (p *parser) node(s *EpochStakes, seen map[schedule.Pubkey]staked) (listed int) {
	r := p.r
	id := schedule.Pubkey(r.Bytes32("id"))
	var sum uint64
	n := r.Len(32, "vote_accounts")
	for i := uint64(0); i < n && r.Err() == nil; i++ {
		r.EnterAt("vote_accounts", i)
		key := schedule.Pubkey(r.Bytes32("key"))
		r.Leave()
		vote, ok := seen[key]
		if !ok {
			s.Nodes.add(func() string { return fmt.Sprintf("vote account %s of identity %s has no stake", key, id) })
			continue
		}
		sum += vote.stake // over 2^64-1 is noted once, for all identities
		if vote.at == leftOut {
			continue // which is noted, and has no identity
		}
		listed++
		if e := &s.Entries[vote.at]; e.Node != id {
			s.Nodes.add(func() string { return fmt.Sprintf("vote account %s is of identity %s and of %s", key, e.Node, id) })
		}
	}
	if total := r.U64("total_stake"); r.Err() == nil && total != sum {
		s.Nodes.add(func() string { return fmt.Sprintf("identity %s has %d lamports and %d", id, sum, total) })
	}
	return listed
}
