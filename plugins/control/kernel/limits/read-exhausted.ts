import { type CounterReader, noCounters } from './counter-reader.ts';
import { type Limited, ownUsagePolicy } from './own-policies.ts';

/** The ids of those whose own usage limit is used up. */
export const readExhausted = async (
  limited: readonly Limited[],
  counters: CounterReader = noCounters,
): Promise<ReadonlySet<string>> => {
  const budgets = limited.flatMap((each) => {
    const policy = ownUsagePolicy(each);
    return policy === undefined ? [] : [{ id: each.id, policy }];
  });
  if (budgets.length === 0) return new Set();
  const buckets = await counters.readBuckets(budgets.map(({ policy }) => policy));
  const isUsedUp = ({ policy: { limit } }: (typeof budgets)[number], at: number): boolean =>
    (buckets[at] ?? []).reduce((sum, { used }) => sum + used, 0) >= limit;
  return new Set(budgets.filter(isUsedUp).map(({ id }) => id));
};
