import { WindowCounts } from './window-counts.ts';

/** A kind of trials of which each key has a few only within a time. */
export type AllowanceName = 'comparisons' | 'signIns' | 'trials';

/** How often each may be done, and within how many milliseconds. */
export const allowanceSizes: Readonly<Record<AllowanceName, { readonly max: number; readonly windowMs: number }>> = {
  /** Values that are not the secrets of a record they are compared with, by the id of the record. */
  comparisons: { max: 100, windowMs: 600_000 },
  /** Keys that are not valid and are presented at the console, by the network that they come from. */
  signIns: { max: 10, windowMs: 60_000 },
  /** Trials of a kind, by the kind and the tenant. */
  trials: { max: 30, windowMs: 60_000 },
};

/** Counts what may be done a few times only, for all workers of a gateway. Neither rejects. */
export interface Allowances {
  /** Resolves to whether something may be done, and then counts it, `count` times (1 if absent): before it is done, since others may come meanwhile. */
  take(name: AllowanceName, key: string, count?: number): Promise<boolean>;
  /** Takes back what was counted, and need not be. */
  giveBack(name: AllowanceName, key: string, count?: number): Promise<void>;
}

/** Of each kind, so many keys are known; the others are forgotten. */
const maxKeys = 10_000;

const createCounts = (name: AllowanceName): WindowCounts =>
  new WindowCounts({ windowMs: allowanceSizes[name].windowMs, maxKeys });

/** Counts in this process. `now` gives milliseconds. */
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
      // What was counted in a window that is over is in no other.
      const counted = Math.min(count, counts[name].of(key, at));
      if (counted > 0) counts[name].add(key, -counted, at);
    },
  };
};
