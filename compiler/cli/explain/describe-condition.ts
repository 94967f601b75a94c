import type { Json } from '../../../schema/json/json.ts';
import type { Comparison, Condition } from '../../../schema/plan/condition.ts';
import { formatList } from './words.ts';

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
  }
};

const inner = (condition: Condition): string =>
  condition.kind !== 'test' && condition.of.length > 1
    ? `(${describeCondition(condition)})`
    : describeCondition(condition);

/** A condition as one reads it: `metadata.tier is "gold" and (params.n is above 1 or url.pathname matches /audio/)`. */
export const describeCondition = (condition: Condition): string => {
  if (condition.kind === 'test')
    return `${condition.path.join('.')} ${describeComparison(condition.op, condition.value)}`;
  const all = condition.kind === 'all';
  if (condition.of.length === 0) return all ? 'always' : 'never';
  return condition.of.map(inner).join(all ? ' and ' : ' or ');
};
