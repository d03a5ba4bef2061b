// The search field: suggestions while typing, several keys at once when pasted.

import { byId, el, fill, say } from "../base/dom.js";
import { mostSelected } from "../base/address.js";
import { count, expected, percent, plural, sol } from "../base/format.js";
import { css, hueOf, strongRGB } from "../data/colour.js";
import { keyPattern } from "../data/keys.js";
import { select } from "../data/selection.js";
import { isSlot, match, slotOf, tokens } from "./match.js";

export class Search {
  #store;
  #options = []; // what each suggestion does: {node, take}
  #active = -1;

  /** `goTo(slot)` shows a slot of the epoch, and is false for one of another. */
  constructor(store, goTo) {
    this.#store = store;
    this.goTo = goTo;
    this.input = byId("find");
    this.list = byId("found");
    this.input.addEventListener("input", () => this.#suggest());
    this.input.addEventListener("focus", () => this.#suggest());
    this.input.addEventListener("blur", () => this.#close());
    this.input.addEventListener("keydown", (event) => this.#key(event));
    // A press would take the focus away, and the list with it, before the click.
    this.list.addEventListener("pointerdown", (event) => event.preventDefault());
    store.watch(["epoch"], () => {
      if (document.activeElement === this.input) this.#suggest();
    });
  }

  #suggest() {
    const { epoch } = this.#store.state;
    const typed = tokens(this.input.value);
    const token = typed[typed.length - 1] ?? "";
    this.#options = [];
    this.#active = -1;
    if (!epoch || token === "" || /[\s,;]$/.test(this.input.value)) {
      this.#close();
      return;
    }
    if (isSlot(token)) this.#options.push(this.#slotOption(slotOf(token)));
    const { found, total } = match(epoch, token);
    for (const one of found) this.#options.push(this.#leaderOption(epoch, one, token.length));
    fill(this.list, this.#options.map(({ node }) => node));
    this.list.hidden = this.#options.length === 0;
    this.input.setAttribute("aria-expanded", String(!this.list.hidden));
    if (this.#options.length) this.#activate(0);
    else this.input.removeAttribute("aria-activedescendant");
    this.#sayFound(token, found.length, total);
  }

  #sayFound(token, shown, total) {
    const said = byId("find-said");
    if (this.#options.length === 0) say(said, `No leader of this epoch begins with ${token}.`);
    else if (total > shown) say(said, `${plural(total, "leader")} match; those with most stake are listed.`);
    else say(said, total ? `${plural(total, "leader")} ${total === 1 ? "matches" : "match"}.` : "");
  }

  #leaderOption(epoch, { leader, key, vote }, length) {
    const hue = hueOf(epoch.identities[leader]);
    const marked = [el("mark", { text: key.slice(0, length) }), key.slice(length)];
    const node = this.#option(
      { vars: { leader: css(strongRGB(hue, this.#store.state.mode)) } },
      el("span", { class: "swatch" }),
      el("span", { class: "names" },
        el("span", { class: "key" }, marked),
        vote ? el("span", { class: "vote", text: `vote account of ${epoch.identities[leader].slice(0, 12)}…` }) : null),
      el("span", { class: "amount", text: `${sol(epoch.stakes[leader])} SOL · ${percent(epoch.shares[leader])} · ${count(epoch.slotsOf[leader])} of ${expected(epoch.expected[leader])} slots` }),
    );
    return { node, take: () => this.#add([key]) };
  }

  #slotOption(slot) {
    const node = this.#option({}, el("span", { text: "→" }), el("span", { text: `Go to slot ${count(slot)}` }), el("span", {}));
    return { node, take: () => this.#take(slot) };
  }

  #option(props, ...children) {
    const index = this.#options.length;
    const node = el("li", { ...props, role: "option", id: `found-${index}`, "aria-selected": "false" }, ...children);
    node.addEventListener("click", () => this.#options[index].take());
    node.addEventListener("pointermove", () => this.#activate(index));
    return node;
  }

  #activate(index) {
    this.#options[this.#active]?.node.setAttribute("aria-selected", "false");
    this.#active = index;
    const { node } = this.#options[index];
    node.setAttribute("aria-selected", "true");
    this.input.setAttribute("aria-activedescendant", node.id);
    node.scrollIntoView({ block: "nearest" });
  }

  #key(event) {
    const n = this.#options.length;
    switch (event.key) {
      case "ArrowDown": if (n) this.#activate((this.#active + 1) % n); break;
      case "ArrowUp": if (n) this.#activate((this.#active + n - 1) % n); break;
      case "Enter": this.#enter(); break;
      case "Escape":
        if (this.list.hidden) this.input.value = "";
        this.#close();
        break;
      default: return;
    }
    event.preventDefault();
  }

  /** One word: the suggestion. Several: each of them, as far as it is clear. */
  #enter() {
    const typed = tokens(this.input.value);
    if (typed.length <= 1 && this.#active >= 0) {
      this.#options[this.#active].take();
      return;
    }
    const { epoch } = this.#store.state;
    if (!epoch || typed.length === 0) return;
    const keys = [];
    const unclear = [];
    typed.forEach((token, i) => {
      const { found, total } = match(epoch, token);
      const last = i === typed.length - 1 && this.#active >= 0;
      if (total === 1) keys.push(found[0].key);
      else if (last && total > 0 && !isSlot(token)) keys.push(found[Math.min(this.#active, found.length - 1)].key);
      else if (keyPattern.test(token)) keys.push(token); // of another epoch
      else unclear.push(total ? `${token} (${plural(total, "leader")})` : `${token} (none)`);
    });
    this.#add(keys, unclear);
  }

  #add(keys, unclear = []) {
    const over = keys.filter((key) => !select(this.#store, key));
    this.input.value = unclear.map((text) => text.split(" ")[0]).join(", ");
    this.#close();
    const words = [];
    if (keys.length > over.length) words.push(`${plural(keys.length - over.length, "leader")} selected.`);
    if (over.length) words.push(`At most ${mostSelected} can be selected at once.`);
    if (unclear.length) words.push(`Not clear: ${unclear.join(", ")}.`);
    say(byId("find-said"), words.join(" "));
  }

  #take(slot) {
    const shown = this.goTo(slot);
    this.input.value = "";
    this.#close();
    say(byId("find-said"), shown ? `Slot ${count(slot)} is in the middle of the picture.` : `Slot ${count(slot)} is not in an epoch that is held.`);
  }

  #close() {
    this.list.hidden = true;
    this.#options = [];
    this.#active = -1;
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
  }
}
