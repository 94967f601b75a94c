import type { Json } from '../../../schema/json/json.ts';
import type {
  Comparison,
  Condition,
  ConditionTest,
  ElementMatch,
  ElementPath,
} from '../../../schema/plan/condition.ts';
import { formatList } from '../../../schema/text/format-list.ts';

const quoted = (value: Json): readonly string[] =>
  Array.isArray(value) ? value.map((item) => JSON.stringify(item)) : [JSON.stringify(value)];

const describeComparison = (op: Comparison, value: Json): string => {
  switch (op) {
    case '$eq':
      return `is ${JSON.stringify(value)}`;
    case '$ne':
      return `is not ${JSON.stringify(value)}`;
    case '$gt':
      return `is above ${value}`;
    case '$gte':
      return `is at least ${value}`;
    case '$lt':
      return `is below ${value}`;
    case '$lte':
      return `is at most ${value}`;
    case '$in':
      return `is ${formatList(quoted(value), 'or')}`;
    case '$nin':
      return `is not ${formatList(quoted(value), 'or')}`;
    case '$regex':
      return `matches /${value}/`;
    case '$exists':
      return value === true ? 'exists' : 'does not exist';
    case '$all':
      return `contains ${formatList(quoted(value))}`;
    case '$size':
      return `has ${value} ${value === 1 ? 'element' : 'elements'}`;
  }
};

/** The value itself, as an element of a list, has no name. */
const describePart = (part: ConditionTest<ElementPath> | ElementMatch<ElementPath>): string => {
  const what = part.kind === 'test' ? describeComparison(part.op, part.value) : describeElement(part);
  return [...(part.path.length === 0 ? [] : [part.path.join('.')]), what].join(' ');
};

const describeElement = ({ element, of }: ElementMatch<ElementPath>): string =>
  `has an element ${element === 'object' ? 'where' : 'that'} ${inner(of)}`;

const inner = (condition: Condition<ElementPath>): string =>
  (condition.kind === 'all' || condition.kind === 'any') && condition.of.length > 1
    ? `(${describeCondition(condition)})`
    : describeCondition(condition);

/** Describes a condition in words: `metadata.tier is "gold" and (params.n is above 1 or url.pathname matches /audio/)`. */
export const describeCondition = (condition: Condition<ElementPath>): string => {
  if (condition.kind === 'test' || condition.kind === 'element') return describePart(condition);
  if (condition.kind === 'not') return `not (${describePart(condition.of)})`;
  const all = condition.kind === 'all';
  if (condition.of.length === 0) return all ? 'always' : 'never';
  return condition.of.map(inner).join(all ? ' and ' : ' or ');
};
