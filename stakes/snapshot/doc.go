// Package snapshot reads the stakes that a cluster's schedules are made from out
// of a snapshot, as validators keep and serve them: an archive, the folder it was
// unpacked to, or its manifest alone.
//
// A snapshot taken anywhere in epoch E has the epoch stakes of E+1, of E, and of
// some before: exactly those that the network draws with. An archive is read only
// as far as its manifest, which lies at its beginning, and nothing is unpacked to
// the disk.
//
// # The hash in the name
//
// An archive's name ends in a hash of all accounts, and the manifest says what it
// should be: in older releases as it is, in newer ones as the lattice hash, whose
// BLAKE3 it is. The two are compared. Neither covers the epoch stakes: that they
// agree tells a file with a wrong name, not one that was tampered with.
package snapshot
