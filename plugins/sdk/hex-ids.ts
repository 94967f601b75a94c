import { randomFillSync } from 'node:crypto';

const idsOfPool = 256;

/** Gives random ids of so many bytes, as lower-case hexadecimal digits. */
export const hexIds = (bytes: number): (() => string) => {
  // Random bytes for many ids: drawing them one id at a time takes ten times as long.
  const pool = Buffer.allocUnsafe(bytes * idsOfPool);
  let used = pool.length;
  return () => {
    if (used === pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    used += bytes;
    return pool.toString('hex', used - bytes, used);
  };
};
