// Numbers, stakes, keys and durations in words.

const whole = new Intl.NumberFormat("en-US");

/** 432000 -> "432,000". */
export const count = (n) => whole.format(n);

/** "1 leader", "2 leaders". */
export const plural = (n, one, many = `${one}s`) => `${count(n)} ${n === 1 ? one : many}`;

/** Lamports in decimal -> SOL, whole: "399,123,456". Exact below a SOL too. */
export function sol(lamports) {
  const digits = lamports.padStart(10, "0");
  const all = BigInt(digits.slice(0, -9));
  if (all > 0n) return whole.format(all);
  const rest = digits.slice(-9).replace(/0+$/, "");
  return rest === "" ? "0" : `0.${rest}`;
}

/** All digits: "399,123,456.000000001 SOL". */
export function solExactly(lamports) {
  const digits = lamports.padStart(10, "0");
  return `${whole.format(BigInt(digits.slice(0, -9)))}.${digits.slice(-9)} SOL`;
}

/** 0.0123 -> "1.23 %". */
export function percent(part) {
  const value = part * 100;
  if (value === 0) return "0 %";
  if (value < 0.001) return "< 0.001 %";
  return `${value.toFixed(value < 0.1 ? 3 : value < 10 ? 2 : 1)} %`;
}

/** Expected slots: "1,234" or "0.31". */
export const expected = (slots) => (slots >= 100 ? count(Math.round(slots)) : slots.toFixed(slots >= 10 ? 1 : 2));

/** 1.234 -> "+1.2 σ". */
export const sigma = (z) => `${z < 0 ? "−" : "+"}${Math.abs(z).toFixed(1)} σ`;

/** A key in as many characters as tell it apart by eye: "7xKqBd…9fTz". */
export const shortKey = (key) => (key.length > 16 ? `${key.slice(0, 6)}…${key.slice(-4)}` : key);

const two = (n) => String(n).padStart(2, "0");

/** Milliseconds -> "1 d 03:12:45" or "03:12:45"; 0 where there are fewer. */
export function countdown(millis) {
  const seconds = Math.max(0, Math.floor(millis / 1000));
  const clock = `${two(Math.floor(seconds / 3600) % 24)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return seconds >= 86400 ? `${Math.floor(seconds / 86400)} d ${clock}` : clock;
}

/** Milliseconds in two units: "2 h 5 min", "14 min", "1.6 s". */
export function duration(millis) {
  const seconds = millis / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 90) return `${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) {
    const rest = Math.round(seconds) % 60;
    return seconds < 600 && rest ? `${Math.floor(seconds / 60)} min ${rest} s` : `${minutes} min`;
  }
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 ? `${hours} h ${minutes % 60} min` : `${hours} h`;
  return hours % 24 ? `${Math.floor(hours / 24)} d ${hours % 24} h` : `${hours / 24} d`;
}

/** The half width of a band: "± 2.0 s". */
export const band = (millis) => `± ${duration(millis)}`;
