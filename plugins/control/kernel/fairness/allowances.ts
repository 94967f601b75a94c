import { WindowCounts } from './window-counts.ts';

/** A kind of operation that each key may do only a few times within a time window. */
export type AllowanceName = 'comparisons' | 'signIns' | 'trials';

/** How often each may be done, and within how many milliseconds. */
export const allowanceSizes: Readonly<Record<AllowanceName, { readonly max: number; readonly windowMs: number }>> = {
  /** Values that do not match the secrets of the record they are compared with, by the id of the record. */
  comparisons: { max: 100, windowMs: 600_000 },
  /** Invalid keys that are presented at the console, by the network that they come from. */
  signIns: { max: 10, windowMs: 60_000 },
  /** Trials of a kind, by the kind and the tenant. */
  trials: { max: 30, windowMs: 60_000 },
};

/** Counts operations that are allowed only a few times, for all workers of a gateway. Neither method rejects. */
export interface Allowances {
  /**
   * Resolves to whether an operation is allowed, and if so counts it, `count` times (1 if absent). Call it before the operation,
   * because others may start in the meantime.
   */
  take(name: AllowanceName, key: string, count?: number): Promise<boolean>;
  /** Returns what was counted unnecessarily. */
  giveBack(name: AllowanceName, key: string, count?: number): Promise<void>;
}

/** The maximum number of keys of each kind that are kept. */
const maxKeys = 10_000;

const createCounts = (name: AllowanceName): WindowCounts =>
  new WindowCounts({ windowMs: allowanceSizes[name].windowMs, maxKeys });

/** Counts in this process. `now` returns milliseconds. */
export const createAllowances = (now: () => number): Allowances => {
  const counts: Readonly<Record<AllowanceName, WindowCounts>> = {
    comparisons: createCounts('comparisons'),
    signIns: createCounts('signIns'),
    trials: createCounts('trials'),
  };
  return {
    take: async (name, key, count = 1) => {
      const at = now();
      if (counts[name].of(key, at) >= allowanceSizes[name].max) return false;
      counts[name].add(key, count, at);
      return true;
    },
    giveBack: async (name, key, count = 1) => {
      const at = now();
      // Counts of an expired window are not part of the current one.
      const counted = Math.min(count, counts[name].of(key, at));
      if (counted > 0) counts[name].add(key, -counted, at);
    },
  };
};
