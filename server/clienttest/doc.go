// Package clienttest has the service asked by the clients that people use:
// @solana/web3.js 1.x and @solana/kit, which run in Node.js, solana-go's, and plain
// HTTP with batches. Its tests put the same questions to each, of every method, and
// compare the answers with what package schedule derives from the same stakes.
//
// The scripts of the two that run in Node.js are in the folder js; scripts/clients.sh
// installs what they need and runs the tests. Without it these two are skipped.
package clienttest
