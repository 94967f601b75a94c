import type { Run } from '../call/run.ts';
import { branchAt } from './branch-at.ts';
import type { LinkedNode } from './linked-node.ts';

/**
 * The first branch, of those that a run may use, below which the saved provider stands that the request prefers. Undefined if
 * it prefers none, or none of them would call it.
 */
export const preferredBranch = (
  branches: readonly LinkedNode[],
  usable: readonly number[],
  run: Run,
): number | undefined => {
  const slug = run.exchange.kept?.prefers;
  return slug === undefined ? undefined : usable.find((branch) => branchAt(branches, branch).calls(slug, run));
};
