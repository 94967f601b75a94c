import type { Comparison, Condition, ElementPath } from '../../../schema/plan/condition.ts';

/** The operators that hold exactly where another one does not. */
const opposites: { readonly [Op in Comparison]?: Comparison } = { $eq: '$ne', $ne: '$eq', $in: '$nin', $nin: '$in' };

/** A condition that looks at one value. */
type Single<Path extends ElementPath> = Exclude<Condition<Path>, { readonly kind: 'all' | 'any' }>;

/** The condition that holds exactly where one that looks at one value does not. */
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

/** The condition that holds exactly where another one does not, in the one form that plans have for it. */
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
