// What the colours of the picture mean.

import { el, fill } from "../base/dom.js";
import { css } from "../data/colour.js";
import { plural, shortKey } from "../base/format.js";

/** `marks` are the selected leaders, `palette` and `epoch` those of the picture. */
export function showLegend(node, { epoch, palette, marks, isCurrent }) {
  const items = [];
  if (marks.length) {
    for (const { identity, rgb } of marks) {
      items.push(el("span", { vars: { leader: css(rgb) } }, el("span", { class: "swatch" }), el("span", { class: "key", text: shortKey(identity) })));
    }
    items.push(el("span", {}, sample(first(palette.rest)), "all others"));
  } else {
    items.push(el("span", {}, sample(first(palette.colours)), "each leader’s own colour, stronger with more stake"));
  }
  if (isCurrent) {
    items.push(el("span", {}, sample(first(marks.length ? palette.pastRest : palette.pastColours)), "fainter: over"));
    items.push(el("span", {}, el("span", { class: "now" }), "now"));
  }
  items.push(el("span", { text: `one rotation of ${plural(epoch.perRotation, "slot")} after another, from left to right, row by row` }));
  fill(node, items);
}

/** The leaders with most stake come first in an epoch's list. */
const first = (pixels) => pixels.slice(0, 11);

function sample(pixels) {
  const canvas = el("canvas", { width: pixels.length, height: 1, "aria-hidden": "true" });
  const image = new ImageData(pixels.length, 1);
  new Uint32Array(image.data.buffer).set(pixels);
  canvas.getContext("2d").putImageData(image, 0, 0);
  return canvas;
}
