import type { Json, JsonObject } from '../../../schema/json/json.ts';
import type { Facts } from '../../../schema/plan/condition.ts';

const numberIn = (value: unknown): number => {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
};

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const listIn = (value: unknown): readonly unknown[] | undefined => (Array.isArray(value) ? value : undefined);

/** Whether an element of a list matches `$elemMatch`. */
const elementHolds = (element: unknown, wanted: JsonObject): boolean => {
  const isOfElement = Object.keys(wanted).every((key) => key.startsWith('$') && key !== '$and' && key !== '$or');
  if (isOfElement) return operatorsHold([element], wanted);
  return typeof element === 'object' && element !== null && membersHold(wanted, element);
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
    case '$exists':
      return value === true ? fact !== undefined : fact === undefined;
    case '$size':
      return listIn(fact)?.length === value;
    case '$all':
      return (value as readonly unknown[]).every((item) => listIn(fact)?.includes(item) === true);
    case '$elemMatch':
      return isObject(value) && (listIn(fact) ?? []).some((element) => elementHolds(element, value));
    default:
      throw new Error(`There is no operator ${operator}.`);
  }
};

/** Whether all operators are true for a fact. A pattern may match any of its spellings, the first of which is the fact itself. */
const operatorsHold = (spellings: readonly unknown[], operators: JsonObject): boolean =>
  Object.entries(operators).every(([operator, operand]) => {
    if (operator === '$not') return isObject(operand) && !operatorsHold(spellings, operand);
    const asked = operator === '$regex' ? spellings : spellings.slice(0, 1);
    return asked.some((spelling) => operatorHolds(spelling, operator, operand));
  });

const factNamed = (key: string, facts: object): unknown =>
  key.split('.').reduce<unknown>((value, part) => (value as Record<string, unknown> | null | undefined)?.[part], facts);

/** A pattern for the path may match the path as clients send it, or the part after the version. */
const spellings = (key: string, fact: unknown, isRequest: boolean): readonly unknown[] =>
  isRequest && key === 'url.pathname' ? [fact, String(fact).replace('/v1/', '/')] : [fact];

const membersHold = (query: JsonObject, facts: object, isRequest = false): boolean =>
  Object.entries(query).every(([key, value]) => {
    if (key === '$and') return (value as readonly JsonObject[]).every((part) => membersHold(part, facts, isRequest));
    if (key === '$or') return (value as readonly JsonObject[]).some((part) => membersHold(part, facts, isRequest));
    const fact = factNamed(key, facts);
    return isObject(value) ? operatorsHold(spellings(key, fact, isRequest), value) : fact === value;
  });

/** Whether a condition's `query` is true: all of its members must be. */
export const holds = (query: JsonObject, facts: Facts): boolean => membersHold(query, facts, true);
