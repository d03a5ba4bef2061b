// Package stakes finds stake lists and reads them.
//
// A stake list says how much stake each vote account, or each node identity, had
// in the epoch stakes that a schedule is made from. Open takes the path of a CSV
// file (see stakes/csv), - for standard input, or example for a list that is
// part of the program (see stakes/example).
package stakes
