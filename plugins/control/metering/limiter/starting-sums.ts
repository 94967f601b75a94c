import type { Store } from '../../kernel/store/store.ts';
import type { CounterSum } from '../counters/limits.ts';
import type { Ledger } from '../ledger/open-ledger.ts';
import { readLimits } from '../policies/read-limits.ts';

/** Reads the ledger's sums of the counters of policies that are in force. */
export const startingSums = async ({
  store,
  ledger,
}: {
  readonly store: Store;
  readonly ledger: Pick<Ledger, 'sums'>;
}): Promise<readonly CounterSum[]> => {
  const limits = await readLimits(store.db);
  const sums = await ledger.sums(limits.values());
  const policies = new Map([...limits.values()].flat().map((policy) => [policy.id, policy] as const));
  return sums.flatMap(({ policy: id, bucket, unit, window, amount }) => {
    const policy = policies.get(id);
    return policy?.unit === unit ? [{ policy: id, bucket, reset: policy.reset, window, used: amount }] : [];
  });
};
