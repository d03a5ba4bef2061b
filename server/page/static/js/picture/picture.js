// The picture: puts view, pixels, marks, card, strip and input together.

import { byId, say } from "../base/dom.js";
import { keepInPlace } from "../base/place.js";
import { sizeOf, watchSize } from "../base/size.js";
import { cssColours } from "../base/theme.js";
import { count, duration, plural } from "../base/format.js";
import { remember, remembered } from "../base/prefs.js";
import { palette } from "../data/colour.js";
import { marksOf, selection, toggle } from "../data/selection.js";
import { listen } from "./input.js";
import { showLegend } from "./legend.js";
import { drawMarks } from "./marks.js";
import { PixelJob } from "./pixels.js";
import { drawStrip } from "./strip.js";
import { Tip } from "./tip.js";
import { heightFor, View } from "./view.js";

/** The width of the times beside the rows, CSS pixels; less where the plot is narrow. */
const marginOf = (plotWidth) => (plotWidth < 560 ? 46 : 64);
/** A plot narrower than this is not seen by anybody: a hidden page, say. */
const leastWidth = 160;

export class Picture {
  #store;
  #view = null;
  #epoch = null;
  #job = null;
  #frame = 0;
  #dirty = new Set();
  #hover = -1;
  #cursor = -1;
  #focused = false;
  #now = -1;
  #margin = 0;
  #width = 0; // of the slots, without the margin
  #height = 0;

  constructor(store) {
    this.#store = store;
    this.plot = byId("plot");
    this.pixels = byId("pixels");
    this.marks = byId("marks");
    this.overview = byId("overview");
    this.tip = new Tip(byId("tip"));
    store.set({ utc: remembered("zone", ["local", "utc"], "local") === "utc" });
    store.watch(["epoch", "mode", "selected"], () => this.#renew());
    store.watch(["clock", "utc"], () => this.#ask("marks", "range"));
    store.watch(["view"], ({ view }) => this.#adopt(view));
    this.#buttons();
    this.#listen();
    const style = getComputedStyle(document.body);
    this.fonts = { font: style.fontFamily, mono: style.getPropertyValue("--mono") };
    watchSize(this.plot, () => this.#resize());
    watchSize(this.overview, () => this.#ask("strip"));
  }

  /** Shows a slot of the epoch in the middle, and puts the cursor on it. */
  goTo(slot) {
    if (!this.#epoch?.holds(slot)) return false;
    const index = slot - this.#epoch.firstSlot;
    if (this.#view.isWhole()) this.#view.set(0, Math.ceil(this.#view.width / 8));
    this.#view.centre(index);
    this.#cursor = index;
    this.#seen();
    this.#showTip(index);
    return true;
  }

  /** Moves the present slot along. */
  tick() {
    const { clock, epoch } = this.#store.state;
    if (!epoch || !clock) return;
    const now = this.#index(clock.slotNow());
    if (now === this.#now) return;
    const repaint = Math.abs(now - this.#now) * this.#view?.slotWidth >= 1;
    this.#now = now;
    if (repaint || this.#view?.slotWidth >= 1) this.#ask("pixels", "marks", "strip");
    else this.#ask("marks");
  }

  /** An index of the epoch shown, -1 for a slot before it, its length for one after. */
  #index(slot) {
    const epoch = this.#epoch;
    if (!epoch || slot < epoch.firstSlot) return -1;
    return Math.min(epoch.slots, slot - epoch.firstSlot);
  }

  #renew() {
    const { epoch, mode, clock } = this.#store.state;
    this.tip.hide();
    if (epoch !== this.#epoch) {
      this.#epoch = epoch;
      this.#cursor = this.#hover = -1;
      this.#view = null;
    }
    if (!epoch) {
      cancelAnimationFrame(this.#frame);
      this.#frame = 0;
      this.#job = null;
      for (const canvas of [this.pixels, this.marks, this.overview]) canvas.width = canvas.height = 1;
      byId("range").textContent = byId("legend").textContent = "";
      for (const id of ["zoom-in", "zoom-out", "zoom-all", "zoom-now"]) byId(id).disabled = true;
      return;
    }
    this.#now = clock ? this.#index(clock.slotNow()) : -1;
    if (this.palette?.epoch !== epoch || this.palette.mode !== mode) this.palette = palette(epoch, mode);
    this.selected = marksOf(selection(this.#store.state));
    this.colours = {
      ...cssColours(mode), ...this.fonts,
    };
    if (!this.#view && this.#resized()) {
      this.#view = new View(epoch.slots, this.#width, this.#height);
      this.#adopt(this.#store.state.view);
    }
    this.plot.setAttribute("aria-label", `Epoch ${epoch.epoch}: ${plural(epoch.slots, "slot")} of ${plural(epoch.leaders, "leader")}, coloured by leader`);
    if (!this.#view) return;
    showLegend(byId("legend"), { epoch, palette: this.palette, marks: this.selected, isCurrent: this.#isCurrent() });
    this.#seen();
  }

  #isCurrent() {
    return this.#now >= 0 && this.#now < this.#epoch.slots;
  }

  /** Takes the size of the plot; false where nobody sees it. */
  #resized() {
    const { width, height } = sizeOf(this.plot);
    if (width < leastWidth) return false;
    const margin = marginOf(width);
    if (margin !== this.#margin) {
      this.#margin = margin;
      this.plot.parentElement.style.setProperty("--margin", `${margin}px`);
    }
    this.#width = width - margin;
    this.#height = height;
    // A few rows need no plot as tall as that of many.
    const enough = heightFor(this.#epoch.slots, this.#width);
    this.plot.style.setProperty("max-height", `${enough}px`);
    return true;
  }

  #resize() {
    if (!this.#epoch || !this.#resized()) return;
    if (!this.#view) {
      this.#renew();
      return;
    }
    this.tip.hide();
    this.#view.resize(this.#width, this.#height);
    this.#seen();
  }

  /** Takes a part to show from the address, where it is another than the one shown. */
  #adopt(view) {
    if (!this.#view) return;
    const same = view ? !this.#view.isWhole() && view.row === this.#view.perRow && view.start === Math.round(this.#view.start) : this.#view.isWhole();
    if (same) return;
    if (view) this.#view.set(view.start, view.row);
    else this.#view.fit();
    this.#ask("pixels", "marks", "strip", "range");
  }

  /** After the view changed: draws it, and puts it in the address. */
  #seen() {
    const whole = this.#view.isWhole();
    this.plot.classList.toggle("zoomed", !whole);
    byId("zoom-out").disabled = byId("zoom-all").disabled = whole;
    byId("zoom-in").disabled = this.#view.perRow <= this.#view.leastPerRow;
    byId("zoom-now").disabled = !this.#isCurrent();
    this.#store.set({ view: whole ? null : { start: Math.round(this.#view.start), row: this.#view.perRow } });
    this.#ask("pixels", "marks", "strip", "range");
  }

  #ask(...what) {
    if (!this.#view) return;
    what.forEach((part) => this.#dirty.add(part));
    if (what.includes("pixels")) this.#job = null;
    if (!this.#frame) this.#frame = requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    this.#frame = 0;
    const { mode, clock, utc } = this.#store.state;
    const scale = Math.min(3, devicePixelRatio || 1);
    const epoch = this.#epoch;
    const view = this.#view;
    const current = this.#isCurrent();
    if (this.#dirty.has("pixels")) {
      this.#job ??= new PixelJob(this.pixels, { view, epoch, palette: this.palette, marks: this.selected, now: current ? this.#now : 0, scale });
      if (!this.#job.slice()) {
        this.#frame = requestAnimationFrame(() => this.#draw());
        return;
      }
      this.#job = null;
    }
    const dirty = this.#dirty;
    this.#dirty = new Set();
    const now = current ? this.#now : -1;
    if (dirty.has("marks")) {
      const cursor = this.#focused ? this.#cursor : -1;
      drawMarks(this.marks, { view, epoch, clock, utc, margin: this.#margin, scale, now, hover: this.#hover, cursor, colours: this.colours, inkOf: this.#inkOf });
    }
    if (dirty.has("strip")) {
      const seen = view.isWhole() ? null : [view.start, view.end];
      drawStrip(this.overview, { epoch, marks: this.selected, now, seen, mode });
    }
    if (dirty.has("range")) this.#sayRange();
  }

  #sayRange() {
    const { clock } = this.#store.state;
    const view = this.#view;
    const slots = view.end - Math.floor(view.start);
    const time = clock ? ` · about ${duration(slots * clock.slotMillis)}` : "";
    say(byId("range"), view.isWhole() ? `${plural(slots, "slot")}${time}` : `${count(slots)} of ${plural(view.slots, "slot")}${time}`);
  }

  /** Black or white, whichever is better read on the cell of a leader. */
  #inkOf = (leader, index) => {
    const mark = this.selected.find((one) => one.leader === leader);
    const { rest, colours, pastRest, pastColours } = this.palette;
    const over = this.#isCurrent() && index < this.#now;
    const faded = this.selected.length > 0;
    const pixel = (faded ? (over ? pastRest : rest) : over ? pastColours : colours)[leader];
    const [r, g, b] = mark ? mark.rgb : [pixel & 255, (pixel >>> 8) & 255, (pixel >>> 16) & 255];
    return 0.3 * r + 0.59 * g + 0.11 * b > 122 ? "#14130f" : "#ffffff";
  };

  #showTip(index, hint = "Enter selects.") {
    const place = index >= 0 ? this.#view.placeOf(index) : null;
    if (!place) {
      this.tip.hide();
      return "";
    }
    const bounds = { width: this.#width + this.#margin, height: this.#height };
    return this.tip.show(this.#store.state, index, this.#margin + place.x + this.#view.slotWidth / 2, place.y + this.#view.rowHeight / 2, bounds, hint);
  }

  #toggle(leader) {
    keepInPlace(this.plot, () => toggle(this.#store, this.#epoch.identities[leader]));
  }

  #buttons() {
    const zone = (utc) => {
      byId("zone-utc").setAttribute("aria-pressed", String(utc));
      byId("zone-local").setAttribute("aria-pressed", String(!utc));
    };
    zone(this.#store.state.utc);
    this.#store.watch(["utc"], ({ utc }) => zone(utc));
    for (const [id, utc] of [["zone-utc", true], ["zone-local", false]]) {
      byId(id).addEventListener("click", () => {
        remember("zone", utc ? "utc" : "local");
        this.#store.set({ utc });
      });
    }
    byId("zoom-in").addEventListener("click", () => this.#actions.zoom(1.6));
    byId("zoom-out").addEventListener("click", () => this.#actions.zoom(1 / 1.6));
    byId("zoom-all").addEventListener("click", () => this.#actions.jump("whole"));
    byId("zoom-now").addEventListener("click", () => this.#actions.jump("now"));
    this.overview.addEventListener("pointerdown", (event) => {
      if (!this.#view) return;
      const box = this.overview.getBoundingClientRect();
      this.#view.centre(((event.clientX - box.left) / box.width) * this.#epoch.slots);
      this.#seen();
    });
  }

  #listen() {
    listen(this.plot, () => this.#margin, new Proxy(this.#actions, {
      // Before there is an epoch nothing can be done to it.
      get: (actions, name) => (this.#view ? actions[name] : () => true),
    }));
    this.plot.addEventListener("focus", () => {
      this.#focused = true;
      this.#ask("marks");
    });
    this.plot.addEventListener("blur", () => {
      this.#focused = false;
      this.tip.hide();
      this.#ask("marks");
    });
  }

  /** What input.js calls. */
  #actions = {
    isWhole: () => this.#view.isWhole(),
    zoom: (factor, x, y) => {
      const place = x === undefined && this.#cursor >= 0 ? this.#view.placeOf(this.#cursor) : null;
      const at = place ? [place.x, place.y + this.#view.rowHeight / 2] : [this.#view.width / 2, this.#view.height / 2];
      this.#view.zoom(factor, x ?? at[0], y ?? at[1]);
      this.#hover = -1;
      this.tip.hide();
      this.#seen();
    },
    pan: (dx, dy) => {
      this.#view.pan(dx, dy);
      this.#seen();
    },
    panView: (dx, dy) => {
      const { rows, perRow } = this.#view;
      this.#view.set(this.#view.start + dx * Math.ceil(perRow / 4) + dy * Math.ceil(rows / 2) * perRow, perRow);
      this.tip.hide();
      this.#seen();
    },
    hover: (x, y) => {
      const index = x === null ? -1 : this.#view.indexAt(x, y);
      if (index === this.#hover) return;
      this.#hover = index;
      this.#showTip(index, "A click selects the leader.");
      this.#ask("marks");
    },
    click: (x, y, pointer) => {
      const index = this.#view.indexAt(x, y);
      if (index < 0) return;
      const leader = this.#epoch.leaderAt(index);
      const again = !this.tip.node.hidden && this.#cursor >= 0 && this.#epoch.leaderAt(this.#cursor) === leader;
      this.#cursor = index;
      // A finger cannot hover: it asks first, and selects when it comes again.
      if (pointer === "touch" && !again) this.#showTip(index, "Another tap selects the leader.");
      else this.#toggle(leader);
      this.#ask("marks");
    },
    moveCursor: (dx, dy) => {
      const per = this.#epoch.perRotation;
      const wide = this.#view.slotWidth >= 6;
      const from = this.#cursor >= 0 ? this.#cursor : this.#isCurrent() ? this.#now : Math.floor(this.#view.start);
      const step = dx * (wide ? 1 : per) + dy * this.#view.perRow;
      const first = this.#cursor < 0 ? from : from + step;
      this.#cursor = Math.max(0, Math.min(this.#epoch.slots - 1, first));
      this.#view.reveal(this.#cursor);
      this.#hover = -1;
      this.#seen();
      say(byId("plot-said"), this.#showTip(this.#cursor));
    },
    jump: (where) => this.#jump(where),
  };

  #jump(where) {
    const last = this.#epoch.slots - 1;
    switch (where) {
      case "first": this.#cursor = 0; this.#view.set(0, this.#view.perRow); break;
      case "last": this.#cursor = last; this.#view.set(last, this.#view.perRow); break;
      case "whole": this.#view.fit(); break;
      case "now": if (this.#isCurrent()) this.goTo(this.#epoch.firstSlot + this.#now); return;
      case "select": if (this.#cursor >= 0) this.#toggle(this.#epoch.leaderAt(this.#cursor)); return;
      case "leave": this.tip.hide(); return;
    }
    this.#seen();
    if (where !== "whole") say(byId("plot-said"), this.#showTip(this.#cursor));
    else this.tip.hide();
  }
}
