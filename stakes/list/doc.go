// Package list has the types that every source of stake lists gives: the stakes
// of one epoch ([List]), what one source holds ([Set]), and what is known of
// where a list comes from ([Provenance]).
//
// The schedule of epoch E follows from the stakes recorded at the first block of
// epoch E-1, and from no others. A list therefore says which epoch it leads, and
// whether it holds exactly the stakes that the network used or something near.
package list
