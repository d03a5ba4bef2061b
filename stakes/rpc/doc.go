// Package rpc reads a stake list from a validator, over JSON-RPC.
//
// A node tells the stakes of its finalized bank, which is in some epoch C, with
// getVoteAccounts. The network recorded those for the schedule of epoch C+1 at
// the first slot of C (earlier or later where a cluster's genesis has another
// offset). A list that was read at that very slot has the stakes of that epoch to
// the lamport; one that was read later lacks what has happened since: rewards,
// closed accounts, new identities.
//
// A list that is exact in this sense still names all vote accounts with stake:
// the admission of SIMD-0357 has not been applied.
package rpc
