import type { Json, JsonArray, JsonObject } from '../../../schema/json/json.ts';
import { parseJson } from '../../../schema/json/parse-json.ts';
import { codeBlocks } from '../shared/code-blocks.ts';
import { balancedEnd } from './balanced-end.ts';

/** The maximum number of values that are found in one text. */
const maxValues = 100;
/**
 * The maximum number of characters that are read to find them, for each character of the text. A bracket may be read several
 * times.
 */
const readsPerCharacter = 8;

const isStructure = (value: Json | undefined): value is JsonArray | JsonObject =>
  typeof value === 'object' && value !== null;

/** Matches what can start an object or a list. In other texts, most brackets are not followed by a key or a value. */
const opening = /\{(?=\s{0,100}["}])|\[(?=\s{0,100}[\]"{[\dtfn-])/g;

/** Returns the objects and lists in a text, each as large as possible. */
const structuresIn = (text: string): readonly Json[] => {
  const found: Json[] = [];
  let left = text.length * readsPerCharacter;
  let after = 0;
  for (const { index } of text.matchAll(opening)) {
    if (index < after) continue;
    const { end, read } = balancedEnd(text, index);
    left -= read;
    const structure = end === undefined ? undefined : parseJson(text.slice(index, end));
    if (structure !== undefined) {
      found.push(structure);
      after = end ?? after;
    }
    if (left < 0 || found.length === maxValues) break;
  }
  return found;
};

/**
 * Returns the JSON in a text: the whole text, or its code blocks that are JSON, or the objects and lists anywhere in it. Takes
 * linear time.
 */
export const jsonInText = (text: string): readonly Json[] => {
  const whole = parseJson(text);
  if (whole !== undefined) return [whole];
  const blocks = codeBlocks(text)
    .slice(0, maxValues)
    .map(({ code }) => parseJson(code))
    .filter(isStructure);
  return blocks.length > 0 ? blocks : structuresIn(text);
};
