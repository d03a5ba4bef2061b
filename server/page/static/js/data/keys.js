// Public keys as base58 has them.

/** 32 bytes are 32 to 44 digits. */
export const keyPattern = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/** What can begin a key. */
export const prefixPattern = /^[1-9A-HJ-NP-Za-km-z]{1,44}$/;

/** A number of 32 bits that a text always has: FNV-1a, then mixed. */
export function hash32(text) {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
