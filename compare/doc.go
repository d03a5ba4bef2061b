// Package compare says where two leader schedules or two stake lists differ, and
// which mistake would make the one schedule out of the other.
//
// [Schedules] goes slot by slot through a schedule and what somebody else says
// it is. [Stakes] goes entry by entry through two lists. [Explain] takes the
// list that a schedule was derived from and another schedule, and tries the
// mistakes that people make: another keying, another epoch's stakes, a
// validator left out, another order of ties, another way to reject random
// words, slots counted from elsewhere. A mistake that gives the other schedule
// exactly is named; otherwise the ones that come near are, with how near. An entry
// that the list lacks, or has with another stake, is found with its stake.
package compare
