package snapshottest

import (
	"encoding/binary"
	"math"

	"github.com/schedgen/schedgen/internal/splitmix"
	"github.com/schedgen/schedgen/schedule"
)

// Bytes of a delegation, without and with the credits that its stake has seen.
const (
	delegationSize = 96
	stakeSize      = 104
)

// bankForm writes stakes as a bank has its own.
func (s *Stakes) bankForm(e *encoder, field string, size int) {
	e.length(len(s.Votes), field+".vote_accounts")
	for i := range s.Votes {
		v := &s.Votes[i]
		e.key(v.Key)
		e.u64(v.Stake)
		e.u64(v.Lamports)
		e.length(len(v.Data), field+".vote_accounts.data")
		e.write(v.Data)
		e.key(v.Owner)
		e.bool(false, field+".vote_accounts.executable")
		e.u64(math.MaxUint64)
	}
	s.delegations(e, field+".delegations", size)
	e.u64(0)
	e.u64(s.RecordedIn)
	e.length(s.History, field+".history")
	for i := range s.History {
		for _, v := range []uint64{uint64(i), 1 << 58, uint64(i) * 1e12, uint64(i) * 3e11} {
			e.u64(v)
		}
	}
}

// epochForm writes stakes as they are recorded for an epoch.
func (s *Stakes) epochForm(e *encoder, field string, size int) {
	s.bankForm(e, field, size)
	e.u64(s.total())
	nodes := s.nodes()
	e.length(len(nodes), field+".nodes")
	for _, n := range nodes {
		e.key(n.ID)
		e.length(len(n.Votes), field+".nodes.votes")
		for _, k := range n.Votes {
			e.key(k)
		}
		e.u64(n.Total)
	}
	e.length(len(s.Votes), field+".authorized_voters")
	for i := range s.Votes {
		e.key(s.Votes[i].Key)
		e.filler(32)
	}
}

// delegations writes delegations as a large cluster has them: a key of its own
// and one of a thousand vote accounts, stakes of all magnitudes, active, at one
// rate. What compresses in real ones does in these.
func (s *Stakes) delegations(e *encoder, field string, size int) {
	e.length(s.Delegations, field)
	voters := make([]schedule.Pubkey, 1000)
	source := splitmix.Source(1)
	for i := range voters {
		voters[i] = source.Key()
	}
	b := make([]byte, size)
	for range s.Delegations {
		key, r := e.fill.Key(), e.fill.Next()
		copy(b, key[:])
		skewed := (r & 0xffff) * (r >> 16 & 0xffff) * uint64(len(voters)) >> 32
		copy(b[32:], voters[skewed][:])
		binary.LittleEndian.PutUint64(b[64:], e.fill.Next()>>(20+r>>32%24))
		binary.LittleEndian.PutUint64(b[72:], r>>40%900)
		binary.LittleEndian.PutUint64(b[80:], math.MaxUint64)
		binary.LittleEndian.PutUint64(b[88:], math.Float64bits(0.25))
		if size == stakeSize {
			binary.LittleEndian.PutUint64(b[96:], r>>36)
		}
		e.write(b)
	}
}
