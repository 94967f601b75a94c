import type { Json } from '../../../../schema/json/json.ts';
import { parseExactJson } from '../../../../schema/json/parse-json.ts';
import { childPointer } from '../../../../schema/json/pointer.ts';
import type { SpanPlace, TextSpan } from '../../../sdk/dialect/text-span.ts';
import { stringsIn } from '../../../sdk/texts/strings-in.ts';

export type { SpanPlace } from '../../../sdk/dialect/text-span.ts';

/** Returns the place further inside this one. */
export const inside = (place: SpanPlace, ...tokens: readonly (string | number)[]): SpanPlace => ({
  ...place,
  at: childPointer(place.at, ...tokens),
});

const none: readonly TextSpan[] = [];

/** Returns one text at a place or further inside, or none if it is empty or not a text. */
export const span = (
  text: Json | undefined,
  { at: outside, kind, choice }: SpanPlace,
  ...tokens: readonly (string | number)[]
): readonly TextSpan[] => {
  if (typeof text !== 'string' || text === '') return none;
  const at = childPointer(outside, ...tokens);
  return choice === undefined ? [{ at, text, kind }] : [{ at, text, kind, choice }];
};

/** Returns the name of the member at a place, which a reader of the raw JSON sees. */
export const nameSpan = (name: string, place: SpanPlace): readonly TextSpan[] =>
  span(name, { ...place, kind: 'other' }).map((found) => ({ ...found, isName: true }));

/** Returns the texts that are values, without the names of members. */
export const valueTexts = (spans: readonly TextSpan[] = none): readonly string[] =>
  spans.filter(({ isName }) => isName !== true).map(({ text }) => text);

/** Returns the strings in a JSON value, one per line. */
export const valueSpan = (value: Json | undefined, place: SpanPlace): readonly TextSpan[] =>
  span(stringsIn(value).join('\n'), place);

/** Reads arguments that are JSON text. They are parsed, because escapes would hide their text. */
export const argumentsSpan = (text: Json | undefined, place: SpanPlace): readonly TextSpan[] => {
  if (typeof text !== 'string') return valueSpan(text, place);
  const value = parseExactJson(text);
  return value === undefined ? span(text, place) : valueSpan(value, place);
};
