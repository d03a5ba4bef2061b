// Previous, current and next epoch, and a list of all others that are held.

import { byId, el, fill } from "../base/dom.js";

const relations = ["previous", "current", "next"];
const names = { previous: "Previous", current: "Current", next: "Next" };

export function startTabs(store) {
  const list = byId("tabs");
  const choose = (wanted) => store.set({ wanted, view: null });

  store.watch(["heldKey", "wanted", "summary"], (state) => {
    const focused = list.contains(document.activeElement);
    fill(list, relations.map((relation) => tab(state, relation, choose)));
    if (focused) (list.querySelector('[aria-selected="true"]') ?? list.querySelector(".tab:enabled"))?.focus();
    if (!list.querySelector('[tabindex="0"]')) list.querySelector(".tab:enabled")?.setAttribute("tabindex", "0");
    others(state, choose);
  });

  list.addEventListener("keydown", (event) => {
    const tabs = [...list.querySelectorAll(".tab:enabled")];
    const at = tabs.indexOf(document.activeElement);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (to === undefined || at < 0) return;
    event.preventDefault();
    const next = tabs[(to + tabs.length) % tabs.length];
    next.focus();
    next.click();
  });
}

function tab({ epochs, wanted, summary }, relation, choose) {
  const held = epochs?.find((one) => one.relation === relation);
  const selected = held ? summary?.epoch === held.epoch : wanted === relation;
  const detail = held ? tabDetail(held) : epochs ? "not held" : "";
  return el("button", {
    class: "tab", type: "button", role: "tab", id: `tab-${relation}`, "aria-selected": String(selected), "aria-controls": "panel",
    tabindex: selected ? "0" : "-1", disabled: epochs && !held && wanted !== relation, on: { click: () => choose(relation) },
  }, el("b", { text: held ? `${held.epoch}` : "–" }), el("span", { text: names[relation] }), detail ? el("span", { class: "sub", text: detail }) : null);
}

const tabDetail = (held) => (held.provenance?.vintage === "exact" ? "" : (held.provenance?.vintage ?? ""));

function others({ epochs, summary }, choose) {
  const rest = (epochs ?? []).filter((one) => !relations.includes(one.relation));
  const select = byId("other");
  byId("others").hidden = rest.length === 0;
  const options = rest.map((one) => el("option", { value: one.epoch, text: `${one.epoch}`, selected: one.epoch === summary?.epoch })).reverse();
  const shown = rest.some((one) => one.epoch === summary?.epoch);
  fill(select, shown ? options : [el("option", { value: "", text: "choose", selected: true }), ...options]);
  select.onchange = () => {
    if (select.value) choose(Number(select.value));
  };
}
