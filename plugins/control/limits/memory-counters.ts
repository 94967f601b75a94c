import { mostBuckets, sharedBucket } from './bounds.ts';
import type { Charge } from './limits.ts';
import { windowOf } from './windows.ts';

/** One counter in one window. */
export interface Counter {
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

export interface Found {
  readonly window: CounterWindow;
  readonly counter: Counter;
}

type Place = Pick<Charge, 'policy' | 'bucket' | 'reset'>;

/** Counters by policy, window and bucket. */
export interface MemoryCounters {
  /** The counter at a moment, which is made if it is not there. */
  at(place: Place, now: number): Found;
  /** The counter at a moment, if it is there: the shared one where there is no place for one of its own. */
  find(place: Place, now: number): Counter | undefined;
  /** Forgets the windows that have ended. */
  forget(now: number): void;
  /** The counters that are in memory. */
  size(): number;
  /** Whether time will let it forget something. */
  endsSometime(): boolean;
}

/** The bucket of a charge whose own counter is not there: its own, as long as there is a place for it. */
const placeIn = (counters: ReadonlyMap<string, Counter>, bucket: string): string =>
  counters.size < mostBuckets ? bucket : sharedBucket;

/** The counter that a charge is counted in, if it is there. */
const counterIn = (counters: ReadonlyMap<string, Counter>, bucket: string): Counter | undefined =>
  counters.get(bucket) ?? counters.get(placeIn(counters, bucket));

/**
 * The windows of a policy are known by when they begin, as in the ledger: a policy that is changed from days to hours at
 * midnight goes on counting in the same one.
 */
export const memoryCounters = (): MemoryCounters => {
  const policies = new Map<string, Map<number, CounterWindow>>();

  const windowsOf = (policy: string): Map<number, CounterWindow> => {
    const known = policies.get(policy);
    if (known !== undefined) return known;
    const made = new Map<number, CounterWindow>();
    policies.set(policy, made);
    return made;
  };

  const windowAt = ({ policy, reset }: Place, now: number): CounterWindow => {
    const { start, end = Number.POSITIVE_INFINITY } = windowOf(reset, now);
    const windows = windowsOf(policy);
    const known = windows.get(start);
    if (known !== undefined) {
      known.end = Math.max(known.end, end);
      return known;
    }
    for (const window of windows.values()) if (window.end <= now) windows.delete(window.start);
    const made = { start, end, counters: new Map<string, Counter>() };
    windows.set(start, made);
    return made;
  };

  return {
    at(place, now) {
      const window = windowAt(place, now);
      const known = counterIn(window.counters, place.bucket);
      if (known !== undefined) return { window, counter: known };
      const bucket = placeIn(window.counters, place.bucket);
      const counter = { bucket, used: 0, reserved: 0 };
      window.counters.set(bucket, counter);
      return { window, counter };
    },
    find({ policy, bucket, reset }, now) {
      const window = policies.get(policy)?.get(windowOf(reset, now).start);
      return window && counterIn(window.counters, bucket);
    },
    forget(now) {
      for (const [policy, windows] of policies) {
        for (const { start, end } of windows.values()) if (end <= now) windows.delete(start);
        if (windows.size === 0) policies.delete(policy);
      }
    },
    size() {
      let count = 0;
      for (const windows of policies.values()) for (const { counters } of windows.values()) count += counters.size;
      return count;
    },
    endsSometime() {
      for (const windows of policies.values())
        for (const { end } of windows.values()) if (Number.isFinite(end)) return true;
      return false;
    },
  };
};
