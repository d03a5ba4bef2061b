// Package snapshottest makes snapshots for tests and benchmarks: manifests of any
// size in the older and the newer layout, with whatever in them is to be wrong,
// alone or in archives of every compression.
//
// What it writes follows from a [Spec] alone, byte for byte, and is streamed: a
// manifest as large as mainnet-beta's takes no more memory than its vote
// accounts. It says where its lengths and tags are, so that a test can put others
// in their place.
package snapshottest
