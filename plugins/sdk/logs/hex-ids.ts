import { randomFillSync } from 'node:crypto';

/**
 * A pool has this many ids; one that is stored keeps the digits of all of them in memory: 8 KB, where they have 16
 * bytes.
 */
const idsOfPool = 256;

/** Gives random ids of so many bytes, as lower-case hexadecimal digits. */
export const hexIds = (bytes: number): (() => string) => {
  const digits = bytes * 2;
  // The digits of many ids: to draw and to write them one id at a time takes ten times as long.
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
