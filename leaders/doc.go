// Package leaders answers what an operator asks of the schedules of several
// epochs: when do my keys lead next ([Book.Next]), when do they not lead for long
// enough to restart ([Book.Quiet]), and are they on the schedule at all
// ([Book.InSchedule]).
//
// A [Book] holds the schedules of some epochs of one cluster, derived by this
// module or observed elsewhere. For every slot and key it tells three things
// apart: the key leads, it does not, and that is not known, because the epoch is
// not held, or is held for other keys only, or has gaps. Unknown is never taken
// for none: answers stop at the first slot of which nothing is known, and say so.
package leaders
