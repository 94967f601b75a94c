import type { Comparison, Condition, ElementPath } from '../../../schema/plan/condition.ts';

/** The operators that are exact opposites of each other. */
const opposites: { readonly [Op in Comparison]?: Comparison } = { $eq: '$ne', $ne: '$eq', $in: '$nin', $nin: '$in' };

/** A condition that tests one value. */
type Single<Path extends ElementPath> = Exclude<Condition<Path>, { readonly kind: 'all' | 'any' }>;

/** Returns the exact opposite of a condition that tests one value. */
export const negateSingle = <Path extends ElementPath>(condition: Single<Path>): Single<Path> => {
  switch (condition.kind) {
    case 'not':
      return condition.of;
    case 'element':
      return { kind: 'not', of: condition };
    case 'test': {
      const { op, value } = condition;
      if (op === '$exists') return { ...condition, value: value !== true };
      const opposite = opposites[op];
      return opposite === undefined ? { kind: 'not', of: condition } : { ...condition, op: opposite };
    }
  }
};

/** Returns the exact opposite of a condition, in the one form that plans have for it. */
export const negate = <Path extends ElementPath>(condition: Condition<Path>): Condition<Path> => {
  switch (condition.kind) {
    case 'all':
      return { kind: 'any', of: condition.of.map(negate) };
    case 'any':
      return { kind: 'all', of: condition.of.map(negate) };
    default:
      return negateSingle(condition);
  }
};
