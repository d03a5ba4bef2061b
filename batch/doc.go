// Package batch derives the leader schedules of many epochs: to simulate, to
// audit, to fill an archive.
//
// Jobs come from an iterator and results go to one, in the same order. What is
// in memory at a time is a window of them, however many epochs there are, and
// the memory of a result is used again after its turn in the loop.
//
// A [Pool] works on the cores of the machine. [Deriver] is what it has in common
// with other ways to do it. Package rankfile, below this one, keeps the ranks of
// very many epochs in one file.
package batch
