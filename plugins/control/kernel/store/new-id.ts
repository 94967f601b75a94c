import { randomFillSync } from 'node:crypto';

const latestTime = 2 ** 48 - 1;
/** A UUID has 74 bits besides its time, version and variant: here, 12, 30 and 32 of them. */
const limits = { high: 2 ** 12, middle: 2 ** 30, low: 2 ** 32 } as const;
/** The variant, 0b10, in front of the middle bits. */
const variantBit = 2 ** 31;

/** Random 32-bit numbers. Generating many at once costs as much as generating one. */
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

/** The last id: its time, and the bits after the time. */
let time = -1;
let high = 0;
let middle = 0;
let low = 0;
/**
 * Its text without the last 8 digits, which are usually the only ones that change within a millisecond; undefined until needed.
 */
let beginning: string | undefined;

/**
 * The hexadecimal text of each byte. Converting numbers of more than 31 bits at once is much slower, because it uses floating
 * point.
 */
const bytes = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

const hexOf16 = (value: number): string => `${bytes[value >>> 8]}${bytes[value & 255]}`;
const hexOf32 = (value: number): string => `${hexOf16(value >>> 16)}${hexOf16(value & 0xffff)}`;

const toIdBeginning = (): string => {
  const upper = Math.floor(time / 0x10000);
  const clock = `${hexOf32(upper)}-${hexOf16(time - upper * 0x10000)}`;
  // The variant, 0b10, and 14 of the middle bits; the other 16 come after the next hyphen.
  const variant = hexOf16(0x8000 | (middle >>> 16));
  return `${clock}-${hexOf16(0x7000 | high)}-${variant}-${hexOf16(middle & 0xffff)}`;
};

const begin = (at: number): void => {
  time = at;
  high = random() >>> 20;
  middle = random() >>> 2;
  low = random();
  beginning = undefined;
};

/** Makes the id larger than the last one, by an unpredictable step. */
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
  else beginning = undefined;
};

/** Advances to the next id. */
const advance = (now: number): void => {
  const at = Math.floor(now);
  if (!(at >= 0 && at <= latestTime)) throw new RangeError(`${now} is no time in milliseconds since the epoch.`);
  if (at > time) begin(at);
  else follow();
};

/**
 * Returns a new UUID of version 7 (RFC 9562), in lower case. Each is larger than all that this process has created before, even
 * within a millisecond or after the clock was set back.
 *
 * @param now milliseconds since the epoch
 * @throws RangeError if no UUID can contain the time
 */
export const newId = (now: number): string => {
  advance(now);
  beginning ??= toIdBeginning();
  return beginning + hexOf32(low);
};

/** Whether a text has the form of an id: a UUID in lower case. */
export const isId = (text: string): boolean => /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(text);

/** The bytes of a UUID. */
export const idBytes = 16;

/**
 * Writes the bytes of a new UUID, from the same sequence as those of `newId`, without creating its text.
 *
 * @throws RangeError if no UUID can contain the time
 */
export const writeNewId = (now: number, view: DataView, at: number): void => {
  advance(now);
  const upper = Math.floor(time / 0x10000);
  view.setUint32(at, upper);
  view.setUint32(at + 4, (time - upper * 0x10000) * 0x10000 + (0x7000 | high));
  view.setUint32(at + 8, variantBit + middle);
  view.setUint32(at + 12, low);
};

/** Converts the bytes of a UUID to its text. */
export const idOfBytes = (bytes: Buffer): string => {
  const digits = bytes.toString('hex');
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-${digits.slice(12, 16)}-${digits.slice(16, 20)}-${digits.slice(20)}`;
};
