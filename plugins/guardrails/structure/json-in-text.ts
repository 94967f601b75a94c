import type { Json, JsonArray, JsonObject } from '../../../schema/json/json.ts';
import { parseJson } from '../../../schema/json/parse-json.ts';
import { codeBlocks } from '../shared/code-blocks.ts';
import { balancedEnd } from './balanced-end.ts';

/** The most values that are found in one text. */
const maxValues = 100;
/** The most characters that are read to find them, for each character of the text: a bracket may be read again. */
const readsPerCharacter = 8;

const isStructure = (value: Json | undefined): value is JsonArray | JsonObject =>
  typeof value === 'object' && value !== null;

/** Matches what can begin an object or a list: most brackets of other texts are not followed by a key or a value. */
const opening = /\{(?=\s{0,100}["}])|\[(?=\s{0,100}[\]"{[\dtfn-])/g;

/** The objects and lists that stand in a text, each as large as possible. */
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
 * The JSON in a text: all of it, or its code blocks that are JSON, or the objects and lists that stand anywhere in it.
 * Takes time linear in the text.
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
