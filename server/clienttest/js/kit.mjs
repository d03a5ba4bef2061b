// @solana/kit, as an application uses it.

import { createSolanaRpc, createSolanaRpcSubscriptions, isSolanaError } from '@solana/kit';
import { talk } from './talk.mjs';

// Node.js 18 has no CustomEvent.
globalThis.CustomEvent ??= class extends Event {
  constructor(type, init) {
    super(type, init);
    this.detail = init?.detail;
  }
};

// Slots are bigint in kit's types.
const arg = (v) => (Number.isInteger(v) ? BigInt(v) : v);
const config = (v) => (v?.constructor === Object ? Object.fromEntries(Object.entries(v).map(([k, v]) => [k, arg(v)])) : arg(v));

talk(({ http, ws }) => {
  const rpc = createSolanaRpc(http);
  return {
    async ask(method, params) {
      const args = method === 'getSlotLeaders' ? [arg(params[0]), params[1]] : params.map(config);
      return { value: await rpc[method](...args).send(), own: true };
    },

    failure(error) {
      if (!isSolanaError(error)) {
        return { message: String(error) };
      }
      const { __code: code, __serverMessage: said, ...data } = error.context;
      return { code, message: said ?? error.message, data };
    },

    async slots(n) {
      const stop = new AbortController();
      const subscriptions = createSolanaRpcSubscriptions(ws);
      const notifications = await subscriptions.slotNotifications().subscribe({ abortSignal: stop.signal });
      const slots = [];
      for await (const slot of notifications) {
        slots.push(slot);
        if (slots.length === n) {
          stop.abort(); // ends the loop, and the WebSocket when nobody else listens
        }
      }
      return slots;
    },

    leader: async (slot) => (await rpc.getSlotLeaders(slot, 1).send())[0],
  };
});
