// Follows the service: which slot it is, which epochs it holds, how it is.

import { ask } from "../data/api.js";
import { SlotClock } from "../data/clock.js";

const everyMillis = 5_000;
/** How often epochs are asked for although nothing seems to have changed. */
const epochsMillis = 60_000;

/**
 * Keeps store.state.status, clock, hasClock, epochs, heldKey, unreachable (since
 * when, or null) and statusError.
 */
export class Status {
  #store;
  #timer = 0;
  #asked = 0; // when epochs were asked for
  #epoch = null; // the present one then

  constructor(store) {
    this.#store = store;
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) this.poll();
    });
  }

  async poll() {
    clearTimeout(this.#timer);
    await this.#ask();
    if (!document.hidden) this.#timer = setTimeout(() => this.poll(), everyMillis);
  }

  async #ask() {
    try {
      const { body, late } = await ask("status", { timeout: 8000 });
      const clock = SlotClock.from(body.clock, late);
      this.#store.set({ status: body, clock, hasClock: Boolean(clock), unreachable: null, statusError: null });
      const held = (body.held ?? []).join(",");
      const epoch = body.clock?.epoch ?? null;
      if (held !== this.#held || epoch !== this.#epoch || Date.now() - this.#asked > epochsMillis) await this.#askEpochs(held, epoch);
    } catch (error) {
      const { unreachable } = this.#store.state;
      this.#store.set({ unreachable: unreachable ?? Date.now(), statusError: error.message });
    }
  }

  #held = null;

  async #askEpochs(held, epoch) {
    const { body } = await ask("epochs");
    this.#held = held;
    this.#epoch = epoch;
    this.#asked = Date.now();
    const epochs = (body.epochs ?? []).map((one) => ({ ...one, relation: relationTo(epoch, one) }));
    this.#store.set({ epochs, heldKey: epochs.map((one) => `${one.epoch} ${one.digest ?? ""} ${one.relation ?? ""}`).join() });
  }
}

const relations = { "-1": "previous", 0: "current", 1: "next" };

/** What an epoch is to the present one; what the service says where none is known. */
function relationTo(epoch, one) {
  return epoch === null ? (one.relation ?? null) : (relations[one.epoch - epoch] ?? null);
}

/** The summary of the epoch wanted: a relation or a number; null when not held. */
export function wantedSummary({ epochs, wanted }) {
  if (!epochs) return null;
  return epochs.find((one) => (typeof wanted === "number" ? one.epoch === wanted : one.relation === wanted)) ?? null;
}
