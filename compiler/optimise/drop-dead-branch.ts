import { branchesUntilEnd } from './branches-until-end.ts';
import type { Rewrite } from './rewrite.ts';

/**
 * A fallback whose trigger no answer can match returns the answer of its first available branch. A branch after one that is
 * always available is never that branch.
 */
export const dropDeadBranch: Rewrite = {
  name: 'drop-dead-branch',
  law: 'fallback(s)[a, b, c] = fallback(s)[a, b], where no answer is in s, b is never unavailable, nothing is required and there is no hedge',
  dropsLeaves: true,
  rewrite(node) {
    if (node.kind !== 'fallback') return node;
    const branches = branchesUntilEnd(node);
    return branches.length < node.branches.length ? { ...node, branches } : node;
  },
};
