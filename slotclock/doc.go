// Package slotclock says when a slot begins, and how sure that is.
//
// A [Clock] is one slot whose time is known and the mean duration of a slot,
// with the errors of both. Slots have no fixed duration: the networks' means
// differ from the nominal 400 ms, and SIMD-0525 lowers the nominal duration in
// steps to 200 ms. A clock is therefore measured, from a node's performance
// samples ([Measure]) or from the times of two slots ([Between]), or says that
// its duration is assumed ([Assume]).
package slotclock
