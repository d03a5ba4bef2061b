// What of the state stands in the address, behind #, so that a link shows the
// same: epoch, selected leaders, the part of the picture, the quiet time.

import { keyPattern } from "../data/keys.js";

/** How many leaders can be selected at once: more colours are not told apart. */
export const mostSelected = 8;

const relations = ["previous", "current", "next"];

/** Reads the part behind #. What is not well formed is left out. */
export function parseAddress(hash) {
  const params = new URLSearchParams(hash.replace(/^#/, ""));
  const state = { wanted: "current", selected: [], shown: null, view: null, quietTime: null };
  const epoch = params.get("epoch") ?? "";
  if (relations.includes(epoch)) state.wanted = epoch;
  else if (/^\d{1,15}$/.test(epoch)) state.wanted = Number(epoch);
  const keys = (params.get("leaders") ?? "").split(",").filter((key) => keyPattern.test(key));
  state.selected = [...new Set(keys)].slice(0, mostSelected);
  const shown = params.get("shown");
  state.shown = state.selected.includes(shown) ? shown : (state.selected[0] ?? null);
  const [start, row] = (params.get("view") ?? "").split("-").map((text) => (/^\d{1,12}$/.test(text) ? Number(text) : NaN));
  if (start >= 0 && row > 0) state.view = { start, row };
  const quiet = params.get("quiet");
  if (/^\d{1,4}[smh]$/.test(quiet ?? "")) state.quietTime = quiet;
  return state;
}

/** The inverse. Defaults are left out. */
export function printAddress({ wanted, selected, shown, view, quietTime }) {
  const parts = [];
  if (wanted !== "current") parts.push(`epoch=${wanted}`);
  if (selected.length) parts.push(`leaders=${selected.join(",")}`);
  if (shown && shown !== selected[0]) parts.push(`shown=${shown}`);
  if (view) parts.push(`view=${Math.round(view.start)}-${view.row}`);
  if (quietTime) parts.push(`quiet=${quietTime}`);
  return parts.length ? `#${parts.join("&")}` : "";
}

/** Follows the state with the address, and the address with the state. */
export function startAddress(store, { onNavigate }) {
  let timer = 0;

  function write() {
    timer = 0;
    const hash = printAddress(store.state);
    if (hash !== location.hash) history.replaceState(null, "", hash || location.pathname + location.search);
  }

  // Browsers limit how often the address may change.
  store.watch(["wanted", "selected", "shown", "view", "quietTime"], () => {
    if (!timer) timer = setTimeout(write, 250);
  });
  addEventListener("hashchange", () => {
    clearTimeout(timer);
    timer = 0;
    onNavigate(parseAddress(location.hash));
  });
}
