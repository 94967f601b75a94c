import type { UsageRecord } from '../../../../schema/usage/usage-record.ts';
import { toTokens } from '../../../sdk/models/learned-use.ts';
import type { LimitPolicy, Reset, Unit } from '../../kernel/limits/limit-policy.ts';
import type { Charge } from '../counters/limits.ts';

/** An event that is reported to the operator: a counter has reached the alert of its policy, or its limit. */
export type ReachedKind = 'threshold' | 'exhausted';

/**
 * Lists the marks that are reported to the operator when they are reached. Rate limits are expected to be reached, so for them
 * the operator is notified only of the alert that their policy sets.
 */
export const toMarks = ({
  alertAt,
  kind,
  limit,
}: LimitPolicy): readonly { readonly kind: ReachedKind; readonly at: number }[] => [
  ...(alertAt !== undefined ? [{ kind: 'threshold', at: alertAt } as const] : []),
  ...(kind === 'usage' && limit > 0 ? [{ kind: 'exhausted', at: limit } as const] : []),
];

/** Returns the smallest amount of a policy's counter that is reported to the operator; Infinity if there is none. */
export const minReportedAmount = (policy: LimitPolicy): number => Math.min(...toMarks(policy).map(({ at }) => at));

/** A policy that covers a request, and the counter of it that the request belongs to. */
export interface MatchedPolicy {
  readonly policy: LimitPolicy;
  readonly bucket: string;
  /** Whether another target may be free of the limit. */
  readonly isOfTarget: boolean;
  /** Its position in the list. */
  readonly order: number;
  /** The smallest amount of its counters that is reported to the operator; Infinity if there is none. */
  readonly minReportedAmount: number;
}

export const nothingUsed: UsageRecord = { kind: 'none', model: '', input: { total: 0 }, output: { total: 0 } };

/** The maximum charge of an attempt, whatever a provider or a price reports: a million million tokens, or a thousand dollars. */
export const maxAmount = 1e12;

/** The charge of a policy, without a copy of the policy's members. */
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

/** Returns the amount that an attempt with this usage adds to the counter of a policy. */
export const toActualAmount = ({ policy: { unit } }: MatchedPolicy, usage: UsageRecord): number => {
  if (unit === 'requests') return 1;
  return unit === 'tokens' ? toTokens(usage) : (usage.cost?.nanoUsd ?? 0);
};

/** Lists the charges of each policy for an attempt with this usage. */
export const toCharges = (matches: readonly MatchedPolicy[], usage: UsageRecord): readonly Charge[] =>
  matches.map((match) => toCharge(match, toActualAmount(match, usage)));

const countsRequests = ({ policy }: MatchedPolicy): boolean => policy.unit === 'requests';

/** The maximum number of lists of a target's policies for which the joined list is cached. */
const maxJoined = 8;

/**
 * The policies that cover requests of one kind, in the order of their list. Everything derived from them is computed once, and
 * used for all of these requests.
 */
export class MatchedPolicies {
  readonly all: readonly MatchedPolicy[];
  /** Whether some of them count only requests that generate. */
  readonly isMeasured: boolean;
  /** Whether their counters may be reported to the operator. */
  readonly isWatched: boolean;
  /** Whether the cost of an attempt must be known. */
  readonly needsCost: boolean;
  readonly countsRequests: boolean;
  /** The charges for the request itself: a policy of requests counts it, other policies are only checked. */
  readonly admission: readonly Charge[];
  #ofRequests: MatchedPolicies | undefined;
  #ofAttempts: MatchedPolicies | undefined;
  readonly #joined = new Map<MatchedPolicies, MatchedPolicies>();

  constructor(all: readonly MatchedPolicy[]) {
    this.all = all;
    this.isMeasured = !all.every(countsRequests);
    this.isWatched = all.some(({ minReportedAmount }) => Number.isFinite(minReportedAmount));
    this.needsCost = all.some(({ policy }) => policy.unit === 'nanoUsd');
    this.countsRequests = all.some(countsRequests);
    this.admission = all.map((match) => toCharge(match, countsRequests(match) ? 1 : 0));
  }

  /** Returns the policies for a request that generates nothing, and so uses no tokens and costs nothing. */
  get ofRequests(): MatchedPolicies {
    if (!this.isMeasured) return this;
    this.#ofRequests ??= new MatchedPolicies(this.all.filter(countsRequests));
    return this.#ofRequests;
  }

  /** Returns the policies that an attempt is charged to. Requests of clients are counted when they are admitted. */
  get ofAttempts(): MatchedPolicies {
    if (!this.countsRequests) return this;
    this.#ofAttempts ??= this.without((match) => countsRequests(match) && !match.isOfTarget);
    return this.#ofAttempts;
  }

  without(isLeftOut: (match: MatchedPolicy) => boolean): MatchedPolicies {
    return this.all.some(isLeftOut) ? new MatchedPolicies(this.all.filter((match) => !isLeftOut(match))) : this;
  }

  /** Returns these policies together with those of a target. */
  with(ofTarget: MatchedPolicies): MatchedPolicies {
    if (ofTarget.all.length === 0) return this;
    if (this.all.length === 0) return ofTarget;
    const known = this.#joined.get(ofTarget);
    if (known !== undefined) return known;
    const made = new MatchedPolicies([...this.all, ...ofTarget.all].toSorted((one, other) => one.order - other.order));
    if (this.#joined.size >= maxJoined) this.#joined.clear();
    this.#joined.set(ofTarget, made);
    return made;
  }
}

export const noPolicies: MatchedPolicies = new MatchedPolicies([]);
