import type { Reset } from '../../kernel/limits/unit.ts';
import { toWindow } from '../../kernel/limits/windows.ts';
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

/** Counters by policy, window and bucket. */
export interface MemoryCounters {
  /** The counter at a moment, which is made if it is not there. */
  at(place: Place, now: number): Counter;
  /** The counter at a moment, if it is there: the shared one where there is no place for one of its own. */
  find(place: Place, now: number): Counter | undefined;
  /** Forgets the windows that have ended. */
  forget(now: number): void;
  /** The counters that are in memory. */
  size(): number;
  /** Whether time will let it forget something. */
  endsSometime(): boolean;
}

/** What a reset said last, and until when it says the same. */
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

/** The bucket of a charge whose own counter is not there: its own, as long as there is a place for it. */
const placeIn = (counters: ReadonlyMap<string, Counter>, bucket: string): string =>
  counters.size < maxBuckets ? bucket : sharedBucket;

/** The counter that a charge is counted in, if it is there. */
const counterIn = (counters: ReadonlyMap<string, Counter>, bucket: string): Counter | undefined =>
  counters.get(bucket) ?? counters.get(placeIn(counters, bucket));

/** The window that is remembered, if it is the one of this moment by this reset. */
const lastAt = ({ last }: PolicyWindows, reset: Reset, now: number): CounterWindow | undefined =>
  last !== undefined && last.reset === reset && last.window.start <= now && now < last.end ? last.window : undefined;

/**
 * The windows of a policy are known by when they begin, as in the ledger: a policy that is changed from days to hours at
 * midnight goes on counting in the same one.
 */
export const memoryCounters = (): MemoryCounters => {
  const policies = new Map<string, PolicyWindows>();

  const toPolicy = (policy: string): PolicyWindows => {
    const known = policies.get(policy);
    if (known !== undefined) return known;
    const made = { windows: new Map<number, CounterWindow>(), last: undefined };
    policies.set(policy, made);
    return made;
  };

  const openWindow = ({ windows }: PolicyWindows, { start, end }: { start: number; end: number }, now: number) => {
    const known = windows.get(start);
    if (known !== undefined) {
      known.end = Math.max(known.end, end);
      return known;
    }
    for (const window of windows.values()) if (window.end <= now) windows.delete(window.start);
    const made: CounterWindow = { start, end, counters: new Map() };
    windows.set(start, made);
    return made;
  };

  const windowAt = ({ policy, reset }: Place, now: number): CounterWindow => {
    const ofPolicy = toPolicy(policy);
    const last = lastAt(ofPolicy, reset, now);
    if (last !== undefined) return last;
    const { start, end = Number.POSITIVE_INFINITY } = toWindow(reset, now);
    const window = openWindow(ofPolicy, { start, end }, now);
    ofPolicy.last = { reset, window, end };
    return window;
  };

  const findWindow = ({ policy, reset }: Place, now: number): CounterWindow | undefined => {
    const ofPolicy = policies.get(policy);
    return ofPolicy && (lastAt(ofPolicy, reset, now) ?? ofPolicy.windows.get(toWindow(reset, now).start));
  };

  return {
    at(place, now) {
      const window = windowAt(place, now);
      const known = counterIn(window.counters, place.bucket);
      if (known !== undefined) return known;
      const bucket = placeIn(window.counters, place.bucket);
      const counter = { window, bucket, used: 0, reserved: 0 };
      window.counters.set(bucket, counter);
      return counter;
    },
    find(place, now) {
      const window = findWindow(place, now);
      return window && counterIn(window.counters, place.bucket);
    },
    forget(now) {
      for (const [policy, known] of policies) {
        const { windows } = known;
        for (const { start, end } of windows.values()) if (end <= now) windows.delete(start);
        known.last = undefined;
        if (windows.size === 0) policies.delete(policy);
      }
    },
    size() {
      let count = 0;
      for (const { windows } of policies.values()) for (const { counters } of windows.values()) count += counters.size;
      return count;
    },
    endsSometime() {
      for (const { windows } of policies.values())
        for (const { end } of windows.values()) if (Number.isFinite(end)) return true;
      return false;
    },
  };
};
