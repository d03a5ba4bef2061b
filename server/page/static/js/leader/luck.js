// How many more or fewer slots than expected, as a bar to the right or the left.

import { el } from "../base/dom.js";
import { sigma } from "../base/format.js";

/** Standard deviations at the ends of the bar. */
const ends = 3.5;

/**
 * Where fewer windows are expected than this, standard deviations say little: one
 * window more is already many of them.
 */
const leastWindows = 5;

export const tellsLittle = (epoch, leader) => epoch.expected[leader] < leastWindows * epoch.perRotation;

export function luckBar(epoch, leader) {
  const z = epoch.luck[leader];
  const size = (Math.min(Math.abs(z), ends) / ends) * 50;
  const few = tellsLittle(epoch, leader);
  const classes = ["luck", z < 0 ? "less" : "", few ? "few" : ""].filter(Boolean).join(" ");
  return el("span", { class: classes, title: few ? "Few windows are expected: this says little." : null },
    el("span", { class: "bar", "aria-hidden": "true", vars: { from: `${z < 0 ? 50 - size : 50}%`, length: `${size}%` } }, el("span", { class: "fill" })),
    el("span", { class: "figure", text: sigma(z) }));
}
