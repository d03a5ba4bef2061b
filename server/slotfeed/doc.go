// Package slotfeed says which slot it is, and how sure that is.
//
// A [Feed] tells the slots of the three commitments, when slots begin, where that
// comes from and whether it is out of date. An [Anchor] computes all of it from a
// clock; a [Node] follows a validator, over its WebSocket or by asking again and
// again, through stalls, rollbacks and answers that cannot be true.
package slotfeed
