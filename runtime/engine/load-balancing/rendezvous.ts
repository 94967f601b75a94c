import { hash } from 'node:crypto';
import { spreadBits } from '../../in-memory/spread-bits.ts';

/** 64 bits of hash of a text. Nobody who chooses the text can predict them without trying. */
export type HashedText = readonly [high: number, low: number];

/** One character per byte, because creating a buffer takes longer than the hash. */
const wordAt = (bytes: string, at: number): number =>
  (bytes.charCodeAt(at) |
    (bytes.charCodeAt(at + 1) << 8) |
    (bytes.charCodeAt(at + 2) << 16) |
    (bytes.charCodeAt(at + 3) << 24)) >>>
  0;

export const hashText = (text: string): HashedText => {
  const bytes = hash('sha256', text, 'binary');
  return [wordAt(bytes, 0), wordAt(bytes, 4)];
};

/**
 * Returns a number above 0 and below 1 for a key and a branch. A key's numbers for two branches are independent of each other.
 */
const drawnFor = ([keyHigh, keyLow]: HashedText, [high, low]: HashedText): number => {
  const upper = spreadBits(keyHigh ^ spreadBits(keyLow ^ high));
  const lower = spreadBits(keyLow ^ spreadBits(upper ^ low));
  return ((upper >>> 5) * 0x4000000 + (lower >>> 6) + 0.5) / 2 ** 53;
};

/** A branch that keys may be assigned to. */
export interface RendezvousBranch {
  readonly index: number;
  /** Greater than 0. */
  readonly weight: number;
  readonly hashed: HashedText;
}

/**
 * Returns the branch of a key. Over all keys, each branch has a share in proportion to its weight, and if a branch is removed,
 * only its keys move (weighted rendezvous hashing: the least of exponential draws,
 * https://www.snia.org/sites/default/files/SDC15_presentations/dist_sys/Jason_Resch_New_Consistent_Hashings_Rev.pdf). Undefined
 * only if there is no branch.
 */
export const rendezvous = (key: HashedText, branches: readonly RendezvousBranch[]): number | undefined => {
  let [min, found]: [number, number | undefined] = [Number.POSITIVE_INFINITY, undefined];
  for (const { index, weight, hashed } of branches) {
    const drawn = -Math.log(drawnFor(key, hashed)) / weight;
    if (drawn >= min) continue;
    min = drawn;
    found = index;
  }
  return found;
};
