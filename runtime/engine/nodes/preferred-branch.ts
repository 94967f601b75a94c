import type { Run } from '../call/run.ts';
import { branchAt } from './branch-at.ts';
import type { LinkedNode } from './linked-node.ts';

/**
 * Returns the first usable branch that contains the saved provider that the request prefers. Undefined if it prefers none, or if
 * no branch would call it.
 */
export const preferredBranch = (
  branches: readonly LinkedNode[],
  usable: readonly number[],
  run: Run,
): number | undefined => {
  const slug = run.exchange.kept?.prefers;
  return slug === undefined ? undefined : usable.find((branch) => branchAt(branches, branch).calls(slug, run));
};
