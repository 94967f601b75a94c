import { isOwnPolicy } from '../../kernel/limits/active-policies.ts';
import { type Reset, toWindow } from '../../kernel/limits/limit-policy.ts';
import { ownWeek } from '../../kernel/limits/own-limits.ts';
import type { Store } from '../../kernel/store/store.ts';
import type { CounterSum } from '../counters/limits.ts';
import type { Ledger } from '../ledger/open-ledger.ts';
import { readLimits } from '../policies/read-limits.ts';

/** The periods of a record's own budgets, except for a number of days, which begins when it is set. */
const ownResets: readonly Reset[] = [{ every: 'never' }, { every: 'month' }, { every: ownWeek }];

/**
 * Reads the ledger's sums of the counters of policies that are in force, and of budgets that keys, workspaces and providers had
 * themselves: if such a budget is set again, it continues with what was used.
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
  return sums.flatMap(({ policy: id, bucket, unit, window, amount }) => {
    const policy = policies.get(id);
    const formerReset = isOwnPolicy({ id })
      ? ownResets.find((each) => toWindow(each, now).start === window)
      : undefined;
    const reset = policy === undefined ? formerReset : policy.reset;
    const isOfUnit = policy === undefined || policy.unit === unit;
    return reset !== undefined && isOfUnit ? [{ policy: id, bucket, reset, window, used: amount }] : [];
  });
};
