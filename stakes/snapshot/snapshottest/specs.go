package snapshottest

import (
	"github.com/schedgen/schedgen/internal/splitmix"
	"github.com/schedgen/schedgen/schedule"
	"github.com/schedgen/schedgen/stakes/voteaccount"
)

// A Layout is where a manifest has its epoch stakes.
type Layout string

const (
	Old Layout = "old" // in the bank, with delegations
	New Layout = "new" // after the accounts database, without
)

// slotsPerEpoch is that of the public clusters.
const slotsPerEpoch = 432_000

// Small returns a manifest of 6 KB with stakes of three epochs and at least one of
// everything that a list can hold. Its vote accounts' data has no votes.
func Small(layout Layout) Spec {
	s := sized(layout, 901, 3, 3)
	s.Blockhashes, s.Ancestors, s.HardForks = 2, 2, 1
	s.UnusedAccounts, s.Storages, s.Roots = 1, 2, 1
	s.each(func(st *Stakes) {
		st.Delegations, st.History = 2, 2
		for i := range st.Votes {
			st.Votes[i].Data = st.Votes[i].Data[:voteaccount.HeadSize]
		}
	})
	return s
}

// Mainnet returns a manifest as large as mainnet-beta's: 1,000 vote accounts,
// 1.3 million delegations, stakes of six epochs. In the older layout each of
// them has the delegations again: 0.9 GB in all.
func Mainnet(layout Layout) Spec {
	const delegations = 1_300_000
	s := sized(layout, 900, 6, 1000)
	s.Blockhashes, s.Ancestors, s.HardForks = 301, 33, 12
	s.Storages, s.Roots = 432_000, 0
	s.each(func(st *Stakes) { st.History = 512 })
	s.Bank.Delegations = delegations
	for i := range s.Old {
		s.Old[i].Delegations = delegations
	}
	return s
}

// sized returns a manifest of mainnet-beta's at an epoch, with stakes of so many
// epochs up to the next one.
func sized(layout Layout, epoch uint64, epochs, votes int) Spec {
	s := Spec{
		Slot: epoch*slotsPerEpoch + 1000, Epoch: epoch,
		GenesisCreationTime: 1584368940,
		EpochSchedule: schedule.EpochSchedule{
			SlotsPerEpoch: slotsPerEpoch, LeaderScheduleSlotOffset: slotsPerEpoch,
		},
		Bank:  Stakes{RecordedIn: epoch, Votes: Votes(epoch+2, votes)},
		Extra: ExtraLattice,
	}
	lists := make([]Stakes, epochs)
	for i := range lists {
		e := epoch + 2 - uint64(epochs-i)
		lists[i] = Stakes{Epoch: e, RecordedIn: e - 1, Votes: Votes(e, votes)}
	}
	if layout == Old {
		s.Old, s.Extra = lists, ExtraEpochAccountsHash
		s.AccountsHash[0] = 1
		return s
	}
	s.New = lists
	s.Lattice = make([]byte, 2048)
	for i := range s.Lattice {
		s.Lattice[i] = byte(i * 7)
	}
	return s
}

// Votes returns n vote accounts as they are for an epoch's schedule. Their stakes
// fall off as those of a cluster do; the keys are the same in every epoch, every
// tenth has the identity of the one before it.
func Votes(epoch uint64, n int) []Vote {
	votes := make([]Vote, n)
	for i := range votes {
		number := splitmix.Source(1_000_003 + i - btoi(i%10 == 9))
		stake := 14_000_000_000_000_000/uint64(i+1) + epoch
		votes[i] = NewVote(uint64(i), VoteV1+uint32(i%3), number.Key(), stake)
	}
	return votes
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (s *Spec) each(f func(*Stakes)) {
	f(&s.Bank)
	for i := range s.Old {
		f(&s.Old[i])
	}
	for i := range s.New {
		f(&s.New[i])
	}
}
