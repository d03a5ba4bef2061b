// The selected leaders, each with its colour: press one to see its answers.

import { byId, el, fill } from "../base/dom.js";
import { shortKey } from "../base/format.js";
import { css } from "../data/colour.js";
import { drop, selection } from "../data/selection.js";

export function startChips(store) {
  const list = byId("chips");

  store.watch(["selected", "shown", "epoch", "mode"], (state) => {
    const focused = document.activeElement?.closest?.("#chips [data-key]")?.dataset;
    const { key: focusedKey, role: focusedRole } = { ...focused };
    const found = selection(state);
    list.hidden = found.length === 0;
    const chips = found.map((one) => chip(store, one, one.key === state.shown, Boolean(state.epoch)));
    if (found.length > 1) {
      chips.push(el("li", { class: "clear" }, el("button", { type: "button", text: "Clear all", on: { click: () => clear(store) } })));
    }
    fill(list, chips);
    if (focusedKey) refocus(list, focusedKey, focusedRole);
  });
}

function chip(store, { key, leader, rgb }, shown, known) {
  const absent = known && leader < 0 ? el("span", { class: "absent", text: "not in this epoch" }) : null;
  return el("li", { class: shown ? "shown" : null, vars: { leader: css(rgb) } },
    el("button", { class: "show", type: "button", "aria-pressed": String(shown), title: key, "data-key": key, "data-role": "show", on: { click: () => store.set({ shown: key }) } },
      el("span", { class: "swatch" }), el("span", { class: "key", text: shortKey(key) }), absent),
    el("button", { class: "drop", type: "button", "aria-label": `Remove ${shortKey(key)}`, "data-key": key, "data-role": "drop", text: "×", on: { click: () => drop(store, key) } }));
}

function clear(store) {
  store.set({ selected: [], shown: null });
  byId("find").focus();
}

/** Chips are made anew; the focus stays on the same one, or goes to the field. */
function refocus(list, key, role) {
  const same = [...list.querySelectorAll("[data-key]")].find((node) => node.dataset.key === key && node.dataset.role === role);
  (same ?? byId("find")).focus();
}
