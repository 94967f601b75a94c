import { occurrences } from './occurrences.ts';

/** Something found in a text, as a service that does not say what it counts tells it. */
export interface Located {
  readonly start: number;
  /** What was found there. */
  readonly snippet: string;
}

/** The UTF-16 unit at which a code point begins. */
const unitOf = (text: string, point: number): number => {
  let unit = 0;
  for (let count = 0; count < point && unit < text.length; count += 1)
    unit += (text.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
  return unit;
};

/**
 * Where something that was found begins, in UTF-16 units. The service may have counted units or code points: the place at
 * which the text is what was found is the right one. If neither is, every occurrence is; nowhere is an empty list.
 */
export const locate = (text: string, { start, snippet }: Located): readonly number[] => {
  const place = [start, unitOf(text, start)].find((at) => snippet !== '' && text.startsWith(snippet, at));
  return place === undefined ? occurrences(text, snippet) : [place];
};
