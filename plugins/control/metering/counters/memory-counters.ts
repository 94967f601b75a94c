import { type Reset, toWindow } from '../../kernel/limits/limit-policy.ts';
import { type Charge, maxBuckets, sharedBucket } from './limits.ts';

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
  /** Infinite if they never begin anew. */
  end: number;
  readonly counters: Map<string, Counter>;
}

type Place = Pick<Charge, 'policy' | 'bucket' | 'reset'>;

/** The result of the last reset, and until when it holds. */
interface Remembered {
  readonly reset: Reset;
  readonly window: CounterWindow;
  /** The end by this reset; that of the window may be later, by another one. */
  readonly end: number;
}

/** The windows of one policy, and the one that was asked for last. */
interface PolicyWindows {
  readonly windows: Map<number, CounterWindow>;
  last: Remembered | undefined;
}

/** Names the bucket of a charge whose own counter does not exist: its own, as long as there is a place for it. */
const placeIn = (counters: ReadonlyMap<string, Counter>, bucket: string): string =>
  counters.size < maxBuckets ? bucket : sharedBucket;

/** Finds the counter that a charge is counted in, if it exists. */
const counterIn = (counters: ReadonlyMap<string, Counter>, bucket: string): Counter | undefined =>
  counters.get(bucket) ?? counters.get(placeIn(counters, bucket));

/** Answers the window that is remembered, if it is the one of this moment by this reset. */
const lastAt = ({ last }: PolicyWindows, reset: Reset, now: number): CounterWindow | undefined =>
  last !== undefined && last.reset === reset && last.window.start <= now && now < last.end ? last.window : undefined;

const forgetEnded = ({ windows }: PolicyWindows, now: number): void => {
  for (const { start, end } of windows.values()) if (end <= now) windows.delete(start);
};

const openWindow = (
  ofPolicy: PolicyWindows,
  { start, end }: Pick<CounterWindow, 'start' | 'end'>,
  now: number,
): CounterWindow => {
  const { windows } = ofPolicy;
  const known = windows.get(start);
  if (known !== undefined) {
    known.end = Math.max(known.end, end);
    return known;
  }
  forgetEnded(ofPolicy, now);
  const window: CounterWindow = { start, end, counters: new Map() };
  windows.set(start, window);
  return window;
};

/**
 * Counters by policy, window and bucket. The windows of a policy are known by when they begin, as in the ledger: a policy that
 * is changed from days to hours at midnight goes on counting in the same one.
 */
export class MemoryCounters {
  readonly #policies = new Map<string, PolicyWindows>();

  /** Finds the counter at a moment, or makes it. */
  at(place: Place, now: number): Counter {
    const window = this.#windowAt(place, now);
    const known = counterIn(window.counters, place.bucket);
    if (known !== undefined) return known;
    const bucket = placeIn(window.counters, place.bucket);
    const counter = { window, bucket, used: 0, reserved: 0 };
    window.counters.set(bucket, counter);
    return counter;
  }

  /** Finds the counter at a moment, if it exists: the shared one where there is no place for one of its own. */
  find({ policy, bucket, reset }: Place, now: number): Counter | undefined {
    const ofPolicy = this.#policies.get(policy);
    const window = ofPolicy && (lastAt(ofPolicy, reset, now) ?? ofPolicy.windows.get(toWindow(reset, now).start));
    return window && counterIn(window.counters, bucket);
  }

  /** Forgets the windows that have ended. */
  forget(now: number): void {
    for (const [policy, known] of this.#policies) {
      forgetEnded(known, now);
      known.last = undefined;
      if (known.windows.size === 0) this.#policies.delete(policy);
    }
  }

  /** Counts the counters that are in memory. */
  size(): number {
    let count = 0;
    for (const { windows } of this.#policies.values())
      for (const { counters } of windows.values()) count += counters.size;
    return count;
  }

  /** Whether time will let it forget something. */
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
    const window = openWindow(ofPolicy, { start, end }, now);
    ofPolicy.last = { reset, window, end };
    return window;
  }
}
