import type { Chance, ChanceAddress } from '../ports/chance.ts';
import { spreadBits } from './spread-bits.ts';

const range32 = 2 ** 32;
const range53 = 2 ** 53;

/** Returns a 32-bit word for an address and a salt. */
const wordAt = ({ seed, path, visit }: ChanceAddress, salt: number): number => {
  let hash = spreadBits((seed | 0) ^ salt);
  hash = spreadBits(hash ^ Math.floor(seed / range32));
  for (let at = 0; at < path.length; at += 1) hash = Math.imul(hash ^ path.charCodeAt(at), 0x01000193);
  return spreadBits(hash ^ Math.imul(visit, 0x9e3779b9));
};

/** Returns a whole number from 0 to 2^53 - 1. */
const drawAt = (at: ChanceAddress, salt: number): number => {
  const high = wordAt(at, salt);
  const low = wordAt(at, salt + 0x5bd1e995);
  return (high >>> 5) * 0x4000000 + (low >>> 6);
};

/**
 * Returns a number below `bound`, every one equally likely: a draw from the last, incomplete round of `bound` is repeated. If the
 * bound is so large that a round hardly fits, that is at worst every other draw.
 */
const below = (bound: number, at: ChanceAddress): number => {
  const limit = range53 - (range53 % bound);
  for (let salt = 0; ; salt += 1) {
    const drawn = drawAt(at, salt);
    if (drawn < limit) return drawn % bound;
  }
};

/** Draws that depend only on their address: seed, path and visit. */
export const seededChance: Chance = {
  pick(at, weights) {
    let total = 0;
    for (const weight of weights) total += weight;
    if (!(total > 0)) throw new RangeError('A choice needs at least one weight above 0.');
    if (total > Number.MAX_SAFE_INTEGER) throw new RangeError("The sum of a choice's weights exceeds 2^53 - 1.");
    let left = below(total, at);
    for (let index = 0; index < weights.length; index += 1) {
      const weight = weights[index] ?? 0;
      if (left < weight) return index;
      left -= weight;
    }
    throw new RangeError('The weights of a choice are not whole numbers.');
  },
  between: (at, from, to) => from + (drawAt(at, 0) / range53) * (to - from),
};
