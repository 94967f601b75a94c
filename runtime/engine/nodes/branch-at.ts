import type { LinkedNode } from './linked-node.ts';

/** Returns a branch by its index in the plan. An invalid index is a bug, and throws a `RangeError`. */
export const branchAt = (branches: readonly LinkedNode[], index: number): LinkedNode => {
  const branch = branches[index];
  if (branch === undefined) throw new RangeError(`There is no branch ${index} among ${branches.length}.`);
  return branch;
};
