import { mapNonEmpty } from '../../schema/json/map-non-empty.ts';
import type { PlanNode } from '../../schema/plan/plan.ts';
import { withMirrors } from '../optimise/collapse-single-branch.ts';
import { constantCondition } from '../optimise/constant-condition.ts';
import type { Budget } from './budget.ts';
import { type Answers, decideCondition, type Question } from './literals.ts';

/** A tree in which every condition is decided, or the question that must be answered next. */
export type Decided = { readonly node: PlanNode } | { readonly question: Question };

/** Thrown at the first open question. */
class OpenQuestion {
  readonly question: Question;

  constructor(question: Question) {
    this.question = question;
  }
}

const decided = (node: PlanNode, answers: Answers, budget: Budget): PlanNode => {
  budget.spend();
  const below = (branch: PlanNode): PlanNode => decided(branch, answers, budget);
  switch (node.kind) {
    case 'leaf':
      return node;
    case 'loadbalance': {
      const branches = mapNonEmpty(node.branches, (branch) => ({ ...branch, node: below(branch.node) }));
      return { ...node, branches };
    }
    case 'fallback':
      return { ...node, branches: mapNonEmpty(node.branches, below) };
    case 'conditional': {
      const { cases, otherwise, branches, mirrors = [] } = node;
      let chosen = otherwise;
      for (const { when, branch } of cases) {
        const holds = constantCondition(when) ?? decideCondition(when, answers);
        if (typeof holds !== 'boolean') throw new OpenQuestion(holds);
        if (!holds) continue;
        chosen = branch;
        break;
      }
      const branch = branches[chosen];
      if (branch === undefined) throw new RangeError(`The plan has no branch ${chosen} at ${node.path}.`);
      return withMirrors(below(branch), mirrors);
    }
  }
};

/** Returns the plan for the requests to which these answers apply. Throws `BudgetExceeded`. */
export const decidePlan = (root: PlanNode, answers: Answers, budget: Budget): Decided => {
  try {
    return { node: decided(root, answers, budget) };
  } catch (open) {
    if (open instanceof OpenQuestion) return { question: open.question };
    throw open;
  }
};
