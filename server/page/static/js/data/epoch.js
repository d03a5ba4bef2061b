// The schedule of an epoch, as the worker's tables have it.

export class Epoch {
  constructor(tables) {
    Object.assign(this, tables);
    this.leaders = this.identities.length;
    this.lastSlot = this.firstSlot + this.slots - 1;
    this.numbers = new Map();
    this.votes.forEach((votes, i) => votes.forEach((vote) => this.numbers.set(vote, i)));
    this.identities.forEach((identity, i) => this.numbers.set(identity, i));
  }

  /** The number of the leader with an identity or vote account; -1 for none. */
  leaderOfKey(key) {
    return this.numbers.get(key) ?? -1;
  }

  /** The number of the leader of a slot, by its index in the epoch. */
  leaderAt(index) {
    return this.leaderOf[Math.floor(index / this.perRotation)];
  }

  /** The rotations of a leader, ascending. */
  rotationsOf(leader) {
    return this.rotations.subarray(this.starts[leader], this.starts[leader + 1]);
  }

  /** The consecutive slots that a leader leads, as [first, last] slot indices. */
  windowsOf(leader) {
    const windows = [];
    for (const rotation of this.rotationsOf(leader)) {
      const first = rotation * this.perRotation;
      const last = Math.min(first + this.perRotation, this.slots) - 1;
      const before = windows[windows.length - 1];
      if (before && before[1] === first - 1) before[1] = last;
      else windows.push([first, last]);
    }
    return windows;
  }

  /** Whether a slot is of this epoch. */
  holds(slot) {
    return slot >= this.firstSlot && slot <= this.lastSlot;
  }

  /** How many of the leaders with most stake have a third of it together. */
  thirdHolders() {
    const shares = Float64Array.from(this.shares).sort().reverse();
    let sum = 0;
    let n = 0;
    while (n < shares.length && sum <= 1 / 3) sum += shares[n++];
    return n;
  }
}
