import type { GatewayResponse } from '../../../../plugins/sdk/http/http.ts';
import { isSuccess } from '../../../../schema/http/status.ts';
import { childPointer } from '../../../../schema/json/pointer.ts';
import {
  type CoolingOf,
  firstKeyToRecover,
  hasWeight,
  usableWeights,
} from '../../../../schema/plan/circuits/key-cooling.ts';
import type { LeafNode, Target } from '../../../../schema/plan/plan.ts';
import { maxOtherKeys } from '../../../../schema/plan/schedule.ts';
import type { LinkContext } from '../../call/context.ts';
import type { LeafStep } from '../../call/leaf-call.ts';
import { discard } from '../../error-responses/discard.ts';
import { forwardedOwner } from '../../target/forwarded-owner.ts';
import { toPoolKey } from '../../target/state-key.ts';
import { type ChosenKey, keyChooser } from './chosen-key.ts';
import { failedKeyOf } from './key-failure-of.ts';
import { useKey } from './with-key.ts';

interface KeyedLeaf {
  readonly leaf: LeafNode;
  readonly target: Target;
  readonly context: LinkContext;
}

const nothing: ReadonlySet<number> = new Set();

/** Whether an answer shows that its key works. One that checks denied does, too. */
const saysThatItWorks = ({ status, origin }: GatewayResponse): boolean =>
  origin === 'check' || (origin === 'upstream' && isSuccess(status));

/**
 * Sends each attempt with a key drawn by weight among those that are not left out. If all are, the one that returns first is
 * used. If the keys belong to several accounts, the one with what the request is about is used. An answer that is about its key
 * alone is followed immediately by an attempt with another key, at most twice. These do not count as retries. A key that its
 * provider refuses or limits is left out for a while.
 */
export const linkKeys = (inner: LeafStep, { leaf, target, context }: KeyedLeaf): LeafStep => {
  const { clock, chance } = context.ports;
  const path = childPointer(leaf.path, 'keys');
  const choose = keyChooser(target, context);

  return async (call) => {
    const keys = call.target.pool?.keys;
    const { exchange, run } = call;
    // A credential that the client forwards replaces the keys, so its failures are not theirs.
    if (keys === undefined || forwardedOwner(call.target, exchange) !== call.target.circuitOwner) return inner(call);
    const coolings = context.coolings();
    const { tenant } = exchange.principal;
    const pool = { tenant, key: toPoolKey(tenant, keys.fingerprint) };

    const draw = (weights: readonly number[]): number => {
      let only = -1;
      for (let key = 0; key < weights.length; key += 1)
        if ((weights[key] ?? 0) > 0) {
          if (only !== -1) return chance.pick({ seed: exchange.seed, path, visit: call.attempts + 1 }, weights);
          only = key;
        }
      return only;
    };
    const coolingOf: CoolingOf = (key) => coolings.of(pool)?.get(keys.target(key).keyFingerprint);
    const able = (tried: ReadonlySet<number>): readonly number[] =>
      coolings.of(pool) === undefined
        ? keys.keys.map(({ weight }, key) => (tried.has(key) ? 0 : weight))
        : usableWeights(keys.keys, coolingOf, { now: clock.monotonic(), tried });
    const drawFirst = (chosen: ChosenKey | undefined): number => {
      if (chosen?.isOnly === true) return chosen.key;
      const weights = able(nothing);
      if (chosen !== undefined && (weights[chosen.key] ?? 0) > 0) return chosen.key;
      return hasWeight(weights) ? draw(weights) : firstKeyToRecover(keys.keys, coolingOf);
    };

    const chosen = keys.areSeveral ? await choose(call, keys) : undefined;
    const isPinned = chosen?.isOnly === true;
    const tried = new Set<number>();
    let key = drawFirst(chosen);
    for (;;) {
      const called = keys.target(key);
      useKey(call, called);
      tried.add(key);
      const sentAt = clock.monotonic();
      const response = await inner(call);
      const failure = failedKeyOf(response, clock.wall());
      if (failure === undefined) {
        if (saysThatItWorks(response)) coolings.works(pool, called.keyFingerprint, sentAt);
        return response;
      }
      coolings.failed(pool, called.keyFingerprint, failure);
      const next = able(tried);
      if (isPinned || tried.size > maxOtherKeys || !hasWeight(next) || run.ended)
        return hasWeight(able(nothing)) ? { ...response, isOfKey: true } : response;
      discard(response);
      call.otherKeys += 1;
      key = draw(next);
    }
  };
};
