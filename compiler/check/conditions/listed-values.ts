import type { Json } from '../../../schema/json/json.ts';
import type { Condition } from '../../../schema/plan/condition.ts';
import { allowedValues, readPath } from './literal.ts';

/** The values of a place that match a condition. */
export interface ListedValues {
  /** The path of the place, as a text that is unique to it. */
  readonly place: string;
  readonly values: ReadonlySet<Json | undefined>;
}

/** Returns the values that match a condition if it is a single test that lists them. */
export const listedAtPlace = (when: Condition): ListedValues | undefined => {
  if (when.kind !== 'test' || (when.op !== '$eq' && when.op !== '$in')) return undefined;
  const values = allowedValues(when);
  if (values === undefined || values.length === 0) return undefined;
  return { place: JSON.stringify(readPath(when)), values: new Set(values) };
};
