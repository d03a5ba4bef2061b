// The title of the epoch shown, and what it is in a few figures.

import { byId, el, fill, pair, say } from "../base/dom.js";
import { count, countdown, percent, sol, solExactly } from "../base/format.js";
import { dateTime, zone } from "../base/time.js";

const vintages = { exact: "Exact", approximate: "Approximate", unknown: "Not known to be exact" };

export const vintageOf = (summary) => summary?.provenance?.vintage ?? "unknown";

export const vintageBadge = (summary) => {
  const vintage = vintageOf(summary);
  return el("span", { class: `badge badge-${vintage === "exact" || vintage === "approximate" ? vintage : "unknown"}`, text: vintages[vintage] ?? vintages.unknown });
};

export class Facts {
  #store;
  #over = el("dd");
  #left = el("span", { class: "sub" });

  constructor(store) {
    this.#store = store;
    store.watch(["summary", "epoch", "hasClock", "wanted", "loadError"], () => this.#show());
  }

  #show() {
    const { summary, epoch, wanted, clock, loadError } = this.#store.state;
    const named = summary?.epoch ?? (typeof wanted === "number" ? wanted : null);
    say(byId("title"), named === null ? "Leader schedule" : `Epoch ${named}`);
    document.title = named === null ? "Leader schedule" : `Epoch ${named} · Leader schedule`;
    fill(byId("span"), summary ? spanWords(summary, clock) : "\u00a0");
    fill(byId("facts"), summary ? this.#figures(summary, epoch) : []);
    byId("facts").hidden = Boolean(loadError) && !summary;
    this.tick();
  }

  #figures(summary, epoch) {
    return [
      clockCovers(this.#store.state) ? el("div", {}, el("dt", { text: "Over" }), this.#over) : null,
      pair("Leaders", count(summary.identities)),
      pair("Stake", el("span", { title: solExactly(summary.totalStake), text: `${sol(summary.totalStake)} SOL` })),
      pair("A third of it is held by", epoch ? `${count(epoch.thirdHolders())} leaders` : "…"),
      pair("Drawn by", summary.keyedBy === "vote" ? "vote account" : "identity"),
      pair("Schedule", vintageBadge(summary)),
    ];
  }

  /** Once a second. */
  tick() {
    const { summary, clock } = this.#store.state;
    if (!clockCovers(this.#store.state) || !this.#over.isConnected) return;
    const passed = (clock.slotNow() - summary.firstSlot) / summary.slots;
    say(this.#left, `${countdown(clock.timeOf(summary.lastSlot + 1) - clock.now())} left`);
    fill(this.#over, `${percent(passed)} `, this.#left);
  }
}

function clockCovers({ clock, summary }) {
  if (!clock || !summary) return false;
  const now = clock.slotNow();
  return now >= summary.firstSlot && now <= summary.lastSlot;
}

function spanWords(summary, clock) {
  const slots = el("b", { text: `slots ${count(summary.firstSlot)} to ${count(summary.lastSlot)}` });
  if (!clock) return [slots];
  const from = clock.timeOf(summary.firstSlot);
  const to = clock.timeOf(summary.lastSlot + 1);
  return [slots, " · ", el("b", { text: dateTime(from, false) }), " to ", el("b", { text: `${dateTime(to, false)} (${zone(to, false)})` })];
}
