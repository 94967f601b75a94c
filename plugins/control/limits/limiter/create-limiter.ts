import type { Limiter } from '../../../sdk/limiter.ts';
import type { LimitPolicy } from '../../policies/limit-policy.ts';
import { type CompiledPolicies, compilePolicies } from './compile-policies.ts';
import { CountedRequest, type LimiterParts } from './counted-request.ts';
import { createLearnedUse } from './learned-use.ts';
import { RequestLimitFacts } from './limit-facts.ts';
import type { LimiterOptions } from './limiter-options.ts';
import { watchReached } from './reached-limits.ts';

/**
 * Counts the requests of callers that a control plane knows, and limits them by the policies of their workspace. Each attempt
 * that was sent becomes one posting, of the counters where a policy covers it, and else, if all are counted, of the ledger
 * alone.
 */
export const createLimiter = (options: LimiterOptions): Limiter => {
  const { policies, limits, postings, countsAll } = options;
  const compiled = new WeakMap<readonly LimitPolicy[], CompiledPolicies>();
  const parts: LimiterParts = {
    ...options,
    limits,
    learned: createLearnedUse(),
    watch: watchReached(options.onReached),
    post: (posting) => postings.take(posting),
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
      const list = policies.policiesOf(workspace, organisation);
      if (list.length === 0 && !countsAll) return undefined;
      const facts = new RequestLimitFacts(exchange, { workspace, organisation, config: name });
      const request = new CountedRequest(parts, {
        exchange,
        facts,
        policies: compiledOf(list),
      });
      return request.admit();
    },
  };
};
