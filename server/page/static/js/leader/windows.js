// The windows of the leader shown: those to come, or all of the epoch shown.

import { byId, el, fill, say } from "../base/dom.js";
import { band, count, countdown, percent } from "../base/format.js";
import { narrowUTC, timeElement, zone } from "../base/time.js";
import { selection } from "../data/selection.js";

/** Rows at once. */
const page = 10;

export class Windows {
  #store;
  #whole = false; // the whole epoch rather than from now on
  #from = 0;
  #cells = []; // {node, window}: what tick updates
  #goTo;
  // What has the focus, or is being pressed, must not be made anew.
  #title = el("h2", { id: "windows-title" });
  #note = el("p", { class: "note" });
  #body = el("div");
  #choices = [this.#choice("windows-coming", false), this.#choice("windows-epoch", true)];

  constructor(store, goTo) {
    this.#store = store;
    this.#goTo = goTo;
    fill(byId("windows"),
      el("div", { class: "table-head" }, this.#title,
        el("div", { class: "table-tools" }, el("div", { class: "segments", role: "group", "aria-label": "Which windows" }, this.#choices)),
        this.#note),
      this.#body);
    store.watch(["shown", "epoch"], () => {
      this.#from = 0;
      this.#show();
    });
    store.watch(["ahead", "hasClock"], () => this.#show());
  }

  #show() {
    const { shown, epoch, clock } = this.#store.state;
    byId("details").hidden = !shown;
    if (!shown) return;
    const focused = this.#body.contains(document.activeElement) ? document.activeElement.id : null;
    const all = this.#all();
    this.#from = Math.min(this.#from, Math.max(0, Math.floor((all.length - 1) / page) * page));
    this.#cells = [];
    const rows = all.slice(this.#from, this.#from + page).map((one) => this.#row(one));
    say(this.#title, this.#whole && epoch ? `Windows of epoch ${epoch.epoch}` : "Coming windows");
    say(this.#note, clock ? estimateWords(clock) : "The service has no clock, so that times are not known.");
    say(this.#choices[0], "From now");
    say(this.#choices[1], epoch ? `Epoch ${epoch.epoch}` : "Epoch");
    this.#choices.forEach((button, i) => button.setAttribute("aria-pressed", String(this.#whole === (i === 1))));
    fill(this.#body, this.#table(rows, all.length), this.#pager(all.length));
    if (focused) byId(focused)?.focus();
    this.tick();
  }

  /** The windows there are, with times by the clock where the service told none. */
  #all() {
    const { ahead, epoch, clock, shown } = this.#store.state;
    if (!this.#whole) return ahead?.key === shown ? (ahead.windows ?? []) : [];
    const one = selection(this.#store.state).find(({ key }) => key === shown);
    if (!epoch || !one || one.leader < 0) return [];
    return epoch.windowsOf(one.leader).map(([first, last]) => {
      const slots = { first: epoch.firstSlot + first, last: epoch.firstSlot + last };
      if (!clock) return { ...slots, epoch: epoch.epoch, firstTime: NaN, lastTime: NaN, errorMillis: NaN };
      return { ...slots, epoch: epoch.epoch, firstTime: clock.timeOf(slots.first), lastTime: clock.timeOf(slots.last), errorMillis: clock.bandOf(slots.first) };
    });
  }

  #choice(id, whole) {
    return el("button", { id, type: "button", on: { click: () => { this.#whole = whole; this.#from = 0; this.#show(); } } });
  }

  #table(rows, total) {
    const { ahead } = this.#store.state;
    if (!this.#whole && ahead?.error) return el("p", { text: ahead.error });
    if (!this.#whole && ahead?.loading && total === 0) return el("p", { class: "note", text: "Asking…" });
    if (!this.#whole && !ahead) return null;
    const unknown = !this.#whole && ahead.unknownFrom !== null && this.#from + page >= total
      ? el("tr", { class: "unknown" }, el("td", { colspan: 5, text: `The leaders of epoch ${ahead.unknownFrom} are not known yet: there may be more.` })) : null;
    if (rows.length === 0 && !unknown) return el("p", { text: "None." });
    return el("div", { class: "scroll", tabindex: "0", role: "group", "aria-labelledby": "windows-title" }, el("table", { class: "window-table" },
      el("thead", {}, el("tr", {},
        el("th", { scope: "col", text: "In" }), el("th", { scope: "col", text: "Slots" }), el("th", { scope: "col", class: "wide-only", text: "UTC" }),
        el("th", { scope: "col", text: `Local (${zone(Date.now(), false)})` }), el("th", { scope: "col", class: "number wide-only", text: "Band" }))),
      el("tbody", {}, rows, unknown)));
  }

  #row(one) {
    const timed = !Number.isNaN(one.firstTime);
    const wait = el("td", { class: "nobreak" });
    const row = el("tr", {},
      wait,
      el("td", { class: "slots-of" }, this.#slotLink(one)),
      el("td", { class: "nobreak wide-only" }, timed ? timeElement(one.firstTime, true) : "–"),
      el("td", { class: "nobreak" }, timed ? [timeElement(one.firstTime, false), narrowUTC(one.firstTime, band(one.errorMillis))] : "–"),
      el("td", { class: "number wide-only", text: Number.isNaN(one.errorMillis) ? "–" : band(one.errorMillis) }));
    this.#cells.push({ wait, row, one });
    return row;
  }

  #slotLink({ first, last }) {
    const end = first === last ? null : [" ", el("span", { class: "nobreak", text: `– ${count(last).slice(-7)}` })];
    const text = [el("span", { class: "nobreak", text: count(first) }), end];
    if (!this.#store.state.epoch?.holds(first)) return text;
    return el("button", { class: "link", id: `window-${first}`, type: "button", title: "Show in the picture", on: { click: () => this.#goTo(first) } }, text);
  }

  #pager(total) {
    if (total <= page) return null;
    const turn = (by) => () => { this.#from += by; this.#show(); };
    return el("div", { class: "pager" },
      el("span", { text: `${count(this.#from + 1)}–${count(Math.min(total, this.#from + page))} of ${count(total)}` }),
      el("div", { class: "segments", role: "group", "aria-label": "Pages of windows" },
        el("button", { id: "windows-back", type: "button", "aria-label": "Earlier windows", text: "←", disabled: this.#from === 0, on: { click: turn(-page) } }),
        el("button", { id: "windows-on", type: "button", "aria-label": "Later windows", text: "→", disabled: this.#from + page >= total, on: { click: turn(page) } })));
  }

  /** Once a second. */
  tick() {
    const { clock } = this.#store.state;
    for (const { wait, row, one } of this.#cells) {
      if (!clock || Number.isNaN(one.firstTime)) {
        say(wait, "–");
        continue;
      }
      const left = one.firstTime - clock.now();
      const current = left <= 0 && one.lastTime + clock.slotMillis > clock.now();
      row.classList.toggle("current", current);
      say(wait, current ? "now" : left < 0 ? "over" : countdown(left));
    }
  }
}

function estimateWords(clock) {
  const rel = clock.relError ? `, known to ${percent(clock.relError)}` : "";
  const how = clock.assumed ? "a slot duration that is assumed, not measured" : "measured slots";
  return `Times are estimates from ${how}: ${clock.slotMillis.toFixed(1)} ms a slot${rel}. With 95 % confidence a window begins within the band, which grows with the distance.`;
}
