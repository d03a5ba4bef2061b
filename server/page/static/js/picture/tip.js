// The card that tells about the slot under the pointer or the cursor.

import { ask } from "../data/api.js";
import { css, hueOf, strongRGB } from "../data/colour.js";
import { dateTime, zone } from "../base/time.js";
import { band, count, shortKey } from "../base/format.js";
import { el, fill } from "../base/dom.js";

/** How long the pointer rests before the service is asked for a vote account. */
const restMillis = 250;

export class Tip {
  #timer = 0;
  #slot = -1;

  constructor(node) {
    this.node = node;
  }

  hide() {
    this.node.hidden = true;
    this.#slot = -1;
    clearTimeout(this.#timer);
  }

  /**
   * Shows what is known of a slot index beside a point of the frame, with a hint at
   * what can be done, and returns it in a sentence.
   */
  show(state, index, x, y, bounds, hint) {
    const { epoch, clock, mode } = state;
    const leader = epoch.leaderAt(index);
    const slot = epoch.firstSlot + index;
    const identity = epoch.identities[leader];
    const votes = epoch.votes[leader];
    const vote = el("dd", { class: "key", text: votes.length === 1 ? shortKey(votes[0]) : votes.length ? `one of ${votes.length}` : "not known" });
    const rows = [["Vote account", vote], ["Slot", el("dd", { text: slotWords(epoch, index) })], ...timeRows(clock, slot)];
    fill(
      this.node,
      el("p", { class: "who", vars: { leader: css(strongRGB(hueOf(identity), mode)) } }, el("span", { class: "swatch" }), el("span", { class: "key", text: shortKey(identity) })),
      el("dl", {}, rows.map(([term, value]) => [el("dt", { text: term }), value])),
      el("p", { class: "hint", text: hint }),
    );
    this.node.hidden = false;
    this.#place(x, y, bounds);
    this.#slot = slot;
    clearTimeout(this.#timer);
    if (votes.length > 1) this.#timer = setTimeout(() => this.#askVote(slot, vote), restMillis);
    return this.sentence(state, index);
  }

  sentence({ epoch, clock }, index) {
    const leader = epoch.leaderAt(index);
    const slot = epoch.firstSlot + index;
    const time = clock ? `, ${dateTime(clock.timeOf(slot), false)} ${zone(clock.timeOf(slot), false)}` : "";
    const votes = epoch.votes[leader];
    return `Slot ${count(slot)}${time}: leader ${epoch.identities[leader]}${votes.length === 1 ? `, vote account ${votes[0]}` : ""}`;
  }

  /** Where an identity has several vote accounts only the service knows which. */
  async #askVote(slot, node) {
    try {
      const { body } = await ask(`slots/${slot}`);
      if (this.#slot === slot && body.voteAccount) node.textContent = shortKey(body.voteAccount);
    } catch {
      // It stays "one of".
    }
  }

  #place(x, y, { width, height }) {
    const box = this.node.getBoundingClientRect();
    const right = x + 18 + box.width <= width;
    const left = right ? x + 18 : Math.max(0, Math.min(x - 18 - box.width, width - box.width));
    const below = y + 22 + box.height <= height + 40;
    const top = below ? y + 22 : Math.max(0, y - 16 - box.height);
    this.node.style.left = `${left}px`;
    this.node.style.top = `${top}px`;
  }
}

function slotWords(epoch, index) {
  const inRotation = (index % epoch.perRotation) + 1;
  return `${count(epoch.firstSlot + index)} (${inRotation} of ${epoch.perRotation} in a row)`;
}

function timeRows(clock, slot) {
  if (!clock) return [["Time", el("dd", { text: "not known: the service has no clock" })]];
  const at = clock.timeOf(slot);
  return [
    ["UTC", el("dd", { text: `${dateTime(at, true)} ${band(clock.bandOf(slot))}` })],
    ["Local", el("dd", { text: `${dateTime(at, false)} (${zone(at, false)})` })],
  ];
}
