// The times in the margin of the picture: full hours, or what suits the rows.

import { day, hourMinute, offset } from "../base/time.js";
import { count } from "../base/format.js";

const minute = 60_000;
const steps = [1 / 6, 1 / 2, 1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440, 2880, 10080].map((n) => n * minute);
/** Labels are at least so far apart, CSS pixels. */
const leastApart = 22;

/**
 * Returns the labels of a view: [{row, text, strong}]. Without a clock they are
 * slot indices. `utc` chooses the zone, `short` words for a narrow margin.
 */
export function marginLabels(view, epoch, clock, utc, short) {
  const rows = Math.min(view.rows, Math.ceil((epoch.slots - view.start) / view.perRow));
  if (!clock) return indexLabels(view, rows);
  const perRow = view.perRow * clock.slotMillis;
  const rowsApart = Math.max(1, Math.ceil(leastApart / view.rowHeight));
  const step = steps.find((millis) => millis >= rowsApart * perRow) ?? steps[steps.length - 1];
  const labels = [];
  for (let row = 0; row < rows; row++) {
    const begins = clock.timeOf(epoch.firstSlot + view.start + row * view.perRow);
    const ends = begins + perRow;
    const tick = Math.ceil((begins + offset(begins, utc) * minute) / step) * step - offset(begins, utc) * minute;
    if (tick >= ends) continue;
    const midnight = (tick + offset(tick, utc) * minute) % (1440 * minute) === 0;
    labels.push(midnight ? { row, text: day(tick, utc, short), strong: true } : { row, text: hourMinute(tick, utc, step < minute), strong: false });
  }
  return labels;
}

function indexLabels(view, rows) {
  const apart = Math.max(1, Math.ceil(leastApart / view.rowHeight));
  const labels = [];
  for (let row = 0; row < rows; row += apart) {
    labels.push({ row, text: count(Math.ceil(view.start + row * view.perRow)), strong: false });
  }
  return labels;
}
