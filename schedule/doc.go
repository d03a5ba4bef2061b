// Package schedule derives Solana leader schedules bit for bit as the network
// does, and answers questions about them: who leads a slot, which slots an
// identity leads, when it leads next.
//
// A stake list ([NewStakes]) and an epoch ([Params]) go in; [Derive] gives an
// immutable [Schedule]. A [Deriver] does both for one epoch after another in the
// same working memory. [EpochSchedule] turns slots into epochs and back, and a
// [Cache] holds the schedules of several epochs behind lock-free lookups.
//
// # How a schedule is made
//
// Entries without stake are left out and the others sorted by (stake, key),
// both descending. ChaCha20 seeded with the epoch number yields 64-bit words;
// each accepted word is a number below the total stake, and the first entry
// whose cumulative stake is greater than that number leads the next rotation
// of Repeat slots (4 on every public cluster). The key is a node identity in
// the older form and, since SIMD-0180, the address of a vote account.
//
// # Which stakes to use
//
// The schedule of epoch E follows from the stakes that are in force at the
// first block of epoch E-1, before that epoch's rewards are paid out, and from
// the identities that the vote accounts name at that moment. Stakes read later
// differ a little, and a single lamport more or less changes a schedule.
//
// # Slots and slot indices
//
// A [Slot] counts from the genesis of a cluster, an [Index] from the first slot
// of its epoch. They are different types so that one is not taken for the
// other.
package schedule
