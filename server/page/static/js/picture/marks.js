// What is drawn over the pixels: times in the margin, names in wide cells, the
// present slot, and the slot under the pointer or the cursor.

import { marginLabels } from "./margin.js";

/** From this width of a rotation and height of a row on, leaders are named. */
const nameWidth = 46;
const nameHeight = 17;

/**
 * Draws on a canvas that covers the plot: `view`, `epoch`, `clock`, `utc`,
 * `margin` (its width, CSS pixels), `scale`, `colours` (css colours by name), `now`
 * (slot index or -1), `hover` and `cursor` (slot index or -1), `inkOf` (the ink on a
 * leader's cell, by leader and slot index).
 */
export function drawMarks(canvas, job) {
  const { scale, view, margin } = job;
  const width = Math.round((view.width + margin) * scale);
  const height = Math.round(view.height * scale);
  if (canvas.width !== width || canvas.height !== height) {
    canvas.width = width;
    canvas.height = height;
  }
  const pen = canvas.getContext("2d");
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  pen.clearRect(0, 0, view.width + margin, view.height);
  drawMargin(pen, job);
  drawNames(pen, job);
  if (job.now >= 0) drawNow(pen, job);
  if (job.hover >= 0) box(pen, job, job.hover, job.colours.ink, 1.5);
  if (job.cursor >= 0) box(pen, job, job.cursor, job.colours.accent, 2.5);
}

function drawMargin(pen, { view, epoch, clock, utc, margin, colours }) {
  pen.textAlign = "right";
  pen.textBaseline = "middle";
  for (const { row, text, strong } of marginLabels(view, epoch, clock, utc, margin < 60)) {
    pen.font = `${strong ? 600 : 400} 11px ${colours.font}`;
    pen.fillStyle = strong ? colours.ink : colours.soft;
    const y = Math.max(7, Math.min(view.height - 7, (row + 0.5) * view.rowHeight));
    pen.fillText(text, margin - 7, y, margin - 8);
  }
}

function drawNames(pen, { view, epoch, margin, inkOf, colours }) {
  const per = epoch.perRotation;
  const cell = view.slotWidth * per;
  if (cell < nameWidth || view.rowHeight < nameHeight) return;
  pen.font = `500 ${Math.min(13, view.rowHeight * 0.42)}px ${colours.mono}`;
  pen.textAlign = "left";
  const letters = Math.max(3, Math.min(11, Math.floor((cell - 10) / pen.measureText("0").width)));
  for (let rotation = Math.ceil(view.start / per); rotation * per < view.end; rotation++) {
    const place = view.placeOf(rotation * per);
    if (!place || place.x + cell > view.width + 1) continue;
    const leader = epoch.leaderOf[rotation];
    pen.fillStyle = inkOf(leader, rotation * per);
    pen.fillText(epoch.identities[leader].slice(0, letters), margin + place.x + 5, place.y + view.rowHeight * 0.47);
  }
}

function drawNow(pen, { view, now, margin, colours }) {
  const place = view.placeOf(now);
  if (!place) return;
  const x = margin + place.x;
  const width = Math.max(2, view.slotWidth);
  pen.strokeStyle = colours.now;
  pen.fillStyle = colours.now;
  pen.lineWidth = 2;
  if (view.slotWidth >= 6) {
    pen.strokeRect(x + 1, place.y, width - 1, view.rowHeight - 1);
    return;
  }
  pen.fillRect(x, place.y - 3, width, view.rowHeight + 5);
  pen.beginPath();
  pen.arc(x + width / 2, place.y - 5, 4, 0, 7);
  pen.fill();
}

/** A frame around the rotation of a slot, and around the slot where it is wide. */
function box(pen, { view, epoch, margin, colours }, index, colour, line) {
  const per = epoch.perRotation;
  const wide = view.slotWidth >= 6;
  const first = wide ? index : index - (index % per);
  const place = view.placeOf(first) ?? view.placeOf(index);
  if (!place) return;
  const width = Math.max(5, view.slotWidth * (wide ? 1 : per));
  const height = Math.max(5, view.rowHeight);
  const x = margin + place.x - (wide ? 0 : 1);
  pen.lineWidth = line + 2;
  pen.strokeStyle = colours.plot;
  pen.strokeRect(x - 0.5, place.y - 1, width + 1, height + 1);
  pen.lineWidth = line;
  pen.strokeStyle = colour;
  pen.strokeRect(x - 0.5, place.y - 1, width + 1, height + 1);
}
