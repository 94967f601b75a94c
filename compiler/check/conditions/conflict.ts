import type { Condition } from '../../../schema/plan/condition.ts';
import { constantCondition } from '../../optimise/constant-condition.ts';
import { contradict } from './condition-logic.ts';
import { isLiteral, isRelated, type Literal, readPath } from './literal.ts';

/** Why a condition never chooses its target, and what to do. */
export interface Reason {
  readonly why: string;
  readonly suggestion: string;
}

/** If there are more tests than this, no conflicting pair is searched for. */
const maxSearched = 50;

const flat = (condition: Condition): readonly Condition[] =>
  condition.kind === 'all' ? condition.of.flatMap(flat) : [condition];

const excludes = (literals: readonly Literal[]): Literal | undefined =>
  literals.find((one, index) =>
    literals.slice(index).some((other) => isRelated(one, other) && contradict(one === other ? [one] : [one, other])),
  );

/** Returns why a condition matches no request: its list is empty, or two of its tests exclude each other. */
export const findConflict = (condition: Condition): Reason => {
  if (constantCondition(condition) === false)
    return { why: 'a list in it is empty', suggestion: 'Write what it lists, or remove the condition.' };
  const literals = flat(condition).filter(isLiteral);
  const found = literals.length > maxSearched ? undefined : excludes(literals);
  return found === undefined
    ? { why: 'no request meets all of its tests', suggestion: 'Correct the query, or remove the condition.' }
    : {
        why: `no request meets all of its tests of "${readPath(found).join('.')}"`,
        suggestion: 'Join these tests with "$or" if one of them is enough, correct them, or remove the condition.',
      };
};
