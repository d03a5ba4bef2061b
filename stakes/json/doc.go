// Package json reads stake lists from the JSON that people have, and writes them
// in a form of its own that loses nothing. [Read] tells these apart by content:
//
//   - our own form, below;
//   - a saved reply to getVoteAccounts, or its result alone: stakes of the moment,
//     near those of the next epoch (list.KindVoteAccounts);
//   - the message epoch.new of Firedancer's WebSocket API, or its value alone: the
//     stakes of an epoch as a node has them, by identity (list.KindEpochNew);
//   - rows, as `solana validators --output json` has them: an array of objects, or
//     an object with that array as its member entries, validators, stakes or data
//     (list.KindRows).
//
// In all of them a stake is a number or a string of decimal digits, of whole
// lamports, and never goes through a floating-point number.
//
// # getVoteAccounts
//
// The reply does not say when it was given. The largest epoch in epochCredits is
// that of the node's bank, C: votes that land in an epoch's first block earn
// credits of that epoch. The stakes are those of the moment in C, and so lead C+1
// about: the network records them in the first block of C, before rewards of C
// change them. epochVoteAccount tells who may lead in C, and is not looked at.
// Delinquent vote accounts are drawn as the others are.
//
// # epoch.new
//
// The message names identities alone. Where a schedule is keyed by vote account,
// the order of equal stakes is that of the vote accounts, which cannot be had from
// the list: it is exact only if it gives the schedule in leader_slots or, where the
// message has not all of that, if its order is that of stakes and identities; else
// it is approximate. An identity that stands there again, for another vote
// account, is an error. Slots that are those of a public cluster's epoch tell the epoch schedule.
//
// # Our own form
//
//	{
//	  "format": "schedgen-stakes",
//	  "version": 1,
//	  "keyedBy": "vote",
//	  "provenance": {"kind":"snapshot","source":"snapshot-434592000-….tar.zst","cluster":"mainnet-beta","epoch":1007,"slot":434592000,"vintage":"exact"},
//	  "stakes": [
//	    {"vote":"8qbHbw2B…","node":"4vJ9JU1b…","stake":"8986136427945553","balance":"27074400","bls":true}
//	  ]
//	}
//
// keyedBy is vote, or identity where the rows have no vote. provenance is a
// list.Provenance: which epoch the stakes lead, of which cluster, and how near
// they are to what the network used. balance and bls, of the vote account, are in
// every row or in none. Amounts are strings in every row, because stakes are over
// 2^53 lamports, from where on readers in JavaScript round numbers; numbers are
// read, too. Members may be in any order but for format, which comes before
// stakes, as it does in alphabetical order; those with other names are left out.
package json
