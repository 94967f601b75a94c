import { canonicalJson } from '../../schema/json/canonical.ts';
import type { Condition } from '../../schema/plan/condition.ts';
import { conditionMatcher } from '../../schema/plan/condition-matcher.ts';
import { type Atom, isLiteral, type Literal, readPath } from '../check/conditions/literal.ts';
import { negateSingle } from '../resolve/conditions/negate.ts';

/** The question that a literal asks about a request. The literal holds for one of its two answers. */
export interface Question {
  readonly atom: Atom;
  /** Two literals with the same key ask the same. */
  readonly key: string;
  readonly holdsFor: boolean;
}

const asked = (atom: Atom, holdsFor: boolean): Question => ({ atom, key: canonicalJson(atom), holdsFor });

/** Returns the question of a literal; `$ne` asks the same as `$eq`. */
const toQuestion = (literal: Literal): Question => {
  if (literal.kind === 'not') {
    const { atom, key, holdsFor } = toQuestion(literal.of);
    return { atom, key, holdsFor: !holdsFor };
  }
  if (literal.kind === 'element') return asked(literal, true);
  const { op, value } = literal;
  if (op === '$ne') return asked({ ...literal, op: '$eq' }, false);
  if (op === '$nin') return asked({ ...literal, op: '$in' }, false);
  if (op === '$exists' && value === false) return asked({ ...literal, value: true }, false);
  return asked(literal, true);
};

/** Returns the literal that holds if a question has this answer. */
export const toLiteral = ({ atom }: Question, answer: boolean): Literal => (answer ? atom : negateSingle(atom));

/** The answers that are known, by the keys of their questions. */
export type Answers = ReadonlyMap<string, boolean>;

/** Returns whether a condition holds given these answers, or the first unanswered question on which that depends. */
export const decideCondition = (condition: Condition, answers: Answers): boolean | Question => {
  if (isLiteral(condition)) {
    const question = toQuestion(condition);
    const answer = answers.get(question.key);
    return answer === undefined ? question : answer === question.holdsFor;
  }
  const decisive = condition.kind === 'any';
  let open: Question | undefined;
  for (const part of condition.of) {
    const found = decideCondition(part, answers);
    if (found === decisive) return decisive;
    if (typeof found !== 'boolean') open ??= found;
  }
  return open ?? !decisive;
};

/** Whether a request with these facts meets all of the literals. */
export const meetsAll = (
  literals: readonly Literal[],
  facts: Parameters<ReturnType<typeof conditionMatcher>>[0],
): boolean => literals.every((literal) => conditionMatcher(literal)(facts));

/** Whether two literals test the same member of a request. If not, they neither imply nor contradict each other. */
export const isSameMember = (literal: Literal, other: Literal): boolean => {
  const [[root, name], [otherRoot, otherName]] = [readPath(literal), readPath(other)];
  return root === otherRoot && name === otherName;
};
