import type { Json } from '../../../../schema/json/json.ts';
import { valueAt } from '../../../../schema/json/look-up.ts';
import { fromPointer, type JsonPointer } from '../../../../schema/json/pointer.ts';
import { withValues } from '../../../../schema/json/with-values.ts';
import { withoutPlace } from './places.ts';

/** An answer with one changed place. */
export interface Change {
  /** For the message, such as `/results/0/flagged is null`. */
  readonly name: string;
  readonly body: Json;
}

const typeOf = (value: Json): string => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value);

const values: readonly Json[] = [null, true, 7, 'x', [], [null], {}, { toString: [1], valueOf: [1] }];

/**
 * Numbers that cannot be a place, a count or a score. The texts are written by `writeOdd` as numbers beyond JavaScript's range.
 */
export const wrongNumbers: readonly Json[] = [-1, 0.5, 1e9, '\u0001raw:1e999', '\u0001raw:-1e999'];

export const at = (body: Json, place: JsonPointer): Json => valueAt(body, fromPointer(place)) ?? null;

/** Returns the answer with this value at a place. */
export const withValue = (body: Json, place: JsonPointer, value: Json): Change => ({
  name: `${place} is ${JSON.stringify(value)}`,
  body: withValues(body, new Map([[place, value]])),
});

/** Returns the answer without a place, and with values of other types there. */
export const lacking = (body: Json, place: JsonPointer): readonly Change[] => {
  const type = typeOf(at(body, place));
  return [
    { name: `${place} is absent`, body: withoutPlace(body, place) },
    ...values
      .filter((value) => typeOf(value) !== type || JSON.stringify(value) === '[null]')
      .map((value) => withValue(body, place, value)),
  ];
};

/** Returns the answer with values of the same type but a possibly different meaning, including those of another answer. */
export const meaningElse = (body: Json, other: Json, place: JsonPointer): readonly Change[] => {
  const value = at(body, place);
  const type = typeOf(value);
  const others: readonly Json[] = [!value, 1e6, -1e6, 0, 1, 'x', at(other, place)];
  return others.filter((each) => typeOf(each) === type && each !== value).map((each) => withValue(body, place, each));
};
