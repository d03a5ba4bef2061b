// The leaders of the epoch, a page at a time, by stake or by any other column.

import { byId, el, fill } from "../base/dom.js";
import { keepInPlace } from "../base/place.js";
import { count, expected, percent, plural, shortKey, sol, solExactly } from "../base/format.js";
import { css, hueOf, strongRGB } from "../data/colour.js";
import { selection, toggle } from "../data/selection.js";
import { luckBar, tellsLittle } from "../leader/luck.js";

const page = 25;

/** Columns: `value` is what is sorted by; `first` is the direction at first. */
const columns = [
  { id: "place", text: "#", number: true, first: 1, value: (e, i) => -e.shares[i], wide: true },
  { id: "leader", text: "Leader", first: 1, value: (e, i) => e.identities[i] },
  { id: "stake", text: "Stake, SOL", number: true, first: -1, value: (e, i) => e.shares[i], wide: true },
  { id: "share", text: "Share", number: true, first: -1, value: (e, i) => e.shares[i] },
  { id: "expected", text: "Expected", number: true, first: -1, value: (e, i) => e.expected[i], wide: true },
  { id: "slots", text: "Slots", number: true, first: -1, value: (e, i) => e.slotsOf[i] },
  // Those of whom luck says little come last in either direction.
  { id: "luck", text: "Luck", number: true, first: -1, value: (e, i) => (tellsLittle(e, i) ? null : e.luck[i]) },
];

export class Table {
  #store;
  #order = [];
  #places = [];
  #sort = { column: columns[0], direction: 1 };
  #from = 0;

  constructor(store) {
    this.#store = store;
    this.section = byId("leaders");
    store.watch(["epoch"], () => {
      this.#from = 0;
      this.#arrange();
      this.#show();
    });
    store.watch(["selected", "mode"], () => this.#show());
  }

  #arrange() {
    const { epoch } = this.#store.state;
    if (!epoch) return;
    const all = Array.from({ length: epoch.leaders }, (_, i) => i);
    const byStake = all.toSorted((a, b) => epoch.shares[b] - epoch.shares[a] || a - b);
    this.#places = [];
    byStake.forEach((leader, place) => (this.#places[leader] = place + 1));
    const { column, direction } = this.#sort;
    const values = all.map((i) => column.value(epoch, i));
    this.#order = byStake.sort((a, b) => compare(values[a], values[b], direction));
  }

  #sortBy(column) {
    const same = this.#sort.column === column;
    this.#sort = { column, direction: same ? -this.#sort.direction : column.first };
    this.#from = 0;
    this.#arrange();
    this.#show();
    byId(`sort-${column.id}`).focus();
  }

  #show() {
    const { epoch } = this.#store.state;
    this.section.hidden = !epoch;
    if (!epoch) return;
    const focused = this.section.contains(document.activeElement) ? document.activeElement.id : null;
    const chosen = new Set(selection(this.#store.state).map(({ leader }) => leader));
    const rows = this.#order.slice(this.#from, this.#from + page).map((leader) => this.#row(epoch, leader, chosen.has(leader)));
    fill(this.section,
      el("div", { class: "table-head" },
        el("h2", { id: "leaders-title", text: "Leaders" }),
        el("p", { class: "note", text: "Luck is how many standard deviations the windows drawn are above or below what the stake lets expect. Where fewer than five windows are expected it says little, and is pale." })),
      el("div", { class: "scroll", tabindex: "0", role: "group", "aria-labelledby": "leaders-title" },
        el("table", { class: "leader-table", "aria-rowcount": this.#order.length + 1 }, el("thead", {}, el("tr", {}, columns.map((column) => this.#head(column)))), el("tbody", {}, rows))),
      this.#pager());
    if (focused) byId(focused)?.focus();
  }

  #head(column) {
    const { direction } = this.#sort;
    const sorted = this.#sort.column === column ? (direction > 0 ? "ascending" : "descending") : null;
    return el("th", { scope: "col", class: classes(column), "aria-sort": sorted },
      el("button", { class: "sort", type: "button", id: `sort-${column.id}`, text: column.text, on: { click: () => this.#sortBy(column) } }));
  }

  #row(epoch, leader, selected) {
    const identity = epoch.identities[leader];
    const votes = epoch.votes[leader];
    const share = epoch.shares[leader];
    const part = `${Math.min(100, (share / epoch.shares[this.#places.indexOf(1)]) * 100)}%`;
    const cells = {
      place: count(this.#places[leader]),
      stake: el("span", { title: solExactly(epoch.stakes[leader]), text: sol(epoch.stakes[leader]) }),
      share: [el("span", { class: "share", "aria-hidden": "true", vars: { part } }), percent(share)],
      expected: expected(epoch.expected[leader]),
      slots: count(epoch.slotsOf[leader]),
      luck: luckBar(epoch, leader),
    };
    const name = el("button", {
      class: "pick", type: "button", id: `pick-${leader}`, title: `${identity}${votes.length ? `\nvote account ${votes.join(", ")}` : ""}`, "aria-pressed": String(selected),
      vars: { leader: css(strongRGB(hueOf(identity), this.#store.state.mode)) }, on: { click: () => keepInPlace(this.section, () => toggle(this.#store, identity)) },
    }, el("span", { class: "swatch" }), el("span", {}, el("span", { class: "key", text: shortKey(identity) }), " ", el("span", { class: "votes-of wide-only", text: votesWords(votes) })));
    return el("tr", { class: selected ? "selected" : null }, columns.map((column) =>
      column.id === "leader" ? el("th", { scope: "row" }, name) : el("td", { class: classes(column) }, cells[column.id])));
  }

  #pager() {
    const total = this.#order.length;
    if (total <= page) return null;
    const last = Math.floor((total - 1) / page) * page;
    const go = (from) => () => {
      this.#from = Math.max(0, Math.min(last, from));
      this.#show();
    };
    const button = (id, text, label, from, off) => el("button", { id, type: "button", text, "aria-label": label, disabled: off, on: { click: go(from) } });
    return el("div", { class: "pager" },
      el("span", { role: "status", text: `${count(this.#from + 1)}–${count(Math.min(total, this.#from + page))} of ${plural(total, "leader")}` }),
      el("div", { class: "segments", role: "group", "aria-label": "Pages of leaders" },
        button("leaders-first", "⇤", "First page", 0, this.#from === 0),
        button("leaders-back", "←", "Page before", this.#from - page, this.#from === 0),
        button("leaders-on", "→", "Next page", this.#from + page, this.#from >= last),
        button("leaders-last", "⇥", "Last page", last, this.#from >= last)));
  }
}

const classes = ({ number, wide }) => [number ? "number" : "", wide ? "wide-only" : ""].filter(Boolean).join(" ") || null;

function votesWords(votes) {
  if (votes.length === 0) return "";
  return votes.length === 1 ? `vote ${shortKey(votes[0])}` : `${votes.length} vote accounts`;
}

/** Ascending for a direction of 1; null comes last in both. */
function compare(a, b, direction) {
  if (a === null || b === null) return (a === null) - (b === null);
  return a < b ? -direction : a > b ? direction : 0;
}
