import type { Json } from '../../../../schema/json.ts';

const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');

/** A value as JSON for programs and terminals: what a terminal would not show as a character is escaped. Ends with a line break. */
export const jsonOutput = (value: Json): string =>
  `${JSON.stringify(value, undefined, 2).replace(/[\x7f-\x9f\u2028\u2029\p{Cf}]/gu, escaped)}\n`;
