// Loads the epoch that is wanted, and keeps it up to date.

import { Loader } from "../data/load.js";
import { wantedSummary } from "./status.js";

/** Keeps store.state.summary, epoch, and loadError. */
export function startEpoch(store) {
  const loader = new Loader();
  let asked = 0;
  let lastWanted = null;

  async function load() {
    const { epochs, wanted } = store.state;
    if (!epochs) return;
    const summary = wantedSummary(store.state) ?? (wanted === "current" ? (epochs[epochs.length - 1] ?? null) : null);
    const turn = ++asked;
    if (!summary) {
      store.set({ summary: null, epoch: null, loadError: missing(wanted, epochs) });
      return;
    }
    const other = store.state.summary?.epoch !== summary.epoch;
    store.set({ summary, loadError: null, ...(other ? { epoch: null } : {}) });
    // A new epoch has begun while the reader looked at the current one.
    if (other && wanted === lastWanted) store.set({ view: null });
    lastWanted = wanted;
    try {
      const epoch = await loader.load(summary.epoch, summary.digest);
      if (turn === asked) store.set({ epoch });
    } catch (error) {
      if (turn === asked) store.set({ epoch: null, loadError: error.message });
    }
  }

  // Without a clock no epoch is the current one; the latest is shown then.
  store.watch(["heldKey", "wanted"], load);
}

function missing(wanted, epochs) {
  if (epochs.length === 0) return "The service holds no epoch yet.";
  if (wanted === "next") return "The next epoch is not known yet: its stakes are fixed when this epoch begins.";
  const which = typeof wanted === "number" ? `Epoch ${wanted}` : `The ${wanted} epoch`;
  return `${which} is not held by this service.`;
}
