import type { PlanNode } from '../../schema/plan/plan.ts';
import type { Literal } from '../check/conditions/literal.ts';
import { isNever } from '../check/conditions/may-hold.ts';
import type { Budget } from './budget.ts';
import { decidePlan } from './decide-plan.ts';
import { isSameMember, type Question, toLiteral } from './literals.ts';

/** Requests that each of both plans treats alike: those that meet all of several literals. */
export interface Cell {
  readonly literals: readonly Literal[];
  readonly before: PlanNode;
  readonly after: PlanNode;
}

interface Open {
  readonly literals: readonly Literal[];
  readonly answers: ReadonlyMap<string, boolean>;
}

const isPossible = (literals: readonly Literal[], literal: Literal): boolean =>
  !isNever({ kind: 'all', of: [...literals.filter((other) => isSameMember(literal, other)), literal] });

const answered = ({ literals, answers }: Open, question: Question, answer: boolean): readonly Open[] => {
  const literal = toLiteral(question, answer);
  if (!isPossible(literals, literal)) return [];
  return [{ literals: [...literals, literal], answers: new Map([...answers, [question.key, answer]]) }];
};

/**
 * Divides all requests by how the conditions of two plans apply to them. Each request is in exactly one cell. A cell may contain
 * no request if that is hard to decide. Throws `BudgetExceeded` if there are too many cells.
 */
export function* cells(before: PlanNode, after: PlanNode, budget: Budget): Generator<Cell, void, void> {
  const left: Open[] = [{ literals: [], answers: new Map() }];
  for (let open = left.pop(); open !== undefined; open = left.pop()) {
    budget.spend(1 + open.literals.length);
    const [one, other] = [decidePlan(before, open.answers, budget), decidePlan(after, open.answers, budget)];
    if ('node' in one && 'node' in other) {
      yield { literals: open.literals, before: one.node, after: other.node };
      continue;
    }
    const question = 'question' in one ? one.question : 'question' in other ? other.question : undefined;
    if (question === undefined) continue;
    // The last one is visited first, so that cells come in the order of the conditions.
    left.push(...answered(open, question, false), ...answered(open, question, true));
  }
}
