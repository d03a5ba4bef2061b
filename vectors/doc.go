// Package vectors holds fixed test vectors, embedded, and the checker that holds
// this module to them.
//
// The vectors come from an independent program in Rust, vectors/oracle, which
// uses the very crates whose behaviour the network is defined by (rand 0.8.5 and
// rand_chacha 0.3.1), from figures that Agave's tests state, and from schedules
// that really happened. README.md in this folder describes every file.
//
// A build of this module on a new machine is right when Check fails nothing.
package vectors
