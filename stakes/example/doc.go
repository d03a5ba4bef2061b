// Package example holds a stake list shaped like that of mainnet-beta: some
// 1,400 vote accounts with 400 million SOL between them, few of them large and a
// long tail of small ones, some stakes equal, some identities with two vote
// accounts.
//
// Nobody has these keys and stakes: the program in gen makes them from a fixed
// seed, so that commands and tests have a list to work on.
package example
