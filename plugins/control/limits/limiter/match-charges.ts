import type { UsageRecord } from '../../../../schema/usage-record.ts';
import type { Charge } from '../limits.ts';
import type { MatchedPolicy } from './compile-policies.ts';
import { tokensOf } from './estimate.ts';

export const nothingUsed: UsageRecord = { kind: 'none', model: '', input: { total: 0 }, output: { total: 0 } };

/** No attempt is charged more, whatever a provider or a price says: a million million tokens, or a thousand dollars. */
export const mostAmount = 1e12;

export const chargeOf = ({ policy, bucket }: MatchedPolicy, amount: number): Charge => ({
  policy: policy.id,
  bucket,
  unit: policy.unit,
  amount: Math.min(Math.max(0, amount), mostAmount),
  limit: policy.limit,
  reset: policy.reset,
});

/** What an attempt that used so much adds to the counter of a policy. */
export const actualOf = ({ policy: { unit } }: MatchedPolicy, usage: UsageRecord): number => {
  if (unit === 'requests') return 1;
  return unit === 'tokens' ? tokensOf(usage) : (usage.cost?.nanoUsd ?? 0);
};
