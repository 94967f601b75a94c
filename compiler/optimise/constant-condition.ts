import type { Condition, ConditionTest, ElementPath, FactPath } from '../../schema/plan/condition.ts';

/** Returns whether there is always a value at a path. */
type IsPresent<Path> = (path: Path) => boolean;

/** Evaluates a test of membership in an empty list, or of the presence of a value that always exists. */
const constantTest = <Path extends ElementPath>(
  { path, op, value }: ConditionTest<Path>,
  isPresent: IsPresent<Path>,
): boolean | undefined => {
  if (op === '$exists') return isPresent(path) ? value === true : undefined;
  if (!Array.isArray(value) || value.length > 0) return undefined;
  if (op === '$in') return false;
  return op === '$nin' ? true : undefined;
};

const constant = <Path extends ElementPath>(
  condition: Condition<Path>,
  isPresent: IsPresent<Path>,
): boolean | undefined => {
  switch (condition.kind) {
    case 'test':
      return constantTest(condition, isPresent);
    case 'not': {
      const negated = constant(condition.of, isPresent);
      return negated === undefined ? undefined : !negated;
    }
    case 'element':
      return constant(condition.of, isElement) === false ? false : undefined;
    case 'all':
    case 'any': {
      const parts = condition.of.map((part) => constant(part, isPresent));
      const decisive = condition.kind === 'any';
      if (parts.includes(decisive)) return decisive;
      return parts.includes(undefined) ? undefined : !decisive;
    }
  }
};

/** An element always exists, whatever its members are. */
const isElement: IsPresent<ElementPath> = (path) => path.length === 0;

/** Every request has a path. */
const isOfUrl: IsPresent<FactPath> = ([root]) => root === 'url';

/** Evaluates a condition that has the same result for every request; undefined if it depends on the request. */
export const constantCondition = (condition: Condition): boolean | undefined => constant(condition, isOfUrl);
