package schedule

import (
	"errors"
	"fmt"
)

// ErrKeyingUnknown says that it is not known whether a cluster's schedule of an
// epoch is keyed by vote account or by identity.
var ErrKeyingUnknown = errors.New("unknown whether the schedule is keyed by vote account or by identity")

// The first epochs whose schedules are keyed by vote account, after the feature
// enable_vote_address_leader_schedule (SIMD-0180) was activated in the epoch
// before.
const (
	mainnetFirstVoteKeyed = 842
	testnetFirstVoteKeyed = 830
)

// KeyingFor returns what keys the schedule of an epoch on mainnet-beta or
// testnet: the vote account from epochs 842 and 830 on, the identity before
// (SIMD-0180). For any other cluster the error is an [ErrKeyingUnknown].
func KeyingFor(cluster string, epoch uint64) (Keying, error) {
	var first uint64
	switch cluster {
	case "mainnet-beta":
		first = mainnetFirstVoteKeyed
	case "testnet":
		first = testnetFirstVoteKeyed
	default:
		return 0, fmt.Errorf("cluster %q: %w", cluster, ErrKeyingUnknown)
	}
	if epoch >= first {
		return KeyedByVote, nil
	}
	return KeyedByIdentity, nil
}
