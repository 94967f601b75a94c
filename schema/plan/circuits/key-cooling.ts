import type { Outcome } from '../../http/status.ts';
import type { Instant } from './circuit.ts';

/** Why a provider does not serve a key for now: too many requests, nothing left to spend, or it does not accept the key. */
export type KeyFailure = 'limited' | 'spent' | 'refused';

/** A key that is left out for a while. */
export interface KeyCooling {
  /** When it began: an answer to what was sent before says nothing about it. */
  readonly since: Instant;
  readonly until: Instant;
  /** How often it failed anew after it was left out, so that it is left out for longer. */
  readonly strikes: number;
}

/** How long a key is left out, in milliseconds. */
interface CoolingTime {
  readonly ms: number;
  /** Whether each further failure doubles it. */
  readonly doubles: boolean;
}

const coolingTimes: { readonly [Failure in KeyFailure]: CoolingTime } = {
  limited: { ms: 10_000, doubles: false },
  spent: { ms: 300_000, doubles: true },
  refused: { ms: 60_000, doubles: true },
};

/** The longest that a key is left out at once, whatever its provider asks for, in milliseconds. */
const maxCoolingMs = 3_600_000;

const byStatus: ReadonlyMap<number, KeyFailure> = new Map([
  [401, 'refused'],
  [402, 'spent'],
  [403, 'refused'],
  [429, 'limited'],
]);

/** Reads from the status of an answer what is wrong with the key that it was asked with; undefined: nothing. */
export const keyFailure = ({ status, origin }: Outcome): KeyFailure | undefined =>
  origin === 'upstream' ? byStatus.get(status) : undefined;

const isCooling = (cooling: KeyCooling | undefined, now: Instant): boolean =>
  cooling !== undefined && now < cooling.until;

export interface FailedKey {
  readonly failure: KeyFailure;
  /** The wait that the provider asks for, in milliseconds. */
  readonly askedMs: number | undefined;
}

/** A key that failed. While it is left out already, for as long as the later of both says. */
export const coolDown = (before: KeyCooling | undefined, now: Instant, { failure, askedMs }: FailedKey): KeyCooling => {
  const { ms, doubles } = coolingTimes[failure];
  const isOut = isCooling(before, now);
  const strikes = before === undefined ? 0 : before.strikes + (isOut ? 0 : 1);
  const ownMs = doubles ? ms * 2 ** strikes : ms;
  const until = now + Math.min(failure === 'limited' ? (askedMs ?? ownMs) : ownMs, maxCoolingMs);
  return isOut && before !== undefined
    ? { ...before, until: Math.max(before.until, until) }
    : { since: now, until, strikes };
};

/** Of the keys of a pool, by their index. */
export type CoolingOf = (key: number) => KeyCooling | undefined;

interface Weighted {
  readonly weight: number;
}

/** The weights of the keys that are not left out; 0 for the others, and for those that were `tried`. */
export const ableWeights = (
  keys: readonly Weighted[],
  coolingOf: CoolingOf,
  { now, tried }: { readonly now: Instant; readonly tried: ReadonlySet<number> },
): readonly number[] =>
  keys.map(({ weight }, key) => (weight > 0 && !tried.has(key) && !isCooling(coolingOf(key), now) ? weight : 0));

export const hasWeight = (weights: readonly number[]): boolean => weights.some((weight) => weight > 0);

/** The key that is left out for the shortest time from now on; of several, the first. */
export const soonestKey = (keys: readonly Weighted[], coolingOf: CoolingOf): number => {
  let soonest: number | undefined;
  for (const [key, { weight }] of keys.entries()) {
    if (weight === 0) continue;
    const until = coolingOf(key)?.until ?? 0;
    if (soonest === undefined || until < (coolingOf(soonest)?.until ?? 0)) soonest = key;
  }
  if (soonest === undefined) throw new RangeError('A pool of keys needs a weight above 0.');
  return soonest;
};
