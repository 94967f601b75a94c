import { isOwnPolicy } from '../../kernel/limits/active-policies.ts';
import { commonResets, type Reset, toWindow } from '../../kernel/limits/limit-policy.ts';
import type { Store } from '../../kernel/store/store.ts';
import { type CounterSum, sharedBucket } from '../counters/limits.ts';
import type { Ledger } from '../ledger/open-ledger.ts';
import { readLimits } from '../policies/read-limits.ts';

/** Returns the period of a limit, or a common one to which it may be changed, whose current window began then. */
const resetIn = (window: number, own: Reset | undefined, now: number): Reset | undefined => {
  const isCurrent = (reset: Reset): boolean => toWindow(reset, now).start === window;
  // The counters decide whether another window is of the past, or of a future that a clock that was ahead has opened.
  return own !== undefined && isCurrent(own) ? own : (commonResets.find(isCurrent) ?? own);
};

/** Sorts counters that several buckets share last, because their sums must not take the place of a bucket of its own. */
const withSharedLast = (sums: readonly CounterSum[]): readonly CounterSum[] => {
  const { own = [], shared = [] } = Object.groupBy(sums, ({ bucket }) => (bucket === sharedBucket ? 'shared' : 'own'));
  return [...own, ...shared];
};

/**
 * Reads the ledger's sums of the counters of policies that are in force, and of budgets that keys, workspaces and providers had
 * themselves: if such a budget is set again, it continues with what was used. So does a limit whose period is changed to one that
 * it had before.
 */
export const startingSums = async ({
  store,
  ledger,
  now,
}: {
  readonly store: Store;
  readonly ledger: Pick<Ledger, 'sums'>;
  /** Milliseconds since the epoch. */
  readonly now: number;
}): Promise<readonly CounterSum[]> => {
  const limits = await readLimits(store.db);
  const sums = await ledger.sums(limits.values());
  const policies = new Map([...limits.values()].flat().map((policy) => [policy.id, policy] as const));
  const found = sums.flatMap(({ policy: id, bucket, unit, window, amount }) => {
    const policy = policies.get(id);
    const isCounted = policy === undefined ? isOwnPolicy({ id }) : policy.unit === unit;
    const reset = isCounted ? resetIn(window, policy?.reset, now) : undefined;
    return reset === undefined ? [] : [{ policy: id, bucket, reset, window, used: amount }];
  });
  return withSharedLast(found);
};
