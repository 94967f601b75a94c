import type { Condition, FactPath } from '../../schema/plan/condition.ts';

/** Lists the facts that a condition reads. */
export const listPaths = (condition: Condition): readonly FactPath[] => {
  switch (condition.kind) {
    case 'all':
    case 'any':
      return condition.of.flatMap(listPaths);
    case 'not':
      return [condition.of.path];
    case 'test':
    case 'element':
      return [condition.path];
  }
};
