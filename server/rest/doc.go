// Package rest answers people and scripts under /v1: which epochs are held, their
// schedules in every format and in part, who leads a slot, when a key leads next
// and when it does not, which slot it is; and it takes stake lists.
//
// A [Handler] asks an epochs.Registry and a slotfeed.Feed. Whole schedules go out as
// the registry keeps them, compressed; what is limited to some slots or leaders is
// printed while it is sent. Every answer that another request may get again has a
// strong entity tag. Errors are problem details (RFC 9457) of the types that
// [ProblemTypes] lists. GET /v1/openapi.json describes all of it.
package rest
