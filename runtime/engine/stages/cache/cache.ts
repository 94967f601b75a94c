import type { CacheKey } from '../../../../plugins/sdk/cache/cache.ts';
import { operations } from '../../../../plugins/sdk/exchange/operations.ts';
import type { GatewayResponse } from '../../../../plugins/sdk/http/http.ts';
import type { CacheStage, LeafNode, Target } from '../../../../schema/plan/plan.ts';
import { findStage } from '../../../../schema/plan/stages.ts';
import { outgoingBuilder } from '../../attempt/request/build-outgoing.ts';
import { toTimeout } from '../../attempt/to-timeout.ts';
import type { LinkContext } from '../../call/context.ts';
import type { LeafCall, LeafStep } from '../../call/leaf-call.ts';
import { paramEdits } from '../../call/param-edits.ts';
import { asksForStream } from '../../call/requested-model-and-stream.ts';
import { cacheKey, type KeyOptions } from './cache-key.ts';
import { checksFingerprint } from './checks-fingerprint.ts';
import { cacheableBy } from './is-cacheable.ts';
import { joinedCall } from './joined-call.ts';
import { LeafCache } from './leaf-cache.ts';

interface CachedLeaf {
  readonly leaf: LeafNode;
  readonly target: Target;
  readonly context: LinkContext;
}

const isTapped = ({ hooks }: LinkContext): boolean =>
  hooks.providerRequest.isUsed() || hooks.providerResponse.isUsed() || hooks.stream.isUsed();

/**
 * Answers a request from the stored answer to a similar one, and stores new answers. The key is derived from the request as it
 * would be sent, so the request is built here, and the attempts send it.
 */
export const linkCache = (stage: CacheStage, inner: LeafStep, { leaf, target, context }: CachedLeaf): LeafStep => {
  const cache = new LeafCache(stage, context);
  const build = outgoingBuilder(leaf, target, context);
  const edits = paramEdits(target);
  const isCacheable = cacheableBy(leaf, target);
  const keyOptions: KeyOptions = {
    target,
    outputChecks: checksFingerprint(findStage(leaf, 'output-checks'), context.plan.requires.plugins),
    isTapped: isTapped(context),
    isFresh: (call) => cache.isFresh(call),
  };

  const alone = async (call: LeafCall, key: CacheKey): Promise<GatewayResponse> => {
    const found = await cache.read(key);
    const { answer } = found;
    const hit = cache.fresh(call, answer);
    if (hit !== undefined) return hit;
    cache.missed(call, found);
    return cache.rescued(call, cache.save(call, key, await inner(call)), answer);
  };
  const joined = joinedCall({ cache, inner, alone, context, toTimeout: toTimeout(target) });

  return async (call) => {
    const { exchange, readDialect } = call;
    // The rest of an answer is not a complete answer.
    if (readDialect === undefined || call.run.continuation !== undefined) return inner(call);
    const building = call.outgoing ?? build(call);
    const outgoing = building instanceof Promise ? await building : building;
    call.outgoing = outgoing;
    const isStream = operations[exchange.route.operation].mayStream && asksForStream(call, edits);
    if (!isCacheable(call, { outgoing, isStream })) return inner(call);
    const key = cacheKey(call, { outgoing, isStream }, keyOptions);
    if (exchange.overrides.cacheRefresh === true) {
      call.cache = 'REFRESH';
      return cache.save(call, key, await inner(call));
    }
    // Streams do not share calls, because a request that joins late would wait for the end of the stream.
    return isStream ? alone(call, key) : joined(call, key);
  };
};
