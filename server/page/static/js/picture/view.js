// Which slots the picture shows, and where. Slots run in rows from left to right
// and from top to bottom, as text does; a row has the same number of slots
// everywhere, so zooming in makes rows shorter in time and taller.

/** The widest that a slot gets, and about the tallest that a row gets, CSS pixels. */
const widest = 26;
const tallest = 40;
/** Rows in the whole height when all is seen, unless the epoch is short. */
const mostRows = 96;
/** A slot 14 pixels wide has a row of 36, and narrower ones less than in proportion. */
const rowHeightOf = (slotWidth) => 36 * (slotWidth / 14) ** 0.45;

/** The height that a short epoch needs in a width; more than any plot for others. */
export const heightFor = (slots, width) => tallest * Math.ceil(slots / Math.max(4, Math.ceil(width / widest)));

export class View {
  constructor(slots, width, height) {
    this.slots = slots;
    this.start = 0;
    this.resize(width, height);
    this.fit();
  }

  /** Sets the size in CSS pixels, and keeps what is seen where that can be. */
  resize(width, height) {
    const whole = this.perRow === undefined || this.isWhole();
    this.width = Math.max(1, width);
    this.height = Math.max(1, height);
    this.mostPerRow = this.#fitting();
    this.leastPerRow = Math.min(this.mostPerRow, Math.max(4, Math.ceil(this.width / widest)));
    if (whole) this.fit();
    else this.set(this.start, this.perRow);
  }

  /** The least number of slots a row with which all rows fit. */
  #fitting() {
    const least = Math.max(4, Math.ceil(this.width / widest));
    let low = least;
    let high = Math.max(least, Math.ceil(this.slots / 4) * 4);
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if (this.#rowsWith(middle) * middle >= this.slots) high = middle;
      else low = middle + 1;
    }
    return Math.ceil(low / 4) * 4;
  }

  #rowsWith(perRow) {
    const wanted = Math.min(tallest, Math.max(this.height / mostRows, rowHeightOf(this.width / perRow)));
    return Math.max(1, Math.floor(this.height / wanted + 1e-9));
  }

  fit() {
    this.set(0, this.mostPerRow);
  }

  /** Shows `perRow` slots a row from slot index `start` on, as near as can be. */
  set(start, perRow) {
    this.perRow = Math.round(Math.min(this.mostPerRow, Math.max(this.leastPerRow, perRow)));
    this.rows = this.#rowsWith(this.perRow);
    this.slotWidth = this.width / this.perRow;
    this.rowHeight = this.height / this.rows;
    this.start = Math.max(0, Math.min(this.slots - this.rows * this.perRow, start));
    if (this.isWhole()) this.start = 0;
  }

  isWhole() {
    return this.perRow >= this.mostPerRow;
  }

  /** The slot index after the last one seen. */
  get end() {
    return Math.min(this.slots, Math.ceil(this.start + this.rows * this.perRow));
  }

  /** The slot index at a point, -1 where there is none. */
  indexAt(x, y) {
    if (x < 0 || y < 0 || x >= this.width) return -1;
    const row = Math.floor(y / this.rowHeight);
    if (row >= this.rows) return -1;
    const index = Math.floor(this.start + row * this.perRow + x / this.slotWidth);
    return index < this.slots ? index : -1;
  }

  /** Where a slot index is: null when it is not seen. */
  placeOf(index) {
    const from = index - this.start;
    if (from <= -1 || from >= this.rows * this.perRow) return null;
    const row = Math.max(0, Math.floor(from / this.perRow));
    return { row, x: (from - row * this.perRow) * this.slotWidth, y: row * this.rowHeight };
  }

  /** Zooms so that the slot at a point stays under it. */
  zoom(factor, x, y) {
    const rowAt = Math.min(this.rows - 1, Math.max(0, Math.floor(y / this.rowHeight)));
    const index = this.start + rowAt * this.perRow + x / this.slotWidth;
    const perRow = Math.round(this.perRow / factor);
    const step = perRow === this.perRow ? -Math.sign(factor - 1) : 0;
    const wanted = Math.min(this.mostPerRow, Math.max(this.leastPerRow, perRow + step));
    const rows = this.#rowsWith(wanted);
    const row = Math.min(rows - 1, Math.floor(y / (this.height / rows)));
    this.set(index - Math.max(0, row) * wanted - (x / this.width) * wanted, wanted);
  }

  /** Moves what is seen by pixels, as a hand on paper does. */
  pan(dx, dy) {
    this.set(this.start - dx / this.slotWidth - (dy / this.rowHeight) * this.perRow, this.perRow);
  }

  /** Puts a slot index in the middle. */
  centre(index) {
    this.set(index - (Math.floor(this.rows / 2) * this.perRow + this.perRow / 2), this.perRow);
  }

  /** Moves no further than needed for a slot index to be seen. */
  reveal(index) {
    if (index < this.start) this.set(this.start - Math.ceil((this.start - index) / this.perRow) * this.perRow, this.perRow);
    const last = this.start + this.rows * this.perRow;
    if (index >= last) this.set(this.start + Math.ceil((index - last + 1) / this.perRow) * this.perRow, this.perRow);
  }
}
