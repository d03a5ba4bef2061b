// The schedule in every form, whole or of the selected leaders.

import { byId, el, fill } from "../base/dom.js";
import { plural } from "../base/format.js";
import { base } from "../data/api.js";
import { marksOf, selection } from "../data/selection.js";

const formats = [
  { name: "text", words: "as “solana leader-schedule” prints it", end: "txt", filters: true },
  { name: "json", words: "its JSON, a slot and a leader a row", end: "json", filters: true },
  { name: "json-compact", words: "the same on one line", end: "json", filters: true },
  { name: "rpc", words: "getLeaderSchedule’s result", end: "json", filters: true },
  { name: "csv", words: "slot, index, leader, vote account", end: "csv", filters: true },
  { name: "parquet", words: "the same in columns", end: "parquet", filters: false },
  { name: "epoch-new", words: "stakes and a rank a rotation, the smallest", end: "json", filters: false },
  { name: "digest", words: "one line to compare by", end: "txt", filters: false },
];

export function startDownloads(store) {
  const section = byId("downloads");
  let limited = false;

  function show() {
    const { summary } = store.state;
    section.hidden = !summary;
    if (!summary) return;
    const identities = marksOf(selection(store.state)).map(({ identity }) => identity);
    const only = limited && identities.length > 0;
    const box = el("input", { type: "checkbox", id: "limit", checked: only });
    const focused = document.activeElement?.id === "limit";
    box.addEventListener("change", () => {
      limited = box.checked;
      show();
    });
    fill(section,
      el("h2", { id: "downloads-title", text: "Downloads" }),
      identities.length ? el("p", { class: "download-limit" }, box, el("label", { for: "limit", text: `only the slots of the ${plural(identities.length, "selected leader")}` })) : null,
      el("ul", { class: "download-list" }, formats.map((format) => link(format, summary.epoch, only ? identities : []))));
    if (focused) byId("limit")?.focus();
  }

  store.watch(["summary", "selected", "epoch"], show);
}

function link({ name, words, end, filters }, epoch, identities) {
  const query = new URLSearchParams({ format: name });
  const some = filters ? identities : [];
  for (const identity of some) query.append("identity", identity);
  return el("li", {},
    el("a", { href: `${base}epochs/${epoch}/schedule?${query}`, download: `epoch-${epoch}-${name}${some.length ? "-selected" : ""}.${end}`, text: name }),
    el("span", { class: "sub", text: identities.length && !filters ? `${words} (whole only)` : words }));
}
