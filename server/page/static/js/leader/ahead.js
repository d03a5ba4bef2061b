// What the service knows of the leader shown: coming windows and quiet ones. Asked
// again when a window is over, and now and then.

import { ask } from "../data/api.js";
import { parseTime } from "../base/time.js";

/** How many windows are asked for. */
const windows = 30;
/** How often to ask again, as times become more certain. */
const againMillis = 60_000;

export const quietTimes = ["1m", "2m", "5m", "10m", "15m", "30m", "1h", "2h", "4h"];
export const quietDefault = "10m";

/** Keeps store.state.ahead and store.state.quiet. */
export class Ahead {
  #store;
  #abort = new AbortController();
  #timer = 0;
  #asking = false;

  constructor(store) {
    this.#store = store;
    store.watch(["shown", "hasClock"], () => this.#refresh(true));
    store.watch(["quietTime"], () => this.#refresh(false));
    store.watch(["heldKey"], () => this.#refresh(false));
  }

  /** Once a second: asks anew when the first window is over. */
  tick() {
    const { ahead, clock } = this.#store.state;
    const first = ahead?.windows?.[0];
    if (!first || !clock || this.#asking) return;
    if (clock.now() > first.lastTime + clock.slotMillis) this.#refresh(false);
  }

  async #refresh(anew) {
    const { shown, quietTime } = this.#store.state;
    this.#abort.abort();
    clearTimeout(this.#timer);
    if (!shown) {
      this.#store.set({ ahead: null, quiet: null });
      return;
    }
    const abort = (this.#abort = new AbortController());
    if (anew) this.#store.set({ ahead: { key: shown, loading: true }, quiet: { key: shown, loading: true } });
    const options = { signal: abort.signal };
    this.#asking = true;
    const [next, quiet] = await Promise.all([
      this.#ask(`leaders/${shown}/next?n=${windows}`, options),
      this.#ask(`leaders/${shown}/windows?min=${quietTime ?? quietDefault}`, options),
    ]);
    if (abort.signal.aborted) return;
    this.#asking = false;
    const { clock } = this.#store.state;
    this.#store.set({
      ahead: { key: shown, ...readAhead(next, clock) },
      quiet: { key: shown, ...readQuiet(quiet, clock) },
    });
    this.#timer = setTimeout(() => this.#refresh(false), againMillis);
  }

  async #ask(path, options) {
    try {
      return (await ask(path, options)).body;
    } catch (error) {
      return { error: error.message };
    }
  }
}

function readAhead(body, clock) {
  if (body.error) return body;
  return { status: body.status, windows: (body.windows ?? []).map((span) => readSpan(span, clock)), unknownFrom: body.unknownFrom ?? null };
}

function readQuiet(body, clock) {
  if (body.error) return body;
  return {
    minSlots: body.minSlots, windows: (body.quiet ?? []).map((span) => readSpan(span, clock)),
    next: readSpan(body.next, clock), longest: readSpan(body.longest, clock),
    anyTime: Boolean(body.anyTime), reason: body.reason ?? "",
  };
}

/** A range of slots; times are milliseconds, NaN where they are not known. */
function readSpan(span, clock) {
  if (!span) return null;
  const firstTime = parseTime(span.firstTime);
  return {
    first: span.first, last: span.last, epoch: span.epoch, firstTime,
    lastTime: firstTime + (span.last - span.first) * (clock?.slotMillis ?? NaN), // when the last slot begins
    errorMillis: span.errorMillis ?? NaN, atLeast: Boolean(span.atLeast),
  };
}
