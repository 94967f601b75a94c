import { listLeaves } from '../../../schema/plan/list-leaves.ts';
import type { LoadbalanceNode, PlanNode, Target } from '../../../schema/plan/plan.ts';
import { type HashedText, hashText } from './rendezvous.ts';

/** The facts of a branch that are known when its plan is linked. */
export interface BranchFacts {
  readonly index: number;
  readonly weight: number;
  /**
   * Identifies the targets and stages of the branch, regardless of its position in the group. A second branch with the same ones
   * has another name.
   */
  readonly name: string;
  readonly hashed: HashedText;
  /** Its target. For a group, the first target. */
  readonly target: Target | undefined;
}

const contentOf = (node: PlanNode): string =>
  listLeaves(node)
    .map(({ hash }) => hash)
    .join(' ');

/** Returns the branches of a load balance that may be drawn. */
export const branchFacts = ({ branches }: LoadbalanceNode, targets: readonly Target[]): readonly BranchFacts[] => {
  const seen = new Map<string, number>();
  return branches.flatMap(({ weight, node }, index): readonly BranchFacts[] => {
    if (weight === 0) return [];
    const content = contentOf(node);
    const before = seen.get(content) ?? 0;
    seen.set(content, before + 1);
    const name = `${content} ${before}`;
    const [leaf] = listLeaves(node);
    return [{ index, weight, name, hashed: hashText(name), target: leaf && targets[leaf.target] }];
  });
};
