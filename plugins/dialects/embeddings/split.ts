import { isJsonObject } from '../../../schema/json/json.ts';
import type { ListSplit } from '../../sdk/dialect/list-split.ts';
import { splitLists } from '../wire/lists/split-lists.ts';

/** Each vector has its place in the list: https://platform.openai.com/docs/api-reference/embeddings/object */
export const split: ListSplit = splitLists({
  texts: ['input'],
  vectors: 'data',
  figures: 'usage',
  moved: (vector, by) =>
    isJsonObject(vector) && typeof vector.index === 'number' ? { ...vector, index: vector.index + by } : vector,
});
