import type { StatusRule } from '../../schema/http/status.ts';
import { isNonEmpty } from '../../schema/json/json.ts';
import type { FallbackNode, PlanNode } from '../../schema/plan/plan.ts';
import type { Rewrite } from './rewrite.ts';

/** Whether two rules match the same answers. The order and repetition of codes do not matter. */
const sameTrigger = (a: StatusRule, b: StatusRule): boolean => {
  if (a.kind !== 'codes' || b.kind !== 'codes') return a.kind === b.kind;
  return a.codes.every((code) => b.codes.includes(code)) && b.codes.every((code) => a.codes.includes(code));
};

/**
 * Whether a fallback does more than try its branches in order. If a stream continues elsewhere, the next branch ends it if it
 * does not answer; an inner fallback would not.
 */
const isMore = ({ hedge, continues }: FallbackNode): boolean => hedge !== undefined || continues === true;

/**
 * An inner fallback continues for exactly the same answers as the outer one, and the circuits of both are read at the same
 * moment. If all inner branches are unavailable, the outer fallback skips the inner one, and therefore each of them, unless it
 * has no available branch at all: then both use all branches. A fallback with a hedge calls the first two of its own branches
 * concurrently. If both require that branches are able, a branch that is able below the inner one is able below the outer one
 * too; if only one requires it, the inner group would call other branches than before.
 */
export const flattenFallback: Rewrite = {
  name: 'flatten-fallback',
  law: 'fallback(s)[a, fallback(s)[b, c], d] = fallback(s)[a, b, c, d], where neither has a hedge nor continues streams, both require the same, and the inner one has no mirror',
  rewrite(node) {
    if (node.kind !== 'fallback' || isMore(node)) return node;
    const isSame = (branch: PlanNode): branch is FallbackNode =>
      branch.kind === 'fallback' &&
      branch.mirrors === undefined &&
      !isMore(branch) &&
      branch.require === node.require &&
      sameTrigger(branch.on, node.on);
    if (!node.branches.some(isSame)) return node;
    const branches = node.branches.flatMap((branch) => (isSame(branch) ? branch.branches : [branch]));
    return isNonEmpty(branches) ? { ...node, branches } : node;
  },
};
