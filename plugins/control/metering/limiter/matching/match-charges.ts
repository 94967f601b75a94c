import type { UsageRecord } from '../../../../../schema/usage/usage-record.ts';
import type { Reset, Unit } from '../../../kernel/limits/limit-policy.ts';
import type { Charge } from '../../counters/limits.ts';
import { toTokens } from './estimate.ts';
import type { MatchedPolicy } from './matched-policy.ts';

export const nothingUsed: UsageRecord = { kind: 'none', model: '', input: { total: 0 }, output: { total: 0 } };

/** No attempt is charged more, whatever a provider or a price says: a million million tokens, or a thousand dollars. */
export const maxAmount = 1e12;

/** What a policy charges, without a copy of what the policy says. */
class MatchedCharge implements Charge {
  readonly match: MatchedPolicy;
  readonly amount: number;

  constructor(match: MatchedPolicy, amount: number) {
    this.match = match;
    this.amount = amount;
  }

  get policy(): string {
    return this.match.policy.id;
  }

  get bucket(): string {
    return this.match.bucket;
  }

  get unit(): Unit {
    return this.match.policy.unit;
  }

  get limit(): number {
    return this.match.policy.limit;
  }

  get reset(): Reset {
    return this.match.policy.reset;
  }
}

export const toCharge = (match: MatchedPolicy, amount: number): Charge =>
  new MatchedCharge(match, Math.min(Math.max(0, amount), maxAmount));

/** What an attempt that used so much adds to the counter of a policy. */
export const toActualAmount = ({ policy: { unit } }: MatchedPolicy, usage: UsageRecord): number => {
  if (unit === 'requests') return 1;
  return unit === 'tokens' ? toTokens(usage) : (usage.cost?.nanoUsd ?? 0);
};

/** What an attempt that used so much is charged by each policy. */
export const toCharges = (matches: readonly MatchedPolicy[], usage: UsageRecord): readonly Charge[] =>
  matches.map((match) => toCharge(match, toActualAmount(match, usage)));
