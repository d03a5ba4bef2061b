package manifest

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/list"
	"github.com/schedgen/schedgen/stakes/voteaccount"
)

// Bytes of elements; of those of no fixed size, at least.
const (
	minVote    = 32 + 8 + 8 + 8 + 32 + 1 + 8
	minNode    = 32 + 8 + 8
	delegation = 32 + 32 + 4*8
	stake      = delegation + 8 // with the credits observed
	minEpoch   = 8 + minStakes
	minStakes  = 8 + 8 + 8 + 8 + 8 + 8 + 8 + 8
)

// epochs reads a map from epochs to their stakes. In the versioned form a tag
// comes before the stakes, and delegations have the credits observed.
func (p *parser) epochs(field string, versioned bool) []EpochStakes {
	r := p.r
	n := r.Len(minEpoch, field)
	if n > MaxEpochs {
		r.Refuse(field, fmt.Errorf("%w: stakes of %d epochs, at most %d", ErrLimit, n, MaxEpochs))
	}
	var all []EpochStakes
	for i := uint64(0); i < n && r.Err() == nil; i++ {
		r.EnterAt(field, i)
		epoch := r.U64("epoch")
		for j := range all {
			if all[j].Epoch == epoch {
				r.Refuse("epoch", fmt.Errorf("%w: epoch %d", ErrDuplicate, epoch))
			}
		}
		size := uint64(delegation)
		if versioned {
			size = stake
			if tag := r.U32("version"); tag != 0 {
				r.Refuse("version", fmt.Errorf("%w: epoch stakes of version %d, want 0", ErrLayout, tag))
			}
		}
		all = append(all, p.epochStakes(epoch, size))
		r.Leave()
	}
	return all
}

func (p *parser) epochStakes(epoch, delegationSize uint64) EpochStakes {
	s := EpochStakes{Epoch: epoch}
	seen := p.votes(&s)
	s.RecordedIn = p.afterVotes(delegationSize)
	s.Total = p.r.U64("total_stake")
	p.nodes(&s, seen)
	p.list(32+32, "authorized_voters")
	return s
}

// afterVotes passes over what comes after the vote accounts of stakes and returns
// the epoch that is among it.
func (p *parser) afterVotes(delegationSize uint64) (epoch uint64) {
	p.list(delegationSize, "delegations")
	p.r.Skip(8, "unused")
	epoch = p.r.U64("epoch")
	p.list(4*8, "stake_history")
	return epoch
}

// A staked is a vote account with stake: where it is in Entries, or leftOut.
type staked struct {
	at    uint32
	stake uint64
}

const leftOut = math.MaxUint32

// votes reads the vote accounts into s and returns those with stake.
func (p *parser) votes(s *EpochStakes) (seen map[schedule.Pubkey]staked) {
	r := p.r
	seen = map[schedule.Pubkey]staked{}
	n := r.Len(minVote, "vote_accounts")
	for i := uint64(0); i < n && r.Err() == nil; i++ {
		r.EnterAt("vote_accounts", i)
		p.vote(s, seen)
		r.Leave()
	}
	return seen
}

// vote reads a vote account. What has no stake is nobody's leader and is not
// looked at; what the network does not take for a vote account is left out.
func (p *parser) vote(s *EpochStakes, seen map[schedule.Pubkey]staked) {
	r := p.r
	e := schedule.Entry{Key: r.Bytes32("key")}
	_, twice := seen[e.Key]
	e.Stake = r.U64("stake")
	account := list.Account{Lamports: r.U64("lamports")}
	size := p.dataLen()
	head := p.head[:min(size, uint64(len(p.head)))]
	r.Bytes(head, "data")
	r.Skip(size-uint64(len(head)), "data")
	owner := schedule.Pubkey(r.Bytes32("owner"))
	r.Bool("executable")
	r.Skip(8, "rent_epoch")
	if r.Err() != nil || e.Stake == 0 {
		return
	}
	if twice {
		r.Refuse("key", fmt.Errorf("%w: vote account %s", ErrDuplicate, e.Key))
		return
	}
	sum, carry := bits.Add64(s.Sum, e.Stake, 0)
	s.Sum, s.Overflow = sum, s.Overflow || carry != 0
	seen[e.Key] = staked{leftOut, e.Stake}
	if p.accounts++; p.accounts > MaxAccounts {
		r.Refuse("", fmt.Errorf("%w: over %d vote accounts with stake", ErrLimit, MaxAccounts))
		return
	}
	if !voteaccount.IsOwner(owner) {
		s.Foreign.add(e.Key, e.Stake, nil)
		return
	}
	state, err := voteaccount.ParseHead(head, size)
	if err != nil {
		s.Malformed.add(e.Key, e.Stake, err)
		return
	}
	e.Node, account.BLS = state.Node, state.HasBLS
	seen[e.Key] = staked{uint32(len(s.Entries)), e.Stake}
	s.Entries = append(s.Entries, e)
	s.Accounts = append(s.Accounts, account)
}

func (p *parser) dataLen() uint64 {
	n := p.r.Len(1, "data")
	if n > MaxData {
		p.r.Refuse("data", fmt.Errorf("%w: %d bytes of an account's data, at most %d", ErrLimit, n, MaxData))
		return 0
	}
	return n
}
