// Tables of an epoch: who leads each rotation, and what each leader has.
//
// A rank stands for an entry of the stake list, a leader for an identity. One
// identity may have several entries.

/** Slots that one leader gets in a row: the message knows no other number. */
const perRotation = 4;

/** Reads an epoch.new message. */
export function readSchedule(message) {
  const value = message?.value;
  const pubkeys = value?.staked_pubkeys;
  const lamports = value?.staked_lamports;
  const ranks = value?.leader_slots;
  if (!Array.isArray(pubkeys) || !Array.isArray(lamports) || !Array.isArray(ranks) || lamports.length !== pubkeys.length) {
    throw new Error("The schedule is not an epoch.new message.");
  }
  const slots = value.end_slot - value.start_slot + 1;
  if (!(slots > 0) || ranks.length !== Math.ceil(slots / perRotation)) {
    throw new Error(`The schedule has ${ranks.length} rotations for ${slots} slots.`);
  }
  const { identities, stakes, leaderOfRank } = mergeRanks(pubkeys, lamports);
  const leaderOf = new Uint32Array(ranks.length);
  for (let i = 0; i < ranks.length; i++) {
    const leader = leaderOfRank[ranks[i]];
    if (leader === undefined) throw new Error(`Rotation ${i} names rank ${ranks[i]} of ${pubkeys.length}.`);
    leaderOf[i] = leader;
  }
  return {
    epoch: value.epoch, firstSlot: value.start_slot, slots, perRotation, leaderOf, identities,
    stakes: stakes.map(String), totalStake: String(stakes.reduce((sum, stake) => sum + stake, 0n)),
    ...rotationLists(leaderOf, identities.length),
  };
}

function mergeRanks(pubkeys, lamports) {
  const identities = [];
  const stakes = [];
  const numbers = new Map();
  const leaderOfRank = pubkeys.map((identity, rank) => {
    let leader = numbers.get(identity);
    if (leader === undefined) {
      leader = identities.length;
      numbers.set(identity, leader);
      identities.push(String(identity));
      stakes.push(0n);
    }
    stakes[leader] += BigInt(lamports[rank]);
    return leader;
  });
  return { identities, stakes, leaderOfRank };
}

/** The rotations of leader i are rotations[starts[i]] to rotations[starts[i+1]-1]. */
function rotationLists(leaderOf, leaders) {
  const starts = new Uint32Array(leaders + 1);
  for (const leader of leaderOf) starts[leader + 1]++;
  for (let i = 0; i < leaders; i++) starts[i + 1] += starts[i];
  const next = starts.slice(0, leaders);
  const rotations = new Uint32Array(leaderOf.length);
  for (let i = 0; i < leaderOf.length; i++) rotations[next[leaderOf[i]]++] = i;
  return { starts, rotations };
}

/**
 * Adds votes, shares, slots, expected slots and luck by leader. What the service
 * says of leaders goes before what follows from the schedule alone, which has no
 * vote accounts.
 */
export function countLeaders(tables, said) {
  const n = tables.identities.length;
  const total = Number(tables.totalStake);
  const windows = tables.leaderOf.length;
  tables.votes = Array.from({ length: n }, () => []);
  tables.shares = new Float64Array(n);
  tables.slotsOf = new Uint32Array(n);
  tables.expected = new Float64Array(n);
  tables.luck = new Float64Array(n);
  tables.problem = said.problem ?? null;
  for (let i = 0; i < n; i++) {
    const share = total > 0 ? Number(tables.stakes[i]) / total : 0;
    const own = tables.starts[i + 1] - tables.starts[i];
    tables.shares[i] = share;
    tables.slotsOf[i] = own * perRotation;
    tables.expected[i] = share * tables.slots;
    tables.luck[i] = share > 0 && share < 1 ? (own - windows * share) / Math.sqrt(windows * share * (1 - share)) : 0;
  }
  shortLastRotation(tables);
  const numbers = new Map(tables.identities.map((identity, i) => [identity, i]));
  for (const leader of said.leaders ?? []) {
    const i = numbers.get(leader.identity);
    if (i === undefined) continue;
    tables.votes[i] = (leader.voteAccounts ?? []).map(String);
    if (Number.isFinite(leader.expectedSlots)) tables.expected[i] = leader.expectedSlots;
    if (Number.isFinite(leader.z)) tables.luck[i] = leader.z;
  }
}

/** The last rotation of an epoch may have fewer slots. */
function shortLastRotation(tables) {
  const missing = tables.leaderOf.length * perRotation - tables.slots;
  if (missing > 0) tables.slotsOf[tables.leaderOf[tables.leaderOf.length - 1]] -= missing;
}
