// A whole epoch on one line: where the selected leaders' slots are, how much of
// the epoch is over, and which part the picture shows.

import { sizeOf } from "../base/size.js";
import { cssColours } from "../base/theme.js";
import { css, groundOf } from "../data/colour.js";

/**
 * Draws on a canvas whose size is watched: `epoch`, `marks` ([{leader, rgb}]), `now` (slot
 * index or -1), `seen` ([from, to) in slot indices, or null), `mode`.
 */
export function drawStrip(canvas, { epoch, marks, now, seen, mode }) {
  const scale = devicePixelRatio || 1;
  const colours = cssColours(mode);
  const box = sizeOf(canvas);
  const width = Math.max(1, Math.round(box.width * scale));
  const height = Math.max(1, Math.round(box.height * scale));
  canvas.width = width;
  canvas.height = height;
  const pen = canvas.getContext("2d");
  const x = (index) => (index / epoch.slots) * width;
  pen.fillStyle = css(groundOf(mode));
  pen.fillRect(0, 0, width, height);
  if (now > 0) {
    pen.fillStyle = colours.line;
    pen.globalAlpha = 0.55;
    pen.fillRect(0, 0, x(now), height);
    pen.globalAlpha = 1;
  }
  drawTicks(pen, { epoch, marks, x, height, least: Math.max(1, scale * 0.6) });
  if (seen) {
    pen.strokeStyle = colours.ink;
    pen.lineWidth = 2 * scale;
    const from = x(seen[0]);
    pen.strokeRect(from + scale, scale, Math.max(4 * scale, x(seen[1]) - from) - 2 * scale, height - 2 * scale);
  }
  if (now >= 0 && now < epoch.slots) {
    pen.fillStyle = colours.now;
    pen.fillRect(x(now) - scale, 0, 2 * scale, height);
  }
}

function drawTicks(pen, { epoch, marks, x, height, least }) {
  const each = height / Math.max(1, marks.length);
  marks.forEach(({ leader, rgb }, i) => {
    const rotations = epoch.rotationsOf(leader);
    const width = Math.max(least, x(epoch.perRotation));
    // Where there are more rotations than pixels, overlapping ones show as denser.
    pen.globalAlpha = rotations.length * width > x(epoch.slots) / 2 ? 0.55 : 0.9;
    pen.fillStyle = css(rgb);
    for (const rotation of rotations) pen.fillRect(x(rotation * epoch.perRotation), i * each, width, each - (marks.length > 1 ? 1 : 0));
  });
  pen.globalAlpha = 1;
}
