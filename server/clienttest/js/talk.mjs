// How the Go tests and a script talk: one JSON object comes on standard input,
// one JSON value goes out on standard output.
//
//   {"http", "asks": [{"method", "params"}]}  ->  [{"value"} or {"error"}, and "own"]
//   {"http", "ws", "slots": n}                ->  [{"slot", "parent", "root", "leader"}]
//
// "own" says that the client has a method of its own for what was asked. Integers
// of type bigint go out as text that ends in n.

import { text } from 'node:stream/consumers';

// talk answers with a client, a function that returns, for {http, ws}:
//   ask(method, params)  what the client returns, as {value, own}
//   failure(error)       what it throws, as {code, message, data}
//   slots(n)             n notifications of slots, and then none
//   leader(slot)         who leads a slot
export async function talk(client) {
  const { asks, slots, ...addresses } = JSON.parse(await text(process.stdin));
  const { ask, failure, ...c } = client(addresses);
  let answers = [];
  if (asks) {
    for (const { method, params } of asks) {
      try {
        answers.push(await ask(method, params));
      } catch (error) {
        answers.push({ error: failure(error) });
      }
    }
  } else {
    for (const slot of await c.slots(slots)) {
      answers.push({ ...slot, leader: await c.leader(slot.slot) });
    }
  }
  const out = JSON.stringify(answers, (_, v) => (typeof v === 'bigint' ? `${v}n` : v));
  process.stdout.write(out, () => process.exit(0)); // clients leave timers and sockets behind
}
