import type { Condition } from '../../../schema/plan/condition.ts';
import { constantCondition } from '../../optimise/constant-condition.ts';
import { negate } from '../../resolve/conditions/negate.ts';
import { contradict } from './condition-logic.ts';
import { asFact, isLiteral, isRelated, type Literal } from './literal.ts';

/** How many comparisons may still be made to answer a question. Alternatives multiply, and a text may have many. */
export interface Effort {
  left: number;
}

/** Takes a few milliseconds. Ordinary conditions use a hundredth of it. */
const defaultEffort = 4000;

/** Conditions that have alternatives, beside literals that can hold together. */
interface Joined {
  readonly held: readonly Literal[];
  readonly choices: readonly (readonly Condition[])[];
}

/** The values that a literal compares with; each is compared with those of all other literals. */
const countValues = (literal: Literal): number => {
  const test = literal.kind === 'not' ? literal.of : literal;
  return test.kind === 'test' && Array.isArray(test.value) ? 1 + test.value.length : 1;
};

/** Adds a literal to those that hold; returns nothing if no request can match all of them. */
const withLiteral = (held: readonly Literal[], literal: Literal, effort: Effort): readonly Literal[] | undefined => {
  const constant = constantCondition(literal);
  if (constant !== undefined) return constant ? held : undefined;
  if (literal.kind === 'element' && !canHold([asFact(literal.of)], [], effort)) return undefined;
  const related = [...held.filter((each) => isRelated(each, literal)), literal];
  effort.left -= related.length * related.reduce((sum, each) => sum + countValues(each), 0);
  return contradict(related) ? undefined : [...held, literal];
};

/** Adds conditions that must all hold; returns nothing if they cannot hold together, whichever alternatives are taken. */
const join = (conditions: readonly Condition[], held: readonly Literal[], effort: Effort): Joined | undefined => {
  let kept = held;
  const choices: (readonly Condition[])[] = [];
  const open = [...conditions];
  for (let next = open.pop(); next !== undefined && effort.left > 0; next = open.pop()) {
    effort.left -= 1;
    if (!isLiteral(next)) {
      if (next.kind === 'all') open.push(...next.of);
      else choices.push(next.of);
    } else {
      const added = withLiteral(kept, next, effort);
      if (added === undefined) return undefined;
      kept = added;
    }
  }
  return { held: kept, choices };
};

const canHold = (conditions: readonly Condition[], held: readonly Literal[], effort: Effort): boolean => {
  const joined = join(conditions, held, effort);
  if (joined === undefined) return false;
  effort.left -= joined.choices.length;
  // The condition with the fewest alternatives comes first, because each of them is tried with everything that follows.
  const [first, ...rest] = joined.choices.toSorted((a, b) => a.length - b.length);
  if (first === undefined || effort.left <= 0) return true;
  const others = rest.map((of): Condition => ({ kind: 'any', of }));
  return first.some((part) => canHold([part, ...others], joined.held, effort));
};

/** The conditions that hold for every request, and how many comparisons may be made. */
export interface Given {
  readonly premises: readonly Condition[];
  readonly effort: Effort;
}

const nothingGiven = (): Given => ({ premises: [], effort: { left: defaultEffort } });

const mayHold = (conditions: readonly Condition[], { premises, effort }: Given): boolean =>
  canHold([...premises, ...conditions], [], effort);

/** Whether a condition matches no request. False if that is hard to decide. */
export const isNever = (condition: Condition, given: Given = nothingGiven()): boolean =>
  constantCondition(condition) === false || !mayHold([condition], given);

/** Whether a condition matches every request. False if that is hard to decide. */
export const isAlways = (condition: Condition, given?: Given): boolean => isNever(negate(condition), given);

/** Whether at least one of several conditions holds whenever `condition` does. False if that is hard to decide. */
export const isCovered = (condition: Condition, by: readonly Condition[], given: Given = nothingGiven()): boolean =>
  !mayHold([condition, ...by.map((each) => negate(each))], given);
