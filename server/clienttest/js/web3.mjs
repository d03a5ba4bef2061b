// @solana/web3.js 1.x, as an application uses it. What its Connection has no
// method for goes through its JSON-RPC client.

import { Connection, SolanaJSONRPCError } from '@solana/web3.js';
import { talk } from './talk.mjs';

const commitmentAlone = (c) => c === undefined || Object.keys(c).join() === 'commitment';

// own returns how a Connection asks, if it can.
function own(c, method, params) {
  const [first, second] = params;
  switch (method) {
    case 'getEpochInfo':
    case 'getSlot':
    case 'getSlotLeader':
      return () => c[method](first);
    case 'getSlotLeaders':
      return () => c.getSlotLeaders(first, second);
    case 'getVoteAccounts':
      return commitmentAlone(first) && (() => c.getVoteAccounts(first?.commitment));
    case 'getEpochSchedule':
    case 'getGenesisHash':
    case 'getLeaderSchedule':
    case 'getVersion':
      return params.length === 0 && (() => c[method]());
  }
}

// It finds the WebSocket itself, a port above that of HTTP.
talk(({ http }) => {
  const c = new Connection(http);
  return {
    async ask(method, params) {
      const call = own(c, method, params);
      if (call) {
        return { value: await call(), own: true };
      }
      const { result, error } = await c._rpcRequest(method, params);
      if (error) {
        throw new SolanaJSONRPCError(error);
      }
      return { value: result, own: false };
    },

    failure: ({ code, message, data }) => ({ code, message, data }),

    async slots(n) {
      const slots = [];
      let done;
      const enough = new Promise((resolve) => (done = resolve));
      const id = c.onSlotChange((slot) => slots.push(slot) === n && done());
      await enough;
      // It keeps a refused slotUnsubscribe to itself, so listen to what it calls.
      const socket = c._rpcWebSocket;
      const call = socket.call.bind(socket);
      let result;
      socket.call = (method, params) => (result = call(method, params));
      await c.removeSlotChangeListener(id);
      if ((await result) !== true) {
        throw new Error(`slotUnsubscribe: ${await result}`);
      }
      return slots.slice(0, n);
    },

    leader: async (slot) => (await c.getSlotLeaders(slot, 1))[0],
  };
});
