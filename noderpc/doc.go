// Package noderpc asks a validator over JSON-RPC what schedules depend on and
// what it makes of them: epochs, stakes of vote accounts, leader schedules, slot
// times.
//
// A [Client] stands on solana-go's rpc.Client, whose transport it replaces: it
// repeats what may succeed later, reads no more than a limit, holds replies
// against their requests, and never tells the credentials in an address. What a
// method returns is complete and consistent in itself; what is not is an
// [ErrReply].
package noderpc
