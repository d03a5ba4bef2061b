// Package admission leaves out the vote accounts that may not lead (SIMD-0357).
//
// Where that rule holds, the network records the stakes of an epoch only of vote
// accounts that have stake, a BLS public key and a balance, and of the 2,000 with
// the most stake of those: if there are more, all whose stake is over that of the
// 2,001st, so that everybody who ties with it goes. [Applies] says in which
// epochs it holds, [Apply] does it to a list.
//
// Lists from a snapshot, a genesis or a node's epoch.new hold what is left after
// admission. It is the stakes of the moment, as getVoteAccounts tells them, that
// have vote accounts without BLS key or outside the 2,000.
package admission
