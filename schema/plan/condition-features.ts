import type { Condition, ElementPath, FactPath } from './condition.ts';

/**
 * The feature of conditions on what a virtual model stands for. A gateway that does not know this fact would treat it as missing.
 */
const planFactFeature = 'virtual-models';

/** The operators that the first plan format did not have. Each name is also that of a plan feature. */
const laterOperators = ['$all', '$elemMatch', '$exists', '$not', '$size'] as const;

/** The plan features of conditions, by the names in `requires.features`. */
export const knownConditionFeatures: ReadonlySet<string> = new Set([planFactFeature, ...laterOperators]);

const operatorFeatures = (condition: Condition<ElementPath>): readonly string[] => {
  switch (condition.kind) {
    case 'all':
    case 'any':
      return condition.of.flatMap(operatorFeatures);
    case 'not':
      return ['$not', ...operatorFeatures(condition.of)];
    case 'element':
      return ['$elemMatch', ...operatorFeatures(condition.of)];
    case 'test':
      return laterOperators.filter((operator) => operator === condition.op);
  }
};

/** The roots of the facts that a condition reads. */
export const factRoots = (condition: Condition): ReadonlySet<FactPath[0]> => {
  switch (condition.kind) {
    case 'all':
    case 'any':
      return new Set(condition.of.flatMap((part) => [...factRoots(part)]));
    case 'not':
      return factRoots(condition.of);
    case 'test':
    case 'element':
      return new Set([condition.path[0]]);
  }
};

/** Lists the plan features that a condition requires. A gateway without one of them would decide it differently. */
export const conditionFeatures = (condition: Condition): readonly string[] => [
  ...(factRoots(condition).has('plan') ? [planFactFeature] : []),
  ...operatorFeatures(condition),
];
