// The colours of leaders. A leader's hue is a hash of its identity, so it is the
// same in every epoch and in every browser. Lightness follows from the mode of
// the page; strength grows with stake, so that the eye finds the large ones and
// the long tail stays calm.
//
// Colours are made in OKLCH, where equal lightness looks equally light whatever
// the hue is.

import { hash32 } from "./keys.js";

/** For each mode: ground of the picture, and lightness and chroma of leaders. */
const modes = {
  light: { ground: [0.964, 0.009, 90], tail: [0.79, 0.03], head: [0.6, 0.13], spread: 0.05, strong: [0.56, 0.16], rest: [0.885, 0.008], paler: 0.5 },
  dark: { ground: [0.16, 0.004, 260], tail: [0.42, 0.035], head: [0.7, 0.13], spread: 0.05, strong: [0.76, 0.15], rest: [0.265, 0.006], paler: 0.5 },
};

/** A share from which on a colour is at its strongest. */
const large = 0.01;

/** Hues of selected leaders are at least so many degrees apart. */
const apart = 38;

/** Dark yellows look like mud, so no hue is from 85 to 130 degrees. */
const [mudFrom, mudTo] = [85, 130];
const clear = (hue) => (hue < mudFrom || hue >= mudTo ? hue : hue < (mudFrom + mudTo) / 2 ? mudFrom : mudTo);

/** The hue of a leader, in degrees. */
export function hueOf(identity) {
  const hue = (hash32(identity) / 2 ** 32) * (360 - (mudTo - mudFrom));
  return hue < mudFrom ? hue : hue + (mudTo - mudFrom);
}

/** OKLCH to the three bytes of sRGB, each clamped to what screens show. */
export function toRGB(lightness, chroma, hue) {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    encode(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    encode(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    encode(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

function encode(linear) {
  const value = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
  return Math.max(0, Math.min(255, Math.round(value * 255)));
}

/** As ImageData has pixels, seen through a Uint32Array. */
export const pack = ([r, g, b]) => ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;

/** `part` of one pixel and the rest of another. */
export function mix(one, other, part) {
  const channel = (shift) => Math.round(((one >>> shift) & 255) * part + ((other >>> shift) & 255) * (1 - part)) << shift;
  return ((255 << 24) | channel(16) | channel(8) | channel(0)) >>> 0;
}

export const css = ([r, g, b]) => `rgb(${r} ${g} ${b})`;

/** The ground of the picture in a mode, as three bytes. */
export const groundOf = (mode) => toRGB(...modes[mode].ground);

/** The colour that stands for a leader in words, where it is next to its name. */
export const strongRGB = (hue, mode) => toRGB(...modes[mode].strong, hue);

/** The colour of a leader in the picture when none is selected. */
function pictureRGB(identity, share, mode) {
  const { head, tail, spread } = modes[mode];
  const weight = Math.min(1, (share / large) ** 0.7);
  const vary = ((hash32(`${identity}~`) & 255) / 255 - 0.5) * spread;
  const between = (i) => tail[i] + (head[i] - tail[i]) * weight;
  return toRGB(between(0) + vary, between(1), hueOf(identity));
}

/** What a leader looks like beside selected ones: grey, a little uneven. */
function restRGB(identity, mode) {
  const [lightness, chroma] = modes[mode].rest;
  return toRGB(lightness + ((hash32(identity) >>> 8) % 100) / 100 * 0.035, chroma, hueOf(identity));
}

/**
 * The pixels of all leaders of an epoch: as they are, when their slots are over,
 * and both beside selected leaders.
 */
export function palette(epoch, mode) {
  const ground = pack(groundOf(mode));
  const { paler } = modes[mode];
  const colours = new Uint32Array(epoch.leaders);
  const rest = new Uint32Array(epoch.leaders);
  for (let i = 0; i < epoch.leaders; i++) {
    colours[i] = pack(pictureRGB(epoch.identities[i], epoch.shares[i], mode));
    rest[i] = pack(restRGB(epoch.identities[i], mode));
  }
  const past = (pixels) => pixels.map((pixel) => mix(pixel, ground, paler));
  return { epoch, mode, ground, colours, pastColours: past(colours), rest, pastRest: past(rest) };
}

/**
 * The hues of selected leaders: their own, moved where two would look alike.
 * The first selected keeps its own.
 */
export function distinctHues(identities) {
  const hues = [];
  for (const identity of identities) {
    const own = hueOf(identity);
    let hue = own;
    for (let step = 0; step < 36 && hues.some((other) => distance(hue, other) < apart); step++) {
      const side = step % 2 ? -1 : 1;
      hue = clear((own + side * Math.ceil((step + 1) / 2) * 10 + 720) % 360);
    }
    hues.push(hue);
  }
  return hues;
}

const distance = (a, b) => Math.min(Math.abs(a - b), 360 - Math.abs(a - b));
