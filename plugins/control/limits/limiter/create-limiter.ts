import type { UsageRecord } from '../../../../schema/usage-record.ts';
import type { LimitedAttempt, Limiter } from '../../../sdk/limiter.ts';
import type { Clock } from '../../identity/clock.ts';
import type { LedgerEntry } from '../../ledger/entry.ts';
import type { LimitPolicy, PolicyView } from '../../policies/limit-policy.ts';
import type { Limits, Postings } from '../limits.ts';
import { type CompiledPolicies, compilePolicies } from './compile-policies.ts';
import { CountedRequest, type LimiterParts } from './counted-request.ts';
import { createLearnedUse } from './learned-use.ts';
import { RequestLimitFacts } from './limit-facts.ts';
import { type ReachedLimit, watchReached } from './reached-limits.ts';
import type { ToldUnknowns } from './told-unknowns.ts';

/** What attempts cost, as the data path knows it. */
export interface AttemptPrices {
  /** Resolves when prices can be asked for; undefined if they can now. */
  ready(): Promise<void> | undefined;
  /** Undefined for a model without a known price. */
  cost(
    record: UsageRecord,
    call: Pick<LimitedAttempt, 'provider' | 'model'> & {
      readonly listedAs: string;
      readonly saved: LimitedAttempt['prices'];
      readonly at: number;
    },
  ): { readonly nanoUsd: number } | undefined;
}

export interface LimiterOptions {
  readonly policies: PolicyView;
  readonly limits: Limits<LedgerEntry>;
  /** Takes what no policy limits. */
  readonly postings: Postings<LedgerEntry>;
  readonly prices?: AttemptPrices;
  /** The name of a provider in public price lists. */
  readonly listedAs: (provider: string) => string;
  readonly clock: Clock;
  readonly unknowns: ToldUnknowns;
  readonly onReached: (reached: ReachedLimit) => void;
  /** Takes what the operator is told. */
  readonly say: (text: string) => void;
}

/**
 * Counts the requests of callers that a control plane knows, and limits them by the policies of their workspace. Each attempt
 * that was sent becomes one posting, of the counters where a policy covers it, and else of the ledger alone.
 */
export const createLimiter = (options: LimiterOptions): Limiter => {
  const { policies, limits, postings, say } = options;
  const compiled = new WeakMap<readonly LimitPolicy[], CompiledPolicies>();
  const parts: LimiterParts = {
    ...options,
    limits,
    learned: createLearnedUse(),
    watch: watchReached(options.onReached),
    post: (posting) => {
      const failed = (error: unknown): void =>
        say(`gw: What an attempt used could not be posted to the ledger: ${String(error)}\n`);
      try {
        const posted = postings.post([posting]);
        if (posted instanceof Promise) posted.catch(failed);
      } catch (error) {
        failed(error);
      }
    },
  };

  const compiledOf = (list: readonly LimitPolicy[]): CompiledPolicies => {
    const known = compiled.get(list);
    if (known !== undefined) return known;
    const made = compilePolicies(list);
    compiled.set(list, made);
    return made;
  };

  return {
    admit(exchange, { name }) {
      const { organisation, workspace } = exchange.principal;
      // Keys of the gateway file act nowhere in the store.
      if (organisation === undefined || workspace === undefined) return undefined;
      const facts = new RequestLimitFacts(exchange, { workspace, organisation, config: name });
      const request = new CountedRequest(parts, {
        exchange,
        facts,
        policies: compiledOf(policies.policiesOf(workspace, organisation)),
      });
      return request.admit();
    },
  };
};
