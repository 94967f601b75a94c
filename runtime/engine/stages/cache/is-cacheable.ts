import type { RequestBody } from '../../../../plugins/sdk/http/http.ts';
import { findStage } from '../../../../schema/plan/find-stage.ts';
import type { LeafNode, Target } from '../../../../schema/plan/plan.ts';
import { isStrict } from '../../call/is-strict.ts';
import type { LeafCall } from '../../call/leaf-call.ts';
import type { OutgoingCall } from '../../call/outgoing-call.ts';

/** Bodies that are not in memory: their bytes cannot be compared. */
const once: ReadonlySet<RequestBody['kind']> = new Set(['stream', 'form']);

/**
 * Whether a leaf's requests may be answered from a cache. Not those that are passed through, nor those whose caller wants
 * nothing to be kept. Not streams that say something about their own call: what it used, what checks found, or what was
 * taken out of its request and comes back in the answer.
 */
export const cacheableBy = (
  leaf: LeafNode,
  target: Target,
): ((call: LeafCall, sent: { readonly outgoing: OutgoingCall; readonly isStream: boolean }) => boolean) => {
  const hooks = [findStage(leaf, 'input-checks'), findStage(leaf, 'output-checks')].flatMap(
    (stage) => stage?.hooks ?? [],
  );
  const showsResults = hooks.some((hook) => !hook.async);
  return (call, { outgoing, isStream }) => {
    const { overrides } = call.exchange;
    if (overrides.debug === false) return false;
    if (outgoing.translation === undefined || once.has(outgoing.request.body.kind)) return false;
    if (!isStream) return true;
    return overrides.usage !== true && call.restorer === undefined && !(showsResults && !isStrict(target, call));
  };
};
