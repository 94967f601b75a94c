import { isJsonObject, type Json } from '../../../schema/json/json.ts';
import { findNumber } from '../../../schema/json/loose.ts';
import type { ListSplit } from '../../sdk/dialect/list-split.ts';
import { splitLists } from '../shared/split-lists/split-lists.ts';

/** Returns the index of a vector in the list of its answer, or undefined if it includes none. */
export const indexOfInput = (vector: Json): number | undefined =>
  isJsonObject(vector) ? findNumber(vector.index) : undefined;

/** Each vector includes its index in the list: https://platform.openai.com/docs/api-reference/embeddings/object */
export const split: ListSplit = splitLists({
  texts: ['input'],
  vectors: 'data',
  figures: 'usage',
  indexOf: indexOfInput,
  moved: (vector, by) =>
    isJsonObject(vector) && typeof vector.index === 'number' ? { ...vector, index: vector.index + by } : vector,
});
