import { type Reset, toWindow } from '../../kernel/limits/limit-policy.ts';
import type { PostedCharge } from '../ledger/posting.ts';
import { type Charge, type CounterState, type Granted, maxBuckets, sharedBucket } from './limits.ts';

/** One counter in one window. */
export interface Counter {
  readonly window: CounterWindow;
  readonly bucket: string;
  used: number;
  reserved: number;
}

/** The counters of one policy in one window. */
export interface CounterWindow {
  readonly start: number;
  /** The end of the longest period that has counted in it. Infinity if the counters never start again. */
  end: number;
  readonly counters: Map<string, Counter>;
}

type Place = Pick<Charge, 'policy' | 'bucket' | 'reset'>;

/** The windows of one policy, and the one that was used last, with the end that its reset sets. */
interface PolicyWindows {
  readonly windows: Map<number, CounterWindow>;
  last: { readonly reset: Reset; readonly window: CounterWindow; readonly end: number } | undefined;
}

/** Returns the bucket for a charge whose counter does not exist yet: its own, if there is room for it. */
const placeIn = (counters: ReadonlyMap<string, Counter>, bucket: string): string =>
  counters.size < maxBuckets ? bucket : sharedBucket;

/** Returns the counter that a charge is counted in, if it exists. */
const counterIn = (counters: ReadonlyMap<string, Counter>, bucket: string): Counter | undefined =>
  counters.get(bucket) ?? counters.get(placeIn(counters, bucket));

/** Returns the cached window if it is the current one for this reset. */
const lastAt = ({ last }: PolicyWindows, reset: Reset, now: number): CounterWindow | undefined =>
  last !== undefined && last.reset === reset && last.window.start <= now && now < last.end ? last.window : undefined;

const forgetEnded = ({ windows }: PolicyWindows, now: number): void => {
  for (const { start, end } of windows.values()) if (end <= now) windows.delete(start);
};

/**
 * Counters by policy, window and bucket. As in the ledger, the windows of a policy are identified by when they begin: if a policy
 * is changed from days to hours at midnight, it continues to count in the same window.
 */
export class MemoryCounters {
  readonly #policies = new Map<string, PolicyWindows>();

  /** Returns the counter at a moment, and creates it if necessary. */
  at(place: Place, now: number): Counter {
    const window = this.#windowAt(place, now);
    const known = counterIn(window.counters, place.bucket);
    if (known !== undefined) return known;
    const bucket = placeIn(window.counters, place.bucket);
    const counter = { window, bucket, used: 0, reserved: 0 };
    window.counters.set(bucket, counter);
    return counter;
  }

  /** Returns the counter at a moment, if it exists; the shared one if there is no room for its own. */
  find({ policy, bucket, reset }: Place, now: number): Counter | undefined {
    const ofPolicy = this.#policies.get(policy);
    const window = ofPolicy && (lastAt(ofPolicy, reset, now) ?? ofPolicy.windows.get(toWindow(reset, now).start));
    return window && counterIn(window.counters, bucket);
  }

  /** Removes the windows that have ended. */
  forget(now: number): void {
    for (const [policy, known] of this.#policies) {
      forgetEnded(known, now);
      known.last = undefined;
      if (known.windows.size === 0) this.#policies.delete(policy);
    }
  }

  /** Returns the number of counters in memory. */
  size(): number {
    let count = 0;
    for (const { windows } of this.#policies.values())
      for (const { counters } of windows.values()) count += counters.size;
    return count;
  }

  /** Whether any window will end. */
  endsSometime(): boolean {
    for (const { windows } of this.#policies.values())
      for (const { end } of windows.values()) if (Number.isFinite(end)) return true;
    return false;
  }

  #windowAt({ policy, reset }: Place, now: number): CounterWindow {
    const ofPolicy = this.#policies.get(policy) ?? { windows: new Map<number, CounterWindow>(), last: undefined };
    const last = lastAt(ofPolicy, reset, now);
    if (last !== undefined) return last;
    this.#policies.set(policy, ofPolicy);
    const { start, end = Number.POSITIVE_INFINITY } = toWindow(reset, now);
    let window = ofPolicy.windows.get(start);
    if (window === undefined) {
      forgetEnded(ofPolicy, now);
      window = { start, end, counters: new Map() };
      ofPolicy.windows.set(start, window);
    }
    window.end = Math.max(window.end, end);
    ofPolicy.last = { reset, window, end };
    return window;
  }
}

/** A charge that is held in a counter, and how full the counter was at that time. */
export class HeldCharge implements CounterState {
  readonly charge: Charge;
  readonly counter: Counter;
  used = 0;
  reserved = 0;

  constructor(charge: Charge, counter: Counter) {
    this.charge = charge;
    this.counter = counter;
  }

  get amount(): number {
    return this.charge.amount;
  }

  get policy(): string {
    return this.charge.policy;
  }

  get bucket(): string {
    return this.counter.bucket;
  }

  get limit(): number {
    return this.charge.limit;
  }

  /** By the charge's own reset: the window may be shared with a longer period that the policy had when it began. */
  get resetsAt(): number | undefined {
    return toWindow(this.charge.reset, this.counter.window.start).end;
  }
}

/** A grant that is not held. How full the counters are is determined when it is read. */
export class UnheldGrant implements Granted {
  readonly kind = 'granted';
  readonly #charges: readonly Charge[];
  readonly #findState: (charge: Charge) => CounterState;

  constructor(charges: readonly Charge[], findState: (charge: Charge) => CounterState) {
    this.#charges = charges;
    this.#findState = findState;
  }

  get counters(): readonly CounterState[] {
    return this.#charges.map(this.#findState);
  }
}

/** Returns how full a counter is, for the charge that was checked against it. */
export const toState = (
  { policy, limit }: Pick<Charge, 'policy' | 'limit'>,
  { bucket, used, reserved }: Pick<Counter, 'bucket' | 'used' | 'reserved'>,
  end: number,
): CounterState =>
  Number.isFinite(end)
    ? { policy, bucket, used, reserved, limit, resetsAt: end }
    : { policy, bucket, used, reserved, limit };

/** Returns what a charge has added to its counter, in the form of the ledger. */
export const toPosted = (
  { charge: { policy, unit }, counter }: Pick<HeldCharge, 'charge' | 'counter'>,
  amount: number,
): PostedCharge => ({
  policy,
  bucket: counter.bucket,
  unit,
  amount,
  window: counter.window.start,
});

/**
 * Adds an amount to a counter, and returns what was added. A difference is counted only while the window lasts, and never reduces
 * a counter that was reset below 0.
 */
export const addTo = (counter: Counter, amount: number, now: number): number => {
  if (counter.window.end <= now) return amount;
  const added = Math.max(amount, -counter.used);
  counter.used += added;
  return added;
};

export const giveBack = (held: readonly HeldCharge[]): void => {
  for (const { amount, counter } of held) counter.reserved -= amount;
};
