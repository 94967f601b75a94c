import { randomFillSync } from 'node:crypto';

const latestTime = 2 ** 48 - 1;
/** A UUID has 74 bits beside its time, version and variant: here 12, 30 and 32 of them. */
const limits = { high: 2 ** 12, middle: 2 ** 30, low: 2 ** 32 } as const;

/** Random numbers of 32 bits. Asking for many at once costs as much as asking for one. */
const pool = new Uint32Array(1024);
let used = pool.length;

const random = (): number => {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const value = pool[used] ?? 0;
  pool[used] = 0;
  used += 1;
  return value;
};

/** The last id: its time, and the bits behind that. */
let time = -1;
let high = 0;
let middle = 0;
let low = 0;
/** Its text but for the last 8 digits, which alone are different in most of those of one millisecond. */
let beginning = '';

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');

/** Two digits for each byte: numbers of 32 bits become texts through floating point otherwise, which takes much longer. */
const bytes = Array.from({ length: 256 }, (_, byte) => hex(byte, 2));

const hexOf32 = (value: number): string =>
  `${bytes[value >>> 24]}${bytes[(value >>> 16) & 255]}${bytes[(value >>> 8) & 255]}${bytes[value & 255]}`;

const writeBeginning = (): void => {
  const clock = hex(time, 12);
  // The variant, 0b10, and 14 of the middle bits; the other 16 come after the next hyphen.
  const variant = hex(0x8000 | (middle >>> 16), 4);
  beginning = `${clock.slice(0, 8)}-${clock.slice(8)}-7${hex(high, 3)}-${variant}-${hex(middle & 0xffff, 4)}`;
};

const begin = (at: number): void => {
  time = at;
  high = random() % limits.high;
  middle = random() % limits.middle;
  low = random();
  writeBeginning();
};

/** Makes it larger than the last one, by a step that nobody can guess. */
const follow = (): void => {
  low += 1 + random();
  if (low < limits.low) return;
  low -= limits.low;
  middle += 1;
  if (middle === limits.middle) {
    middle = 0;
    high += 1;
  }
  if (high === limits.high) begin(time + 1);
  else writeBeginning();
};

/**
 * A new UUID of version 7 (RFC 9562), in lower case. Each is larger than those that this process made before, also within a
 * millisecond and where the clock was set back.
 *
 * @param now milliseconds since the epoch
 * @throws RangeError if no UUID can hold the time
 */
export const newId = (now: number): string => {
  const at = Math.floor(now);
  if (!(at >= 0 && at <= latestTime)) throw new RangeError(`${now} is no time in milliseconds since the epoch.`);
  if (at > time) begin(at);
  else follow();
  return beginning + hexOf32(low);
};
