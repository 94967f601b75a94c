import type { Outcome } from '../../http/status.ts';
import type { Instant } from './circuit.ts';

/** Why a provider does not currently serve a key: too many requests, nothing left to spend, or it does not accept the key. */
export type KeyFailure = 'limited' | 'spent' | 'refused';

/** A key that is left out for a while. */
export interface KeyCooling {
  /** When it began. A response to a request that was sent earlier says nothing about it. */
  readonly since: Instant;
  readonly until: Instant;
  /** How many times it failed again after it was left out, which makes it be left out for longer. */
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

/** The longest time that a key is left out at once, whatever its provider asks for, in milliseconds. */
const maxCoolingMs = 3_600_000;

const byStatus: ReadonlyMap<number, KeyFailure> = new Map([
  [401, 'refused'],
  [402, 'spent'],
  [403, 'refused'],
  [429, 'limited'],
]);

/** Determines from the status of a response what is wrong with the key that was used; undefined if nothing is. */
export const keyFailure = ({ status, origin }: Outcome): KeyFailure | undefined =>
  origin === 'upstream' ? byStatus.get(status) : undefined;

const isCooling = (cooling: KeyCooling | undefined, now: Instant): boolean =>
  cooling !== undefined && now < cooling.until;

export interface FailedKey {
  readonly failure: KeyFailure;
  /** The wait that the provider asks for, in milliseconds. */
  readonly askedMs: number | undefined;
}

/** Returns the cooling of a key that failed. If the key is already left out, the later of the two ends applies. */
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

/** Returns the cooling of a pool's key by its index. */
export type CoolingOf = (key: number) => KeyCooling | undefined;

interface Weighted {
  readonly weight: number;
}

/** Returns the weights of the keys; 0 for those that are left out or that were `tried`. */
export const usableWeights = (
  keys: readonly Weighted[],
  coolingOf: CoolingOf,
  { now, tried }: { readonly now: Instant; readonly tried: ReadonlySet<number> },
): readonly number[] =>
  keys.map(({ weight }, key) => (weight > 0 && !tried.has(key) && !isCooling(coolingOf(key), now) ? weight : 0));

export const hasWeight = (weights: readonly number[]): boolean => weights.some((weight) => weight > 0);

/** Returns the key that is left out for the shortest time from now on, or the first of several. */
export const firstKeyToRecover = (keys: readonly Weighted[], coolingOf: CoolingOf): number => {
  let soonest: number | undefined;
  for (const [key, { weight }] of keys.entries()) {
    if (weight === 0) continue;
    const until = coolingOf(key)?.until ?? 0;
    if (soonest === undefined || until < (coolingOf(soonest)?.until ?? 0)) soonest = key;
  }
  if (soonest === undefined) throw new RangeError('A pool of keys needs a weight above 0.');
  return soonest;
};
