// Package manifest reads the manifest of a snapshot: what a bank is beside its
// accounts, among it the stakes that the schedules of several epochs are made
// from. It is written in bincode, without a mark or a version of its own.
//
// A manifest is up to a gigabyte long, nearly all of it delegations, which are
// passed over; memory grows with the vote accounts alone. Older releases have
// the epoch stakes in the bank, newer ones behind the accounts database, and some
// both.
package manifest
