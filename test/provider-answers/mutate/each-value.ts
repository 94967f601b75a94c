import { isJsonObject, type Json } from '../../../schema/json/json.ts';
import { parseJson } from '../../../schema/json/parse-json.ts';
import { childPointer, type JsonPointer, rootPointer } from '../../../schema/json/pointer.ts';
import { withValues } from '../../../schema/json/with-values.ts';
import type { ScriptedAnswer } from '../../support/servers/upstream-server.ts';

const unprintable = { toString: [1], valueOf: [1] };

/** One value of each kind that is easily misread. */
const values: readonly Json[] = [
  ...[null, true, [], {}, unprintable, [unprintable], { 'a/b': unprintable }],
  ...[-1, 0.5, 8.7e15, '', '\ud800', '\0', '..', 'a/../b', 'constructor', '__proto__', '+275760-09-13T00:00:00.001Z'],
];

const placesIn = (value: Json, at: JsonPointer): readonly JsonPointer[] => {
  const children = isJsonObject(value) || Array.isArray(value) ? Object.entries(value as object) : [];
  return [at, ...children.flatMap(([name, child]: [string, Json]) => placesIn(child, childPointer(at, name)))];
};

/** The number of values in an answer, each of which can be made wrong. */
export const countOf = ({ body = '' }: ScriptedAnswer): number => {
  const value = parseJson(body.toString());
  return isJsonObject(value) ? placesIn(value, rootPointer).length * values.length : 0;
};

/** Returns the answer in which the value with this number is wrong. */
export const withOne = (answer: ScriptedAnswer, number: number): ScriptedAnswer => {
  const whole = parseJson(String(answer.body ?? ''));
  if (!isJsonObject(whole)) return answer;
  const places = placesIn(whole, rootPointer);
  const place = places[Math.floor(number / values.length) % places.length] ?? rootPointer;
  const value = values[number % values.length] ?? null;
  return {
    ...answer,
    body: JSON.stringify(place === rootPointer ? value : withValues(whole, new Map([[place, value]]))),
  };
};
