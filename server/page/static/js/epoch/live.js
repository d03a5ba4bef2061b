// The present slot, in the head of the page.

import { byId, el, fill, say } from "../base/dom.js";
import { count } from "../base/format.js";

export class Live {
  #store;
  #slot = el("strong");
  #said = el("span");

  constructor(store) {
    this.#store = store;
    fill(byId("live"), el("span", {}, "slot ", this.#slot), this.#said);
    store.watch(["clock", "status", "unreachable"], () => this.#show());
  }

  #show() {
    const { clock, status, unreachable } = this.#store.state;
    const live = byId("live");
    live.hidden = !clock;
    say(byId("cluster"), status?.cluster ?? "");
    byId("cluster").hidden = !status?.cluster;
    if (!clock) return;
    live.classList.toggle("stale", clock.stale || unreachable !== null);
    live.classList.toggle("assumed", clock.assumed);
    live.title = [clock.source, clock.basis].filter(Boolean).join(" · ");
    say(this.#said, unreachable !== null ? "extrapolated" : clock.stale ? "from a source that stands still" : clock.assumed ? "by an assumed clock" : "");
    this.tick();
  }

  /** With every slot, or nearly. */
  tick() {
    const { clock } = this.#store.state;
    if (clock) say(this.#slot, count(clock.slotNow()));
  }
}
