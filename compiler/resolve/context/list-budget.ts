import type { Trust } from '../../../schema/config/trust.ts';
import type { Json } from '../../../schema/json/json.ts';
import type { Comparison } from '../../../schema/plan/condition.ts';

/** Decides whether a config may contain another test of each element of a list. */
export interface ListBudget {
  admits(op: Comparison | '$elemMatch', value: Json): boolean;
}

/**
 * The number of tests that a caller's conditions may make for each element of a list. A body can have millions of elements, and
 * this number of tests takes about as long as reading it.
 */
const maxTests = 20;

/** A pattern is started anew for each text, which takes as long as several comparisons. */
const patternTests = 5;

const countTests = (op: Comparison | '$elemMatch', value: Json): number => {
  if (op === '$regex') return patternTests;
  return Array.isArray(value) ? Math.max(1, value.length) : 1;
};

const anything: ListBudget = { admits: () => true };

/** Operators know the bodies that they admit. Conditions of anyone else must not make the requests of others wait. */
export const listBudget = (trust: Trust): ListBudget => {
  if (trust === 'operator') return anything;
  let left = maxTests;
  return {
    admits(op, value) {
      left -= countTests(op, value);
      return left >= 0;
    },
  };
};
