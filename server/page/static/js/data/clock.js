// Which slot it is, and when slots begin, from what /v1/status says of it.

import { parseTime } from "../base/time.js";

/** Below this the computer's clock counts as right: the header is that coarse. */
const leastLate = 2500;

export class SlotClock {
  /** `late`: how far the service is behind this computer's clock, milliseconds. */
  constructor(said, late) {
    this.slot = said.slot;
    this.at = parseTime(said.time);
    this.slotMillis = said.slotMillis;
    this.errorMillis = said.errorMillis ?? 0;
    this.relError = said.relError ?? 0;
    this.source = said.source ?? "";
    this.basis = said.basis ?? "";
    this.stale = Boolean(said.stale);
    this.assumed = Boolean(said.assumed);
    this.late = late !== null && Math.abs(late) > leastLate ? late : 0;
  }

  /** Returns a clock, or null where what was said is not enough for one. */
  static from(said, late) {
    if (!said) return null;
    const clock = new SlotClock(said, late);
    return Number.isFinite(clock.at) && clock.slotMillis > 0 ? clock : null;
  }

  /** The present by the service's clock, milliseconds. */
  now() {
    return Date.now() - this.late;
  }

  /** When a slot begins, milliseconds. */
  timeOf(slot) {
    return this.at + (slot - this.slot) * this.slotMillis;
  }

  /** Half the width of the 95 % band of that: it grows with the distance. */
  bandOf(slot) {
    return Math.hypot(this.errorMillis, 1.96 * this.relError * this.slotMillis * (slot - this.slot));
  }

  /** The slot that runs at a time. */
  slotAt(millis) {
    return this.slot + Math.floor((millis - this.at) / this.slotMillis);
  }

  slotNow() {
    return this.slotAt(this.now());
  }
}
