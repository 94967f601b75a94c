import type { Condition } from '../../schema/plan/condition.ts';

/** Evaluates a condition that is the same for every request; nothing where it depends on the request. */
export const constantCondition = (condition: Condition): boolean | undefined => {
  if (condition.kind === 'test') return constantTest(condition);
  const parts = condition.of.map(constantCondition);
  const decisive = condition.kind === 'any';
  if (parts.includes(decisive)) return decisive;
  return parts.includes(undefined) ? undefined : !decisive;
};

/** Membership in a list of nothing. */
const constantTest = ({ op, value }: Extract<Condition, { kind: 'test' }>): boolean | undefined => {
  if (!Array.isArray(value) || value.length > 0) return undefined;
  if (op === '$in') return false;
  return op === '$nin' ? true : undefined;
};
