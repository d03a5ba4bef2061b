// The answer about the leader shown: who it is, when it leads next, how much.

import { byId, el, fill, pair, say } from "../base/dom.js";
import { band, count, countdown, expected, percent, shortKey, sol, solExactly } from "../base/format.js";
import { dateTime, timeElement, zone } from "../base/time.js";
import { css } from "../data/colour.js";
import { selection } from "../data/selection.js";
import { watchSize } from "../base/size.js";
import { drawStrip } from "../picture/strip.js";
import { luckBar } from "./luck.js";

export class Answers {
  #store;
  #countdown = el("p", { class: "countdown", role: "timer", "aria-live": "off" });
  #strip = el("canvas", { role: "img" });
  #next = null; // the window that the countdown is for

  constructor(store) {
    this.#store = store;
    this.section = byId("leader");
    store.watch(["shown", "epoch", "mode", "ahead", "hasClock"], () => this.#show());
    watchSize(this.#strip, () => this.#drawStrip());
  }

  #show() {
    const { shown, epoch, ahead } = this.#store.state;
    this.section.hidden = !shown;
    if (!shown) return;
    const one = selection(this.#store.state).find(({ key }) => key === shown);
    const known = epoch && one.leader >= 0;
    this.#next = ahead?.key === shown ? (ahead.windows?.[0] ?? null) : null;
    fill(this.section,
      el("div", { class: "leader-head", vars: { leader: css(one.rgb) } },
        el("h2", { id: "leader-title" }, el("span", { class: "swatch" }), el("span", { text: one.identity }))),
      el("p", { class: "votes", text: votesWords(epoch, one) }),
      el("dl", { class: "answers" }, this.#nextAnswer(), ...(known ? facts(epoch, one.leader) : [])),
      known ? el("div", { class: "strip" }, this.#strip, this.#stripEnds(epoch, one.leader)) : null);
    this.tick();
    this.#drawStrip();
  }

  #nextAnswer() {
    const { ahead, shown, clock } = this.#store.state;
    const sub = (text) => el("span", { class: "sub", text });
    if (ahead?.key !== shown || ahead.loading) return pair("Next slot", sub("asking…"));
    if (ahead.error) return pair("Next slot", sub(ahead.error));
    if (!this.#next) {
      const until = ahead.unknownFrom !== null ? ` Epoch ${ahead.unknownFrom} is not known yet.` : "";
      const words = { absent: "None in the epochs that are known.", unknown: "Not known." }[ahead.status] ?? "None in sight.";
      return pair("Next slot", sub(words + until));
    }
    const { first, last, firstTime, errorMillis } = this.#next;
    const slots = sub(`slot ${count(first)}${last > first ? ` to ${count(last)}` : ""}, epoch ${this.#next.epoch}`);
    if (!clock || Number.isNaN(firstTime)) return pair("Next slot", el("p", { class: "countdown", text: count(first) }), slots, sub("The service has no clock: when is not known."));
    const times = [
      el("span", { class: "sub" }, timeElement(firstTime, false), ` local (${zone(firstTime, false)}) ${band(errorMillis)}`),
      el("span", { class: "sub" }, timeElement(firstTime, true), " UTC"),
    ];
    return pair("Next slot in", this.#countdown, times, slots);
  }

  #stripEnds(epoch, leader) {
    const { clock } = this.#store.state;
    const windows = epoch.windowsOf(leader);
    const end = (slot) => (clock ? dateTime(clock.timeOf(slot), false) : `slot ${count(slot)}`);
    this.#strip.setAttribute("aria-label", `Where the ${count(windows.length)} windows of this leader are in epoch ${epoch.epoch}`);
    return el("p", { class: "strip-ends" },
      el("span", { text: end(epoch.firstSlot) }),
      el("span", { text: `${count(windows.length)} windows in epoch ${epoch.epoch}` }),
      el("span", { text: end(epoch.lastSlot) }));
  }

  #drawStrip() {
    const { shown, epoch, clock, mode } = this.#store.state;
    if (!shown || !epoch || !this.#strip.isConnected) return;
    const one = selection(this.#store.state).find(({ key }) => key === shown);
    if (!one || one.leader < 0) return;
    const now = clock ? Math.max(-1, Math.min(epoch.slots, clock.slotNow() - epoch.firstSlot)) : -1;
    drawStrip(this.#strip, { epoch, marks: [one], now: now < epoch.slots ? now : -1, seen: null, mode });
  }

  /** Once a second. */
  tick() {
    const { clock } = this.#store.state;
    if (!this.#next || !clock || !this.#countdown.isConnected) return;
    const now = clock.now();
    const ends = this.#next.lastTime + clock.slotMillis;
    const leading = now >= this.#next.firstTime && now < ends;
    this.#countdown.classList.toggle("leading", leading);
    say(this.#countdown, leading ? "leading now" : countdown(this.#next.firstTime - now));
  }
}

function votesWords(epoch, { key, leader }) {
  if (!epoch) return "";
  if (leader < 0) return `Epoch ${epoch.epoch} has no stake for this key, so it leads no slot of it.`;
  const votes = epoch.votes[leader];
  if (votes.length === 0) return "Vote account not known.";
  if (votes.length === 1) return `Vote account ${votes[0]}`;
  const asked = votes.includes(key) ? " Times are those of the vote account that was looked for; the picture shows them all." : "";
  return `${votes.length} vote accounts: ${votes.map(shortKey).join(", ")}.${asked}`;
}

function facts(epoch, leader) {
  const place = epoch.shares.filter((share) => share > epoch.shares[leader]).length + 1;
  return [
    pair(`Slots in epoch ${epoch.epoch}`, count(epoch.slotsOf[leader]), el("span", { class: "sub", text: `${expected(epoch.expected[leader])} expected` })),
    pair("Luck", luckBar(epoch, leader), el("span", { class: "sub", text: luckWords(epoch, leader) })),
    pair("Stake", el("span", { title: solExactly(epoch.stakes[leader]), text: `${sol(epoch.stakes[leader])} SOL` }),
      el("span", { class: "sub", text: `${percent(epoch.shares[leader])}, number ${count(place)} of ${count(epoch.leaders)}` })),
  ];
}

function luckWords(epoch, leader) {
  const ratio = epoch.slotsOf[leader] / epoch.expected[leader] - 1;
  if (!Number.isFinite(ratio)) return "no stake";
  if (epoch.expected[leader] < 20) return "too few windows to tell";
  return `${percent(Math.abs(ratio))} ${ratio < 0 ? "fewer" : "more"} than expected`;
}
