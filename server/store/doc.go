// Package store keeps stake lists with where they come from, one an epoch, in one
// file that a crash at any moment leaves whole.
//
// A list is in the file, and on the disk, when [Store.Put] has returned; before
// that the list that was there is. Every list is checked against a hash when it is
// read, so that a damaged one is an error of its epoch and the others are served.
// All lists are of one [Cluster].
//
// The file is a bbolt database with the buckets schedgen (the version of its form,
// the cluster) and lists (by epoch, 8 bytes, big-endian). A list takes some 80
// bytes a vote account.
package store
