import type { StatusRule } from '../../schema/http/status.ts';
import { isNonEmpty } from '../../schema/json/json.ts';
import type { FallbackNode, PlanNode } from '../../schema/plan/plan.ts';
import type { Rewrite } from './rewrite.ts';

/** Whether two rules speak of the same answers; the order of codes and their repetition say nothing. */
const sameTrigger = (a: StatusRule, b: StatusRule): boolean => {
  if (a.kind !== 'codes' || b.kind !== 'codes') return a.kind === b.kind;
  return a.codes.every((code) => b.codes.includes(code)) && b.codes.every((code) => a.codes.includes(code));
};

/**
 * Whether a fallback does more than try its branches in order. Where a stream goes on elsewhere, the branch that is asked next ends
 * it if it does not answer; an inner fallback would not.
 */
const isMore = ({ hedge, continues }: FallbackNode): boolean => hedge !== undefined || continues === true;

/**
 * An inner fallback goes on for exactly the answers that the outer one goes on for, and the circuits of both are read
 * at the same moment. Where all inner branches are unavailable, the outer fallback leaves the inner one out, and so
 * each of them; unless it has no available branch at all, and then both use all. A fallback with a hedge asks the first two of its own
 * branches beside each other. Where both require that branches are able, what is able below the inner one is able below the outer
 * one; where one does, the inner group would ask other branches than before.
 */
export const flattenFallback: Rewrite = {
  name: 'flatten-fallback',
  law: 'fallback(s)[a, fallback(s)[b, c], d] = fallback(s)[a, b, c, d], where neither has a hedge nor goes on with streams, and both require the same',
  rewrite(node) {
    if (node.kind !== 'fallback' || isMore(node)) return node;
    const isSame = (branch: PlanNode): branch is FallbackNode =>
      branch.kind === 'fallback' &&
      !isMore(branch) &&
      branch.require === node.require &&
      sameTrigger(branch.on, node.on);
    if (!node.branches.some(isSame)) return node;
    const branches = node.branches.flatMap((branch) => (isSame(branch) ? branch.branches : [branch]));
    return isNonEmpty(branches) ? { ...node, branches } : node;
  },
};
