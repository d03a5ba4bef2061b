// Package stakes finds stake lists and reads them.
//
// A stake list says how much stake each vote account, or each node identity, had
// in the epoch stakes that a schedule is made from. [Open] takes the address of a
// node, a path, - for standard input, or example for a list that is part of the
// program, and tells by content what a file is:
//
//	CSV                            stakes/csv
//	JSON of several forms          stakes/json
//	genesis.bin, genesis.tar.bz2   stakes/genesis
//	snapshot: archive, manifest,
//	or the folder of either        stakes/snapshot
//	the address of a node          stakes/rpc
//	example                        stakes/example
//
// What a source holds is a list.Set: a list for each epoch that it has stakes of,
// each with what is known of where it comes from.
package stakes
