import { hash } from 'node:crypto';
import { spreadBits } from '../../memory/spread-bits.ts';

/** 64 bits of a text, which nobody who chooses the text can predict without trying. */
export type HashedText = readonly [high: number, low: number];

/** A character for each byte: a buffer takes longer to make than the hash. */
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

/** A number above 0 and below 1 that a key and a branch have together: of two branches, each key has two that say nothing of each other. */
const drawnFor = ([keyHigh, keyLow]: HashedText, [high, low]: HashedText): number => {
  const upper = spreadBits(keyHigh ^ spreadBits(keyLow ^ high));
  const lower = spreadBits(keyLow ^ spreadBits(upper ^ low));
  return ((upper >>> 5) * 0x4000000 + (lower >>> 6) + 0.5) / 2 ** 53;
};

/** A branch that keys may have. */
export interface RendezvousBranch {
  readonly index: number;
  /** Above 0. */
  readonly weight: number;
  readonly hashed: HashedText;
}

/**
 * The branch of a key: over all keys, each branch has as many as its weight says, and where one leaves, its keys alone move
 * (weighted rendezvous hashing: the least of exponential draws, https://www.snia.org/sites/default/files/SDC15_presentations/dist_sys/Jason_Resch_New_Consistent_Hashings_Rev.pdf).
 * Undefined only where there is no branch.
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
