import { randomBytes } from 'node:crypto';

const randomBits = 74n;
const variant = 0b10n;
const version = 7n;
const latestTime = 2 ** 48 - 1;

interface Last {
  readonly time: number;
  /** The 74 bits behind the time. */
  readonly rest: bigint;
}

let last: Last = { time: -1, rest: 0n };

const randomOf = (bytes: number): bigint => BigInt(`0x${randomBytes(bytes).toString('hex')}`);

const fresh = (time: number): Last => ({ time, rest: BigInt.asUintN(Number(randomBits), randomOf(10)) });

/** Larger than the last one, by a step that nobody can guess. */
const following = ({ time, rest }: Last): Last => {
  const next = rest + 1n + randomOf(4);
  return next >> randomBits === 0n ? { time, rest: next } : fresh(time + 1);
};

/**
 * A new UUID of version 7 (RFC 9562), in lower case. Each is larger than those that this process made before, also within a
 * millisecond and where the clock was set back.
 *
 * @param now milliseconds since the epoch
 * @throws RangeError if no UUID can hold the time
 */
export const newId = (now: number): string => {
  const time = Math.floor(now);
  if (!(time >= 0 && time <= latestTime)) throw new RangeError(`${now} is no time in milliseconds since the epoch.`);
  last = time > last.time ? fresh(time) : following(last);
  const { rest } = last;
  const low = BigInt.asUintN(62, rest);
  const bits = (BigInt(last.time) << 80n) | (version << 76n) | ((rest >> 62n) << 64n) | (variant << 62n) | low;
  const digits = bits.toString(16).padStart(32, '0');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};
