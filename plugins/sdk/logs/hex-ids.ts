import { randomFillSync } from 'node:crypto';

/**
 * The number of ids in a pool. An id that is stored keeps the digits of all of them in memory: 8 KB, instead of the 16 bytes of
 * the id.
 */
const idsOfPool = 256;

/** Creates a function that returns random ids of `bytes` bytes, in lower-case hexadecimal. */
export const hexIds = (bytes: number): (() => string) => {
  const digits = bytes * 2;
  // The digits of many ids. Drawing and converting them one id at a time takes ten times as long.
  const drawn = Buffer.allocUnsafeSlow(bytes * idsOfPool);
  let pool = '';
  let used = 0;
  return () => {
    if (used === pool.length) {
      pool = randomFillSync(drawn).toString('hex');
      used = 0;
    }
    used += digits;
    return pool.slice(used - digits, used);
  };
};
