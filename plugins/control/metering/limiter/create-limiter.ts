import type { Limiter } from '../../../sdk/control-plane/limiter.ts';
import { CountedRequest } from './counted-request.ts';
import type { LimiterOptions, LimiterParts } from './limiter-options.ts';
import { compilePolicies } from './matching/compile-policies.ts';
import { createLearnedUse } from './matching/learned-use.ts';
import { RequestLimitFacts } from './matching/limit-facts.ts';

const none = compilePolicies([]);

/**
 * Counts the requests of callers that a control plane knows, and limits them by the policies of their workspace. Each attempt
 * that was sent becomes one posting, of the counters where a policy covers it, and else, if all are counted, of the ledger
 * alone.
 */
export const createLimiter = (options: LimiterOptions): Limiter => {
  const { findPolicies, postings, countsAll } = options;
  const parts: LimiterParts = {
    ...options,
    learned: createLearnedUse(),
    post: (posting) => postings.take(posting),
  };

  return {
    readsModels: ({ workspace, organisation }) =>
      organisation !== undefined &&
      workspace !== undefined &&
      findPolicies(workspace, organisation)?.readsModels === true,
    admit(exchange, { name }) {
      const { organisation, workspace } = exchange.principal;
      // Keys of the gateway file act nowhere in the store.
      if (organisation === undefined || workspace === undefined) return undefined;
      const policies = findPolicies(workspace, organisation);
      if (policies === undefined && !countsAll) return undefined;
      const facts = new RequestLimitFacts(exchange, { workspace, organisation, config: name });
      const request = new CountedRequest(parts, { facts, policies: policies ?? none });
      return request.admit();
    },
  };
};
