import type { Json, JsonObject } from '../../../schema/json/json.ts';
import type { Facts } from '../../../schema/plan/condition.ts';

const numberIn = (value: unknown): number => {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
};

const operatorHolds = (fact: unknown, operator: string, value: Json): boolean => {
  switch (operator) {
    case '$eq':
      return fact === value;
    case '$ne':
      return fact !== value;
    case '$gt':
      return numberIn(fact) > numberIn(value);
    case '$gte':
      return numberIn(fact) >= numberIn(value);
    case '$lt':
      return numberIn(fact) < numberIn(value);
    case '$lte':
      return numberIn(fact) <= numberIn(value);
    case '$in':
      return (value as readonly unknown[]).includes(fact);
    case '$nin':
      return !(value as readonly unknown[]).includes(fact);
    case '$regex':
      return typeof fact === 'string' && new RegExp(String(value)).test(fact);
    default:
      throw new Error(`There is no operator ${operator}.`);
  }
};

const factNamed = (key: string, facts: Facts): unknown =>
  key.split('.').reduce<unknown>((value, part) => (value as Record<string, unknown> | undefined)?.[part], facts);

/** A pattern on the path may be written for the path as clients send it, or for the part after the version. */
const spellings = (key: string, operator: string, fact: unknown): readonly unknown[] =>
  key === 'url.pathname' && operator === '$regex' ? [fact, String(fact).replace('/v1/', '/')] : [fact];

/** Whether a condition's `query` holds: all its members do. */
export const holds = (query: JsonObject, facts: Facts): boolean =>
  Object.entries(query).every(([key, value]) => {
    if (key === '$and') return (value as readonly JsonObject[]).every((part) => holds(part, facts));
    if (key === '$or') return (value as readonly JsonObject[]).some((part) => holds(part, facts));
    const fact = factNamed(key, facts);
    if (typeof value !== 'object' || value === null) return fact === value;
    return Object.entries(value).every(([operator, operand]) =>
      spellings(key, operator, fact).some((spelling) => operatorHolds(spelling, operator, operand)),
    );
  });
