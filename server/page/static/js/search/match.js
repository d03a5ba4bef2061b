// Which leaders a text means.

import { prefixPattern } from "../data/keys.js";

/** Splits what was typed at commas and spaces. */
export const tokens = (text) => text.split(/[\s,;]+/).filter(Boolean);

/** Whether a text is a slot number rather than the beginning of a key. */
export const isSlot = (token) => /^\d[\d_']*$/.test(token) && token.replace(/\D/g, "").length >= 4;

export const slotOf = (token) => Number(token.replace(/\D/g, ""));

/**
 * Returns up to `most` leaders of an epoch with an identity or vote account that
 * begins with a text, those with most stake first: [{leader, key, vote}], where
 * `key` is what matched and `vote` says that it is a vote account; and how many there
 * are. Where the epoch has none in these very letters, case is ignored.
 */
export function match(epoch, token, most = 12) {
  if (!prefixPattern.test(token)) return { found: [], total: 0 };
  const exact = scan(epoch, (key) => key.startsWith(token), most);
  if (exact.total > 0) return exact;
  const lower = token.toLowerCase();
  return scan(epoch, (key) => key.slice(0, lower.length).toLowerCase() === lower, most);
}

function scan(epoch, fits, most) {
  const all = [];
  for (let leader = 0; leader < epoch.leaders; leader++) {
    if (fits(epoch.identities[leader])) all.push({ leader, key: epoch.identities[leader], vote: false });
    else {
      const vote = epoch.votes[leader].find(fits);
      if (vote) all.push({ leader, key: vote, vote: true });
    }
  }
  all.sort((a, b) => epoch.shares[b.leader] - epoch.shares[a.leader]);
  return { found: all.slice(0, most), total: all.length };
}
