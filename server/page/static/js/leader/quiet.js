// When the leader shown does not lead for long enough, for a restart say.

import { byId, el, fill, pair, say } from "../base/dom.js";
import { band, count, countdown, duration } from "../base/format.js";
import { narrowUTC, timeElement, zone } from "../base/time.js";
import { quietDefault, quietTimes } from "./ahead.js";

/** How many windows are listed. */
const listed = 6;
const words = { s: ["second", "seconds"], m: ["minute", "minutes"], h: ["hour", "hours"] };

export class Quiet {
  #store;
  #wait = el("span", { class: "big" });
  #next = null;
  // An open list of choices must not be made anew.
  #chooser = el("select", { id: "quiet-time" });
  #note = el("p", { class: "note" });
  #answer = el("div");

  constructor(store) {
    this.#store = store;
    fill(byId("quiet"),
      el("div", { class: "table-head" },
        el("h2", { id: "quiet-title", text: "Quiet windows" }),
        el("div", { class: "table-tools" }, el("label", { for: "quiet-time", class: "sub", text: "At least" }), this.#chooser),
        this.#note),
      this.#answer);
    this.#chooser.addEventListener("change", () => store.set({ quietTime: this.#chooser.value }));
    store.watch(["quietTime"], () => this.#choose());
    store.watch(["quiet", "hasClock"], () => this.#show());
    this.#choose();
  }

  #show() {
    const { quiet, clock } = this.#store.state;
    if (!quiet) return;
    say(this.#note, `No slot of this leader, for at least the time chosen${quiet.minSlots ? `: surely so from ${count(quiet.minSlots)} slots on` : ""}.`);
    fill(this.#answer, this.#body(quiet, clock));
    this.tick();
  }

  /** The choices, among them one that came with the address. */
  #choose() {
    const chosen = this.#store.state.quietTime ?? quietDefault;
    const all = quietTimes.includes(chosen) ? quietTimes : [...quietTimes, chosen];
    if (![...this.#chooser.options].some(({ value }) => value === chosen)) fill(this.#chooser, all.map((time) => el("option", { value: time, text: timeWords(time) })));
    this.#chooser.value = chosen;
  }

  #body(quiet, clock) {
    this.#next = null;
    if (quiet.loading) return el("p", { class: "note", text: "Asking…" });
    if (quiet.error) return el("p", { text: quiet.error });
    if (quiet.anyTime) return el("p", { text: `Any time: this leader has no slot in the epochs that are known${quiet.reason ? ` (${quiet.reason})` : ""}.` });
    if (!quiet.next) {
      const most = quiet.longest ? ` The longest quiet window that is known has ${count(slotsOf(quiet.longest))} slots${clock ? `, about ${lasts(quiet.longest, clock)}` : ""}.` : "";
      return el("p", { text: `None is long enough in the epochs that are known.${most}` });
    }
    this.#next = quiet.next;
    return [
      el("dl", { class: "quiet-answers" },
        pair("Next", this.#wait, sub(spanWords(quiet.next, clock)), times(quiet.next)),
        pair("Longest", el("span", { class: "big", text: clock ? lasts(quiet.longest, clock) : `${count(slotsOf(quiet.longest))} slots` }), sub(spanWords(quiet.longest, null)), times(quiet.longest))),
      this.#table(quiet.windows, clock),
    ];
  }

  #table(windows, clock) {
    const rows = windows.slice(0, listed).map((one) => el("tr", {},
      el("td", { class: "nobreak wide-only" }, Number.isNaN(one.firstTime) ? "–" : timeElement(one.firstTime, true)),
      el("td", { class: "nobreak" }, Number.isNaN(one.firstTime) ? `slot ${count(one.first)}` : [timeElement(one.firstTime, false), narrowUTC(one.firstTime, band(one.errorMillis))]),
      el("td", { class: "number", text: `${one.atLeast ? "≥ " : ""}${clock ? lasts(one, clock) : `${count(slotsOf(one))} slots`}` }),
      el("td", { class: "number wide-only", text: Number.isNaN(one.errorMillis) ? "–" : band(one.errorMillis) })));
    return [
      el("div", { class: "scroll", tabindex: "0", role: "group", "aria-labelledby": "quiet-title" }, el("table", { class: "window-table" },
        el("thead", {}, el("tr", {},
          el("th", { scope: "col", class: "wide-only", text: "From, UTC" }), el("th", { scope: "col", text: `From, local (${zone(Date.now(), false)})` }),
          el("th", { scope: "col", class: "number", text: "Lasts" }), el("th", { scope: "col", class: "number wide-only", text: "Band" }))),
        el("tbody", {}, rows))),
      windows.length > listed ? el("p", { class: "note pager", text: `and ${count(windows.length - listed)} more that are known` }) : null,
    ];
  }

  /** Once a second. */
  tick() {
    const { clock } = this.#store.state;
    if (!this.#next || !this.#wait.isConnected) return;
    if (!clock || Number.isNaN(this.#next.firstTime)) {
      say(this.#wait, `slot ${count(this.#next.first)}`);
      return;
    }
    const left = this.#next.firstTime - clock.now();
    const rest = this.#next.lastTime + clock.slotMillis - clock.now();
    say(this.#wait, left > 0 ? `in ${countdown(left)}` : rest > 0 ? `now, ${duration(rest)} left` : "over");
  }
}

const sub = (text) => el("span", { class: "sub", text });
const slotsOf = ({ first, last }) => last - first + 1;
const lasts = (span, clock) => duration(slotsOf(span) * clock.slotMillis);

function timeWords(time) {
  const n = Number(time.slice(0, -1));
  const [one, many] = words[time.slice(-1)];
  return `${n} ${n === 1 ? one : many}`;
}

function spanWords(span, clock) {
  return `${span.atLeast ? "at least " : ""}${count(slotsOf(span))} slots${clock ? `, about ${lasts(span, clock)}` : ""}`;
}

function times(span) {
  if (Number.isNaN(span.firstTime)) return null;
  return [
    el("span", { class: "sub" }, "from ", timeElement(span.firstTime, false), ` (${zone(span.firstTime, false)})`),
    el("span", { class: "sub" }, timeElement(span.firstTime, true), " UTC"),
  ];
}
