// Package rpctest has a validator for tests: an HTTP server on the loopback
// interface that answers JSON-RPC as a node of a made-up cluster does, and that
// misbehaves on demand.
package rpctest
