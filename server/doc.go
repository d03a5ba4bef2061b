// Package server is the service: it opens what a [Config] names, puts the rooms
// below it together, and answers over HTTP until it is told to end.
//
// It answers JSON-RPC at POST / with its WebSocket, the REST side at /v1, the page
// at /, and /health, /healthz, /readyz and /metrics for those who run it. Every
// request has an id, is measured, logged by its status, and bounded in size, time
// and number. [Server.Ready] tells whether answers can be relied on; where they
// could be wrong it says why not.
package server
