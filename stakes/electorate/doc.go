// Package electorate makes the stakes of one epoch ready to derive from.
//
// A source holds lists of one or more epochs. [Elector.For] takes that of the
// epoch asked for, refuses one that leads another epoch or that is not exact
// where that is demanded, leaves out the vote accounts that SIMD-0357 does not
// admit, and keys the rest as the epoch's schedule is keyed (SIMD-0180). What it
// did, and what about the list a user should know, comes back as notes.
package electorate
