// Epochs from the worker. The last few are kept, so that going back is immediate.

import { base, ServiceError } from "./api.js";
import { Epoch } from "./epoch.js";

const kept = 4;

export class Loader {
  #worker = null;
  #waiting = new Map();
  #cache = new Map(); // by epoch and digest, least recently used first
  #id = 0;

  /**
   * Returns the epoch. The digest tells a corrected schedule of the same epoch
   * from the one that is kept.
   */
  async load(epoch, digest) {
    const key = `${epoch} ${digest ?? ""}`;
    let found = this.#cache.get(key);
    if (found) this.#cache.delete(key);
    else found = new Epoch(await this.#ask(epoch));
    this.#cache.set(key, found);
    if (this.#cache.size > kept) this.#cache.delete(this.#cache.keys().next().value);
    return found;
  }

  #ask(epoch) {
    this.#worker ??= this.#start();
    const id = ++this.#id;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, base, epoch });
    });
  }

  #start() {
    const worker = new Worker(new URL("../worker/epoch.js", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data: { id, tables, error } }) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error) waiting?.reject(new ServiceError(error.status, error.message));
      else waiting?.resolve(tables);
    });
    worker.addEventListener("error", () => {
      for (const { reject } of this.#waiting.values()) {
        reject(new ServiceError(0, "The part of the page that reads schedules could not be loaded; reload the page."));
      }
      this.#waiting.clear();
      this.#worker = null;
    });
    return worker;
  }
}
