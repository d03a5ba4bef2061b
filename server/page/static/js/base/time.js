// Times in UTC and in the reader's zone. Each says which it is.

import { el } from "./dom.js";

const formats = new Map();

function parts(millis, utc) {
  let format = formats.get(utc);
  if (!format) {
    format = new Intl.DateTimeFormat("en-GB", {
      timeZone: utc ? "UTC" : undefined, hourCycle: "h23", weekday: "short", day: "numeric", month: "short",
      year: "numeric", hour: "2-digit", minute: "2-digit", second: "2-digit",
    });
    formats.set(utc, format);
  }
  return Object.fromEntries(format.formatToParts(millis).map((part) => [part.type, part.value]));
}

/** "Tue 2 Dec 14:03:12", with the year where it is another one than now. */
export function dateTime(millis, utc) {
  const p = parts(millis, utc);
  const year = p.year === parts(Date.now(), utc).year ? "" : ` ${p.year}`;
  return `${p.weekday} ${p.day} ${p.month}${year} ${p.hour}:${p.minute}:${p.second}`;
}

/** "Tue 2 Dec", or "Tue 2". */
export function day(millis, utc, short) {
  const p = parts(millis, utc);
  return short ? `${p.weekday} ${p.day}` : `${p.weekday} ${p.day} ${p.month}`;
}

/** "14:03". */
export function hourMinute(millis, utc, seconds = false) {
  const p = parts(millis, utc);
  return seconds ? `${p.hour}:${p.minute}:${p.second}` : `${p.hour}:${p.minute}`;
}

/** Minutes that a zone is before UTC at a time. */
export const offset = (millis, utc) => (utc ? 0 : -new Date(millis).getTimezoneOffset());

/** The zone at a time: "UTC+5:30". */
export function zone(millis, utc) {
  const minutes = offset(millis, utc);
  if (minutes === 0) return "UTC";
  const size = Math.abs(minutes);
  const rest = size % 60 ? `:${String(size % 60).padStart(2, "0")}` : "";
  return `UTC${minutes < 0 ? "−" : "+"}${Math.floor(size / 60)}${rest}`;
}

/** An element of a time, whose machine-readable value is RFC 3339. */
export function timeElement(millis, utc, text = dateTime(millis, utc)) {
  const iso = new Date(millis).toISOString();
  return el("time", { datetime: iso, title: `${iso} (${zone(millis, utc)} shown)`, text });
}

/** The time in UTC, and a word more, for where there is no room for columns of them. */
export function narrowUTC(millis, more) {
  const p = parts(millis, true);
  return el("span", { class: "sub narrow-only" }, timeElement(millis, true, `${p.weekday} ${p.hour}:${p.minute}:${p.second}`), ` UTC ${more}`);
}

/** Milliseconds of an RFC 3339 time; NaN for null or anything else. */
export const parseTime = (text) => (typeof text === "string" ? Date.parse(text) : NaN);
