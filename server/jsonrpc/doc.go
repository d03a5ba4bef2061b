// Package jsonrpc answers a validator's JSON-RPC 2.0 methods about epochs, leaders
// and slots, as clients of Solana ask them: over HTTP, and slotSubscribe over a
// WebSocket.
//
// The wire format is that of Agave 4.4: names of members sorted, the codes and texts
// of errors, null for an epoch that is not held and {} for an identity without
// slots. Where clients cannot see a difference on purpose, JSON-RPC 2.0 goes before
// what Agave does: an empty batch, an element of a batch that is no object, and a
// body that is neither object nor array are invalid requests, numbers of any form
// are ids, and members of a request that have no meaning are left out of account.
// The data of "No parameters were expected" is left out.
//
// Whole leader schedules go out as they are kept, compressed once for all requests
// (package splice); see [Handler] and [Options].
package jsonrpc
