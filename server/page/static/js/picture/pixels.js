// The pixels of the picture: one line for every row of slots, drawn as tall as the
// row is. Work is done in slices, so that the page stays responsive.

import { mix, pack } from "../data/colour.js";

/** From this width of a slot on, slots are told apart within a rotation. */
const slotsApart = 6;
/** Selected leaders' rotations are at least so wide, CSS pixels. */
const leastMark = 2;
/** How much of the leader's colour the lines between its slots have. */
const slotLine = 0.72;
/** How much of its colour a selected leader's slot has when it is over. */
const overMark = 0.62;
/** How long a slice may take. */
const sliceMillis = 8;

/**
 * What to draw: `view` (View), `epoch`, `palette`, `marks` ([{leader, rgb}] of the
 * selected), `now` (slot index up to which slots are over; 0 for none), `scale`
 * (device pixels a CSS pixel).
 */
export class PixelJob {
  constructor(canvas, job) {
    Object.assign(this, job);
    this.canvas = canvas;
    const width = Math.max(1, Math.round(this.view.width * this.scale));
    const height = Math.max(1, Math.round(this.view.height * this.scale));
    this.image = imageOf(canvas, width, height);
    this.out = new Uint32Array(this.image.data.buffer);
    this.line = new Uint32Array(width);
    this.row = 0;
    // When the view moves on before the job is done, the job stays consistent.
    this.view = { ...this.view, start: this.view.start, end: this.view.end };
    const faded = this.marks.length > 0;
    this.ahead = faded ? this.palette.rest : this.palette.colours;
    this.over = faded ? this.palette.pastRest : this.palette.pastColours;
    this.inks = this.marks.map(({ leader, rgb }) => ({ leader, ahead: pack(rgb), over: mix(pack(rgb), this.palette.ground, overMark) }));
    this.out.fill(this.palette.ground);
  }

  /** Draws for a slice of time; true when all is drawn and on the canvas. */
  slice() {
    const until = performance.now() + sliceMillis;
    while (this.row < this.view.rows) {
      this.#drawRow(this.row++);
      if (performance.now() > until && this.row < this.view.rows) return false;
    }
    const { canvas, image } = this;
    if (canvas.width !== image.width || canvas.height !== image.height) {
      canvas.width = image.width;
      canvas.height = image.height;
    }
    canvas.getContext("2d").putImageData(image, 0, 0);
    return true;
  }

  #drawRow(row) {
    const { view, line, out, scale } = this;
    const first = view.start + row * view.perRow;
    const used = this.#base(first);
    if (used > 0) for (const ink of this.inks) this.#mark(first, ink);
    const width = line.length;
    const top = Math.round(row * view.rowHeight * scale);
    const gap = view.rowHeight * scale >= 4 ? Math.max(1, Math.round(view.rowHeight * scale * 0.1)) : 0;
    const bottom = Math.min(this.image.height, Math.round((row + 1) * view.rowHeight * scale) - gap);
    for (let y = top; y < bottom; y++) out.set(line, y * width);
  }

  /** Fills the line with the colours of all leaders; returns how much of it. */
  #base(first) {
    const { view, line, epoch, palette } = this;
    const perPixel = view.perRow / line.length;
    const used = Math.max(0, Math.min(line.length, Math.ceil((view.slots - first) / perPixel)));
    if (used < line.length) line.fill(palette.ground, used);
    if (perPixel > 1.5 * epoch.perRotation) this.#average(first, perPixel, used);
    else this.#sample(first, perPixel, used);
    return used;
  }

  #sample(first, perPixel, used) {
    const { line, epoch, ahead, over, now, palette, view, scale } = this;
    const apart = view.slotWidth >= slotsApart;
    const thin = view.slotWidth * epoch.perRotation >= slotsApart;
    const border = Math.max(1, Math.round(scale));
    for (let p = 0; p < used; p++) {
      const index = Math.floor(first + (p + 0.5) * perPixel);
      const rotation = Math.floor(index / epoch.perRotation);
      const leader = epoch.leaderOf[rotation];
      let pixel = index < now ? over[leader] : ahead[leader];
      const before = Math.floor(first + (p + 0.5 - border) * perPixel);
      if (thin && before !== index) {
        const begins = Math.floor(before / epoch.perRotation) !== rotation;
        if (begins) pixel = palette.ground;
        else if (apart) pixel = mix(pixel, palette.ground, slotLine);
      }
      line[p] = pixel;
    }
  }

  /** Where several rotations share a pixel it has their mean. */
  #average(first, perPixel, used) {
    const { line, epoch, ahead, over, now } = this;
    const { leaderOf, perRotation } = epoch;
    for (let p = 0; p < used; p++) {
      const from = Math.floor((first + p * perPixel) / perRotation);
      const to = Math.min(leaderOf.length, Math.max(from + 1, Math.floor((first + (p + 1) * perPixel) / perRotation)));
      const pixels = from * perRotation < now ? over : ahead;
      let r = 0, g = 0, b = 0;
      for (let i = from; i < to; i++) {
        const pixel = pixels[leaderOf[i]];
        r += pixel & 255;
        g += (pixel >>> 8) & 255;
        b += (pixel >>> 16) & 255;
      }
      const n = to - from;
      line[p] = ((255 << 24) | ((b / n) << 16) | ((g / n) << 8) | (r / n)) >>> 0;
    }
  }

  /** Draws the rotations of a selected leader over the line. */
  #mark(first, { leader, ahead, over }) {
    const { view, line, epoch, now, scale } = this;
    const rotations = epoch.rotationsOf(leader);
    const per = epoch.perRotation;
    const last = Math.min(view.slots, first + view.perRow);
    const pixels = line.length / view.perRow;
    const least = Math.round(leastMark * scale);
    const gap = view.slotWidth * per >= slotsApart ? Math.max(1, Math.round(scale)) : 0;
    for (let i = search(rotations, (first - per + 1) / per); i < rotations.length && rotations[i] * per < last; i++) {
      const slot = rotations[i] * per;
      const from = Math.max(0, Math.round((slot - first) * pixels) + (slot >= first ? gap : 0));
      const to = Math.min(line.length, Math.max(from + least, Math.round((Math.min(slot + per, last) - first) * pixels)));
      line.fill(slot + per <= now ? over : ahead, Math.min(from, line.length - least), to);
      if (view.slotWidth >= slotsApart) this.#slotLines(slot, first, pixels, slot + per <= now ? over : ahead);
    }
  }

  #slotLines(slot, first, pixels, ink) {
    const width = Math.max(1, Math.round(this.scale));
    for (let s = slot + 1; s < slot + this.epoch.perRotation; s++) {
      const x = Math.round((s - first) * pixels);
      if (x >= 0 && x < this.line.length) this.line.fill(mix(ink, this.palette.ground, slotLine), x, x + width);
    }
  }
}

const images = new WeakMap();

/** Pixels for a canvas: the same memory again as long as the size is the same. */
function imageOf(canvas, width, height) {
  let image = images.get(canvas);
  if (image?.width !== width || image.height !== height) {
    image = new ImageData(width, height);
    images.set(canvas, image);
  }
  return image;
}

/** The first place in ascending numbers of one that is not less than x. */
export function search(ascending, x) {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle] < x) low = middle + 1;
    else high = middle;
  }
  return low;
}
