// The selected leaders: what the keys stand for in the epoch shown, and their
// colours.

import { mostSelected } from "../base/address.js";
import { distinctHues, strongRGB } from "./colour.js";

/**
 * Returns [{key, leader, identity, hue, rgb}] of the selected keys. A key may be of
 * a vote account; leader is -1 where the epoch does not know the key.
 */
export function selection({ selected, epoch, mode }) {
  const found = selected.map((key) => {
    const leader = epoch ? epoch.leaderOfKey(key) : -1;
    return { key, leader, identity: leader >= 0 ? epoch.identities[leader] : key };
  });
  const hues = distinctHues(found.map(({ identity }) => identity));
  return found.map((one, i) => ({ ...one, hue: hues[i], rgb: strongRGB(hues[i], mode) }));
}

/** Those of them that can be drawn, each leader once. */
export const marksOf = (selected) =>
  selected.filter(({ leader }, i) => leader >= 0 && selected.findIndex((other) => other.leader === leader) === i);

/** Selects a key too, and shows it. False when as many as can be are selected. */
export function select(store, key) {
  const { selected, epoch } = store.state;
  const same = selected.find((other) => other === key || sameLeader(epoch, other, key));
  if (same) {
    store.set({ shown: same });
    return true;
  }
  if (selected.length >= mostSelected) return false;
  store.set({ selected: [...selected, key], shown: key });
  return true;
}

/** Selects a key, or no longer. */
export function toggle(store, key) {
  const { selected, epoch } = store.state;
  const same = selected.find((other) => other === key || sameLeader(epoch, other, key));
  if (same) drop(store, same);
  else select(store, key);
}

export function drop(store, key) {
  const selected = store.state.selected.filter((other) => other !== key);
  const shown = store.state.shown === key ? (selected[selected.length - 1] ?? null) : store.state.shown;
  store.set({ selected, shown });
}

function sameLeader(epoch, a, b) {
  const leader = epoch?.leaderOfKey(a) ?? -1;
  return leader >= 0 && leader === epoch.leaderOfKey(b);
}
